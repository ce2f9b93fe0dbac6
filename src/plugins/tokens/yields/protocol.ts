export const YIELD_CHAINS = ["ethereum", "base", "arbitrum", "optimism", "solana"] as const;
export type YieldChain = (typeof YIELD_CHAINS)[number];

/** Rewards paid beside the yield, in another token. */
export interface RewardFlow {
  /** The token's contract. */
  readonly token: string;
  /** To all who deposited together, in the token's smallest unit: a whole number in decimal. */
  readonly per_second: string;
  /** When the contract stops to pay; null where it names no end. */
  readonly ends_at_ms: number | null;
}

/** What one contract said; null for what it does not say. */
export interface YieldReading {
  /** Per year at the present rate, percent; null where only a share price is known. */
  readonly rate_apy_pct: number | null;
  /** The value of a share, in its underlying. */
  readonly share_price: number | null;
  /** Whether deposits are stopped. */
  readonly is_paused: boolean | null;
  /** Part of what was deposited that is lent out, percent. */
  readonly utilization_pct: number | null;
  /** Part of the most that may be deposited, percent; null also without a cap. */
  readonly cap_used_pct: number | null;
  /** What is deposited, in the smallest unit of the underlying: a whole number in decimal. */
  readonly locked: string | null;
  /** None is the empty list; null where no contract says. */
  readonly rewards: readonly RewardFlow[] | null;
}
export const NOTHING: YieldReading = {
  rate_apy_pct: null,
  share_price: null,
  is_paused: null,
  utilization_pct: null,
  cap_used_pct: null,
  locked: null,
  rewards: null,
};

export interface ProtocolView {
  readonly to: string;
  /** Selector and arguments. */
  readonly data: string;
}
/** The words a view returned; null where it reverted. */
export type ViewWords = readonly string[] | null;
/** What the views of each round returned. */
export type Rounds = readonly (readonly ViewWords[])[];
export const ROUNDS_MAX = 3;
/** A node whose newest block is older lags behind. */
export const BLOCK_AGE_MAX_MS = 120_000;

export interface NamedPool {
  readonly project: string;
  readonly symbol: string;
  /** The contract or account that says so. */
  readonly contract: string;
  readonly is_stable: boolean;
  /** The underlying of a share, or the asset lent, and its decimals. */
  readonly underlying: string;
  readonly decimals: number;
  /** Rewards that no contract of the protocol states: they are unknown, never zero. */
  readonly pays_elsewhere?: string;
  /** Shortest stretch over which a share's growth says something; default one day. */
  readonly days_min?: 1 | 7;
}

/** Reads a contract of an EVM chain. */
export interface ContractReader extends NamedPool {
  readonly chain: Exclude<YieldChain, "solana">;
  readonly views: readonly ProtocolView[];
  /** Views that follow from what came so far; asked after each round but the last. */
  readonly more?: (rounds: Rounds) => readonly ProtocolView[];
  /** Null where the words are not what was agreed. */
  readonly read: (rounds: Rounds) => YieldReading | null;
}

/** Reads an account of Solana. */
export interface AccountReader extends NamedPool {
  readonly chain: "solana";
  readonly read: (account: { readonly owner: string; readonly data: Uint8Array }) => YieldReading | null;
}

/** One protocol's reader of one token: what a file of `protocols/` lists. */
export type ProtocolReader = ContractReader | AccountReader;

const YEAR_S = 31_536_000;
/** A yearly rate paid every second, as a yield of a year, percent. */
export const compoundRate = (apr: number): number => (Math.exp(YEAR_S * Math.log1p(apr / YEAR_S)) - 1) * 100;
/** A share's growth over some days, per year, percent. */
export const annualise = (now: number, then: number, days: number): number => ((now / then) ** (365 / days) - 1) * 100;
export const YEAR_SECONDS = YEAR_S;

export const encodeArgument = (hex: string): string => hex.replace("0x", "").toLowerCase().padStart(64, "0");
/** A word as a number; null without a word. */
export const toNumber = (word: string | undefined): bigint | null =>
  word === undefined || word === "" ? null : BigInt(`0x${word}`);
/** An address in a word; null for any other word. */
export const toAddress = (word: string | undefined): string | null =>
  word === undefined || !/^0{24}[0-9a-fA-F]{40}$/.test(word) ? null : `0x${word.slice(24)}`;
