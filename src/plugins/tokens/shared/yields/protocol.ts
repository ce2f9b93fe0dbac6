export const YIELD_CHAINS = ["ethereum", "base", "arbitrum", "optimism", "solana"] as const;
export type YieldChain = (typeof YIELD_CHAINS)[number];

/** What one contract said; null for what it does not say. */
export interface YieldReading {
  /** Of a year by the rate of now, percent; null where only a share price is told. */
  readonly rate_apy_pct: number | null;
  /** What a share is worth, in what it stands for. */
  readonly share_price: number | null;
  /** Whether deposits are stopped. */
  readonly is_paused: boolean | null;
  /** Part of what was deposited that is lent out, percent. */
  readonly utilization_pct: number | null;
  /** Part of the most that may be deposited, percent; null also where there is no cap. */
  readonly cap_used_pct: number | null;
}
export const NOTHING: YieldReading = {
  ...{ rate_apy_pct: null, share_price: null, is_paused: null, utilization_pct: null, cap_used_pct: null },
};

export interface View {
  readonly to: string;
  /** Selector and arguments. */
  readonly data: string;
}
/** The words a view returned; null where it reverted. */
export type Words = readonly string[] | null;

interface Named {
  readonly project: string;
  readonly symbol: string;
  /** The contract or account that says so. */
  readonly contract: string;
  readonly is_stable: boolean;
  /** Shortest stretch over which a share's growth says something; default one day. */
  readonly days_min?: 1 | 7;
}

/** Reads a contract of an EVM chain. */
export interface ContractReader extends Named {
  readonly chain: Exclude<YieldChain, "solana">;
  readonly views: readonly View[];
  /** Views that follow from what the first ones returned. */
  readonly more?: (first: readonly Words[]) => readonly View[];
  /** Null where the words are not what was agreed. */
  readonly read: (first: readonly Words[], more: readonly Words[]) => YieldReading | null;
}

/** Reads an account of Solana. */
export interface AccountReader extends Named {
  readonly chain: "solana";
  readonly read: (account: { readonly owner: string; readonly data: Uint8Array }) => YieldReading | null;
}

/** One protocol's reader of one token: what a file of `protocols/` lists. */
export type ProtocolReader = ContractReader | AccountReader;

const YEAR_S = 31_536_000;
/** A yearly rate paid every second, as a yield of a year, percent. */
export const compoundRate = (apr: number): number => (Math.exp(YEAR_S * Math.log1p(apr / YEAR_S)) - 1) * 100;
/** A factor of each second as a yield of a year, percent. */
export const compoundFactor = (factor: number): number => (Math.exp(YEAR_S * Math.log(factor)) - 1) * 100;
/** What a share's growth over some days is in a year, percent. */
export const annualise = (now: number, then: number, days: number): number => ((now / then) ** (365 / days) - 1) * 100;
export const YEAR_SECONDS = YEAR_S;

export const encodeArgument = (hex: string): string => hex.replace("0x", "").toLowerCase().padStart(64, "0");
/** A word as a number; null where there is none. */
export const toNumber = (word: string | undefined): bigint | null =>
  word === undefined || word === "" ? null : BigInt(`0x${word}`);
