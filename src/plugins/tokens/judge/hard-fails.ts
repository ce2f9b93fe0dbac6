import type { FactId, TokenFacts } from "../facts/fact.ts";

export interface JudgeSubject {
  readonly is_evm: boolean;
  /** The issuer is known by the token's address. */
  readonly is_issuer: boolean;
}

/** A finding that alone makes the worst verdict, or takes the best one away. */
export interface RiskFinding {
  readonly id: string;
  /** In plain words. */
  readonly evidence: string;
  readonly sources: readonly string[];
}

const FEE_BPS_MAX = { solana: 1_000, evm: 2_500 } as const;
const ROUND_TRIP_MIN = 0.75;
const YOUNG_MIN = 43_200;
const LP_LOCKED_MIN = 50;
const INSIDER_MAX = 15;
const BUNDLE_MAX = 15;
const SERIAL_LAUNCHES = 20;
/** A purchase of a few US dollars moves the price of such a pool by percents. */
const LIQUIDITY_FLOOR_USD = 1_000;
/** In less time than this holders, trades and traps have not had time to show. */
const AGE_FLOOR_MIN = 3;
/** This many launches with a rug among them are a habit. */
const RECORD_LAUNCHES = 5;
const TURNOVER_MAX = 20;
const WASH_VOLUME = 100_000;
const WASH_TRADES = 50;
/** Bundles are of the first seconds; they have long sold or spread when a token is older than this. */
const BUNDLE_AGE_MIN = 10_080;

interface Rule {
  readonly id: string;
  readonly facts: readonly FactId[];
  readonly evidence: string;
  /** Null when it is not known. */
  readonly holds: (value: (fact: FactId) => number | null, subject: JudgeSubject) => boolean | null;
}

const flag =
  (fact: FactId) =>
  (value: (fact: FactId) => number | null): boolean | null => {
    const found = value(fact);
    return found === null ? null : found === 1;
  };
const rule = (id: string, fact: FactId, evidence: string): Rule => ({ id, facts: [fact], evidence, holds: flag(fact) });

/** Powers that an old EVM token's owner can have; a younger one's are a trap. */
const power = (id: string, fact: FactId, evidence: string): Rule => ({
  id,
  facts: [fact],
  evidence,
  holds(value, { is_evm, is_issuer }) {
    const found = value(fact);
    if (found !== 1 || is_issuer) return found === null ? null : false;
    const age = value("age_min");
    return !is_evm || age === null || age <= YOUNG_MIN;
  },
});

/** Of a token so thin, so new or of such a maker nothing else that is known makes up for it. */
const FLOORS: readonly Rule[] = [
  {
    id: "F1_thin",
    facts: ["liquidity_usd"],
    evidence: "its liquidity is below 1,000 US dollars",
    holds(value) {
      const liquidity = value("liquidity_usd");
      return liquidity === null ? null : liquidity < LIQUIDITY_FLOOR_USD;
    },
  },
  {
    id: "F2_too_new",
    facts: ["age_min"],
    evidence: "its first pool was younger than 3 minutes when it was read",
    holds(value) {
      const age = value("age_min");
      return age === null ? null : age < AGE_FLOOR_MIN;
    },
  },
  {
    id: "F3_creator_record",
    facts: ["prior_rug", "prior_launches"],
    evidence: "its creator rugged before and launched 5 tokens or more (or nobody counts them)",
    holds(value) {
      const rug = value("prior_rug");
      // No launch at all beside a rug is not a count either.
      return rug === null ? null : rug === 1 && (value("prior_launches") || RECORD_LAUNCHES) >= RECORD_LAUNCHES;
    },
  },
];

/** H1 to H12 (4.2): any of them is the worst verdict. */
const HARD_FAILS: readonly Rule[] = [
  power("H1_mint_authority", "mint_active", "somebody can make more of it"),
  power("H2_freeze_authority", "freeze_active", "somebody can freeze or block holders"),
  rule("H3_permanent_delegate", "permanent_delegate", "somebody can move or burn anybody's tokens"),
  rule("H4_transfers_blocked", "transfers_blocked", "it is frozen by default, paused, or cannot be transferred"),
  rule("H5_transfer_hook", "hook_live", "a program of its maker runs with every transfer"),
  {
    id: "H6_fee",
    facts: ["fee_bps"],
    evidence: "a transfer or trade loses 10 % and more (25 % on EVM chains)",
    holds(value, { is_evm }) {
      const fee = value("fee_bps");
      return fee === null ? null : fee >= (is_evm ? FEE_BPS_MAX.evm : FEE_BPS_MAX.solana);
    },
  },
  rule("H7_rugged", "rugged", "it was rugged"),
  rule("H8_sell_blocked", "sell_blocked", "a sale fails"),
  {
    id: "H8_round_trip",
    facts: ["round_trip_ratio"],
    evidence: "buying for 100 US dollars and selling again returns less than 75 %",
    holds(value) {
      const ratio = value("round_trip_ratio");
      return ratio === null ? null : ratio < ROUND_TRIP_MIN;
    },
  },
  rule("H9_owner_changes_balance", "owner_changes_balance", "its owner can change balances"),
  rule("H9_hidden_owner", "hidden_owner", "it has a hidden owner"),
  rule("H9_selfdestruct", "selfdestruct", "it can destroy itself"),
  rule("H10_counterfeit", "counterfeit", "it passes itself off as another token"),
  rule("H11_creator_flagged", "creator_flagged", "its creator or an authority is on a list of malicious addresses"),
  {
    id: "H12_source_closed",
    facts: ["source_open"],
    evidence: "nobody can read its code, and it is younger than 30 days",
    holds(value) {
      const open = value("source_open");
      const age = value("age_min");
      return open === null ? null : open === 0 && (age === null || age <= YOUNG_MIN);
    },
  },
];
const EVM_ONLY: readonly FactId[] = [
  ...(["owner_changes_balance", "hidden_owner", "selfdestruct", "source_open", "sell_blocked"] as const),
];
/** No source here screens creators on EVM chains: the scope note says so. */
const SOLANA_ONLY: readonly FactId[] = [
  ...([
    "permanent_delegate",
    "transfers_blocked",
    "hook_live",
    "rugged",
    "round_trip_ratio",
    "creator_flagged",
  ] as const),
];

/** Each alone caps the verdict, two are the worst one (amendments 3.6). An unknown input caps as well. */
const CAPS: readonly Rule[] = [
  {
    id: "lp_unlocked",
    facts: ["lp_locked_pct", "on_curve"],
    evidence: "half of the pool or more can be withdrawn",
    holds(value) {
      if (value("on_curve") === 1) return false;
      const locked = value("lp_locked_pct");
      return locked === null ? null : locked < LP_LOCKED_MIN;
    },
  },
  {
    id: "insiders",
    facts: ["insider_pct"],
    evidence: "15 % and more are in the hands of insiders",
    holds(value, { is_evm }) {
      const held = value("insider_pct");
      return is_evm ? false : held === null ? null : held >= INSIDER_MAX;
    },
  },
  {
    id: "bundled_launch",
    facts: ["bundle_pct", "age_min"],
    evidence: "15 % and more were bought in the first two slots",
    holds(value, { is_evm }) {
      const [bought, age] = [value("bundle_pct"), value("age_min")];
      if (is_evm || (bought === null && age !== null && age > BUNDLE_AGE_MIN)) return false;
      return bought === null ? null : bought >= BUNDLE_MAX;
    },
  },
  {
    id: "serial_launcher",
    facts: ["prior_rug", "prior_launches"],
    evidence: "its creator rugged before, or launched 20 tokens and more",
    holds(value) {
      const [rug, launches] = [value("prior_rug"), value("prior_launches")];
      if (rug === 1 || (launches !== null && launches >= SERIAL_LAUNCHES)) return true;
      return rug === null && launches === null ? null : false;
    },
  },
  {
    id: "wash_trading",
    facts: ["volume_h24_usd", "liquidity_usd", "trades_h24"],
    evidence: "its volume is more than 20 times its liquidity, or made of few trades",
    holds(value) {
      const [volume, liquidity, trades] = [value("volume_h24_usd"), value("liquidity_usd"), value("trades_h24")];
      if (volume === null || liquidity === null) return null;
      return volume > TURNOVER_MAX * liquidity || (volume > WASH_VOLUME && trades !== null && trades < WASH_TRADES);
    },
  },
  {
    id: "upgradable_proxy",
    facts: ["upgradable"],
    evidence: "somebody can exchange its code",
    holds(value, { is_evm }) {
      const found = value("upgradable");
      return is_evm ? (found === null ? null : found === 1) : false;
    },
  },
  {
    id: "owner_powers",
    facts: ["mint_active", "freeze_active", "owner_active"],
    evidence: "its owner can mint, pause or block",
    holds(value, { is_evm }) {
      const powers = [value("mint_active"), value("freeze_active")];
      if (!is_evm || powers.every((one) => one === 0)) return false;
      return powers.some((one) => one === 1) ? true : null;
    },
  },
  {
    id: "renounced_powers",
    facts: ["powers_disputed"],
    evidence: "a source says that its owner can mint, pause or block, the chain that nobody owns it",
    holds: (value, { is_evm }) => is_evm && value("powers_disputed") === 1,
  },
];

export interface Findings {
  readonly found: readonly RiskFinding[];
  /** Rules without inputs from any source. */
  readonly unknown: readonly string[];
  /** Rules that were asked. */
  readonly asked: number;
}

const NO_FINDINGS: Findings = { found: [], unknown: [], asked: 0 };

function find(rules: readonly Rule[], facts: TokenFacts, subject: JudgeSubject): Findings {
  const value = (fact: FactId): number | null => facts[fact].value;
  const found: RiskFinding[] = [];
  const unknown: string[] = [];
  for (const { id, facts: needs, evidence, holds } of rules) {
    const answer = holds(value, subject);
    if (answer === true)
      found.push({ id, evidence, sources: [...new Set(needs.flatMap((fact) => facts[fact].sources))] });
    // A remembered finding can condemn a token, but not clear it.
    else if (answer === null || (needs[0] !== undefined && !isSettled(needs, facts))) unknown.push(id);
  }
  return { found, unknown, asked: rules.length };
}

/** Whether a source says it now: any of the facts that can decide a rule. */
const isSettled = (needs: readonly FactId[], facts: TokenFacts): boolean =>
  needs.some((fact) => facts[fact].is_known) || needs.every((fact) => facts[fact].value === null);

export function findHardFails(facts: TokenFacts, subject: JudgeSubject): Findings {
  const absent = subject.is_evm ? SOLANA_ONLY : EVM_ONLY;
  return find(
    HARD_FAILS.filter(({ facts: [first] }) => first === undefined || !absent.includes(first)),
    facts,
    subject,
  );
}

/** F1 to F3: each alone is the worst verdict. An issuer's own token has no floor. */
export const findFloors = (facts: TokenFacts, subject: JudgeSubject): Findings =>
  subject.is_issuer ? NO_FINDINGS : find(FLOORS, facts, subject);

/** An issuer's own pools, powers and proxies are named as such and cap nothing. */
export const findCaps = (facts: TokenFacts, subject: JudgeSubject): Findings =>
  subject.is_issuer ? NO_FINDINGS : find(CAPS, facts, subject);
