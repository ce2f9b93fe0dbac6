/** Which of several readings counts: a danger once seen, the larger, the smaller, or any good word. */
type Merge = "any" | "all" | "max" | "min";

export interface FactRule {
  readonly merge: Merge;
  /** A fresh reading of the chain itself overrules every opinion. */
  readonly chain_overrules?: true;
}

/** What is known of a token, as numbers; 1 and 0 are yes and no. */
export const FACT_RULES = {
  mint_active: { merge: "any", chain_overrules: true },
  freeze_active: { merge: "any", chain_overrules: true },
  permanent_delegate: { merge: "any", chain_overrules: true },
  /** Frozen by default, paused, or not transferable at all. */
  transfers_blocked: { merge: "any", chain_overrules: true },
  hook_live: { merge: "any", chain_overrules: true },
  /** Of a transfer on Solana; the larger tax of buying and selling elsewhere. Basis points. */
  fee_bps: { merge: "max" },
  metadata_mutable: { merge: "any" },
  rugged: { merge: "any" },
  /** A sale fails, by simulation or opinion. */
  sell_blocked: { merge: "any" },
  /** What a purchase for 100 US dollars sells for again, 0 to 1. */
  round_trip_ratio: { merge: "min" },
  owner_changes_balance: { merge: "any" },
  hidden_owner: { merge: "any" },
  selfdestruct: { merge: "any" },
  counterfeit: { merge: "any" },
  creator_flagged: { merge: "any" },
  source_open: { merge: "all" },
  /** Somebody can exchange the contract's code. */
  upgradable: { merge: "any" },
  /** owner() is somebody. */
  owner_active: { merge: "any" },
  /** The chain says that it has no owner, another source that its owner can mint or block. */
  powers_disputed: { merge: "any" },
  top1_pct: { merge: "max" },
  top10_pct: { merge: "max" },
  /** What the ten largest have at most, where no list names ten. */
  top10_max_pct: { merge: "max" },
  creator_pct: { merge: "max" },
  insider_pct: { merge: "max" },
  bundle_pct: { merge: "max" },
  lp_locked_pct: { merge: "min" },
  liquidity_usd: { merge: "min" },
  age_min: { merge: "max" },
  prior_launches: { merge: "max" },
  prior_rug: { merge: "any" },
  buys_h1: { merge: "max" },
  sells_h1: { merge: "max" },
  volume_h1_usd: { merge: "max" },
  volume_h24_usd: { merge: "max" },
  trades_h24: { merge: "max" },
  verified: { merge: "max" },
  has_link: { merge: "max" },
  /** 0 to 100, higher is worse. */
  alarm: { merge: "max" },
  /** 1 while it trades on a launchpad's curve. */
  on_curve: { merge: "max" },
} as const satisfies Readonly<Record<string, FactRule>>;

export type FactId = keyof typeof FACT_RULES;
export const FACT_IDS = Object.keys(FACT_RULES) as readonly FactId[];

/** One fact by one source. */
export interface FactReading {
  readonly fact: FactId;
  /** Provider id. */
  readonly source: string;
  readonly value: number;
}

/** A reading that was stored when it was fresh. */
export interface StoredReading extends FactReading {
  readonly at_ms: number;
}

export interface TokenFact {
  /** Of all valid readings; null without one. */
  readonly value: number | null;
  /** Whether anybody said it now: what is only remembered still counts against a token, never for it. */
  readonly is_known: boolean;
  /** Sources that say so now. */
  readonly sources: readonly string[];
  /** Readings that disagree, by source. */
  readonly conflict: Readonly<Record<string, number>> | null;
}
export type TokenFacts = Readonly<Record<FactId, TokenFact>>;

/** How long a finding stays valid when its source falls silent. */
const REMEMBERED_MS = 24 * 3_600_000;
/** A chain's second address overrules no more than its first: of the two the worse counts. */
const CHAIN_SOURCES: readonly string[] = ["solana_rpc", "solana_rpc_second", "evm_rpc", "evm_rpc_second"];
/** Numbers within this of each other agree. */
const AGREED_RATIO = 3;

const MERGES: Readonly<Record<Merge, (values: readonly number[]) => number>> = {
  any: (values) => Math.max(...values),
  max: (values) => Math.max(...values),
  all: (values) => Math.min(...values),
  min: (values) => Math.min(...values),
};

function findConflict(merge: Merge, readings: readonly FactReading[]): TokenFact["conflict"] {
  const values = readings.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const differs = merge === "any" || merge === "all" ? low !== high : high > AGREED_RATIO * low && high - low > 1;
  return differs ? Object.fromEntries(readings.map(({ source, value }) => [source, value])) : null;
}

function mergeFact(fact: FactId, fresh: readonly FactReading[], remembered: readonly FactReading[]): TokenFact {
  const rule: FactRule = FACT_RULES[fact];
  const direct = rule.chain_overrules ? fresh.filter(({ source }) => CHAIN_SOURCES.includes(source)) : [];
  const standing = direct.length > 0 ? direct : [...fresh, ...remembered];
  return {
    value: standing.length === 0 ? null : MERGES[rule.merge](standing.map(({ value }) => value)),
    is_known: fresh.length > 0,
    sources: fresh.map(({ source }) => source),
    conflict: fresh.length > 1 ? findConflict(rule.merge, fresh) : null,
  };
}

/**
 * Turns readings into facts. The worst known value wins; a source's reading of the last 24 hours counts until that
 * source says otherwise.
 */
export function mergeReadings(
  fresh: readonly FactReading[],
  stored: readonly StoredReading[] = [],
  now_ms = 0,
): TokenFacts {
  const said = new Set(fresh.map(({ fact, source }) => `${fact} ${source}`));
  const remembered = stored.filter(
    ({ fact, source, at_ms }) => now_ms - at_ms <= REMEMBERED_MS && !said.has(`${fact} ${source}`),
  );
  const of = (list: readonly FactReading[], fact: FactId) => list.filter((reading) => reading.fact === fact);
  return Object.fromEntries(
    FACT_IDS.map((fact) => [fact, mergeFact(fact, of(fresh, fact), of(remembered, fact))]),
  ) as TokenFacts;
}
