import { type Computed, NodeError } from "intel-node";
import { BLOCK_LABELS, describeScreens } from "../screens/screens.ts";
import { totalOf } from "../wallet-scan/compute.ts";
import { countCounterparties } from "../wallets/wallet.ts";
import type { CreditInputs } from "./fetch.ts";
import { type CreditFacts, scoreParts } from "./parts.ts";
import type { CreditData, CreditPart } from "./schema.ts";

const DAY_MS = 86_400_000;
const MAX = 900;
const SCOPE_NOTE =
  "A score of a wallet's behaviour on public chains. No consumer credit report: it knows no person, no income and no " +
  "other wallet of its owner.";
const LIMITS = [
  [300, "very_poor"],
  [450, "poor"],
  [600, "fair"],
  [750, "good"],
] as const;

function factsOf({ wallet, health, settled }: CreditInputs): CreditFacts {
  const { profile, read_at_ms } = wallet;
  const { first_seen_ms, transactions } = profile;
  return {
    age_days: first_seen_ms === null ? null : (read_at_ms - first_seen_ms) / DAY_MS,
    active_months: profile.active_months,
    tx_count: profile.tx_count,
    balance_usd: totalOf(profile.holdings),
    counterparties: transactions === null ? null : countCounterparties(profile).length,
    health,
    settled,
  };
}

interface Overridden {
  readonly score: number;
  readonly overrides: readonly string[];
  readonly is_blocked: boolean;
  readonly is_provisional: boolean;
}

/** Caps and penalties. One whose input is not known applies in full, so that silence never raises a score. */
function override(sum: number, inputs: CreditInputs, facts: CreditFacts): Overridden {
  const { screens } = inputs.wallet;
  const described = describeScreens(screens);
  const statusOf = (id: string) => described.find((one) => one.id === id)?.status ?? "unknown";
  const blocked = ["S1", "S2", "S6"].filter((id) => statusOf(id) === "hit");
  const is_provisional = ["S1", "S2", "S6"].some((id) => statusOf(id) === "unknown");
  if (blocked.length > 0) {
    return { score: 0, overrides: [`0: ${blocked.join(", ")} is a hit`], is_blocked: true, is_provisional };
  }
  const overrides: string[] = [];
  let score = sum;
  const cap = (most: number, why: string) => {
    overrides.push(`at most ${most}: ${why}`);
    score = Math.min(score, most);
  };
  const labels = screens.labels;
  const is_evm = screens.flags !== null;
  if (is_evm && (labels === null || labels.includes("mixer"))) {
    overrides.push(`-200: ${labels === null ? "mixer exposure is not known" : "mixer"}`);
    score = Math.max(0, score - 200);
  }
  const bad = (labels ?? []).filter((label) => BLOCK_LABELS.includes(label));
  if (bad.length > 0) cap(150, bad.join(", "));
  if (facts.age_days === null) cap(450, "the age is not known");
  else if (facts.age_days < 30) cap(450, "younger than 30 days");
  // The best band needs every major factor and screen known.
  const is_open = is_provisional || (is_evm && labels === null) || facts.balance_usd === null;
  if (is_open) cap(749, "a screen or the balance is not known");
  return { score, overrides, is_blocked: false, is_provisional };
}

const bandOf = (score: number): CreditData["band"] => LIMITS.find(([below]) => score < below)?.[1] ?? "excellent";
const sumOf = (parts: readonly CreditPart[], of: (part: CreditPart) => number): number =>
  parts.reduce((sum, one) => sum + of(one), 0);

/** @throws NodeError upstream_unavailable when nothing of the wallet's past is known. */
export function computeCredit(inputs: CreditInputs): Computed<CreditData> {
  const { profile, screens } = inputs.wallet;
  const facts = factsOf(inputs);
  if (facts.age_days === null && facts.tx_count === null) {
    throw new NodeError("upstream_unavailable", "Nothing of the wallet's past could be read.");
  }
  const parts = scoreParts(facts);
  const sum = sumOf(parts, ({ points }) => points ?? 0);
  const known = sumOf(parts, ({ points, max }) => (points === null ? 0 : max));
  const { score, overrides, is_blocked, is_provisional } = override(sum, inputs, facts);
  const rounded = Math.round(score);
  const described = describeScreens(screens);
  return {
    as_of_ms: profile.read_at_ms,
    data: {
      address: profile.address,
      score: rounded,
      score_ceiling: is_blocked ? 0 : Math.max(rounded, Math.round(sum + MAX - known)),
      coverage: known / MAX,
      band: is_blocked ? "blocked" : bandOf(rounded),
      is_provisional,
      parts: [...parts],
      overrides: [...overrides],
      screens: [...described],
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...parts.filter(({ points }) => points === null).map(({ id, evidence }) => `parts.${id}.points: ${evidence}`),
      ...described.filter(({ status }) => status === "unknown").map(({ id, detail }) => `screens.${id}: ${detail}`),
    ],
  };
}
