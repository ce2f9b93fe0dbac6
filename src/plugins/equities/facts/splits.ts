import type { EdgarFact } from "./scan-facts.ts";

/** A split of the shares as filings show it. */
export interface ShareSplit {
  /** The first filing that restates a period's earnings and shares for it. */
  readonly filed: string;
  /** Shares after it for each one before: 10 for ten to one, 0.05 for a reverse split of one for twenty. */
  readonly factor: number;
}

/** Below this it can be a stock dividend, or a recount of shares. */
const FACTOR_MIN = 1.3;
/** Shares are reported in thousands or millions, earnings per share in cents. */
const [SHARES_TOLERANCE, EPS_TOLERANCE, CENT_HALF] = [0.005, 0.02, 0.005];

/** A quotient as a ratio of small whole numbers; null when it is not one. */
function snap(quotient: number): number | null {
  if (quotient < 1) {
    const reverse = snap(1 / quotient);
    return reverse === null ? null : 1 / reverse;
  }
  for (const divisor of [1, 2, 3]) {
    const ratio = Math.round(quotient * divisor) / divisor;
    if (Math.abs(quotient / ratio - 1) <= SHARES_TOLERANCE) return ratio >= FACTOR_MIN ? ratio : null;
  }
  return null;
}

const isPerShare = ({ unit }: EdgarFact): boolean => unit.endsWith("/shares");
const byFiling = (facts: readonly EdgarFact[]): readonly EdgarFact[] =>
  facts.toSorted((a, b) => (a.filed < b.filed ? -1 : a.filed > b.filed ? 1 : 0));

interface Pair {
  readonly older: EdgarFact;
  readonly newer: EdgarFact;
  readonly factor: number;
}

/**
 * Splits, oldest first. One is known for certain when a later filing states for the same period earnings per share and
 * shares whose changes cancel out, by a ratio of small whole numbers; a restatement of earnings alone does not count.
 */
export function findSplits(facts: readonly EdgarFact[]): readonly ShareSplit[] {
  const averages = facts.filter(({ unit, start }) => unit === "shares" && start !== null);
  const shares = new Map(averages.map((fact) => [`${fact.start} ${fact.end} ${fact.accession}`, fact.value]));
  const periods = Map.groupBy(
    facts.filter(isPerShare),
    ({ tag, unit, start, end }) => `${tag} ${unit} ${start} ${end}`,
  );
  const pairs = [...periods.values()].flatMap((versions): Pair[] => {
    const order = byFiling(versions);
    return order.slice(1).flatMap((newer, index) => {
      const older = order[index];
      const [before, after] = [older, newer].map((one) => shares.get(`${one?.start} ${one?.end} ${one?.accession}`));
      if (!older || !before || !after || older.value * newer.value <= 0) return [];
      const factor = snap(after / before);
      if (factor === null) return [];
      const rounding = CENT_HALF / Math.min(Math.abs(older.value), Math.abs(newer.value));
      const cancels = Math.abs(older.value / newer.value / factor - 1) <= EPS_TOLERANCE + rounding;
      return cancels ? [{ older, newer, factor }] : [];
    });
  });
  const splits: ShareSplit[] = [];
  for (const { older, newer, factor } of pairs.toSorted((a, b) => (a.newer.filed < b.newer.filed ? -1 : 1))) {
    // The same split shows in each restated period.
    const is_known = splits.some((one) => one.factor === factor && one.filed > older.filed && one.filed <= newer.filed);
    if (!is_known) splits.push({ filed: newer.filed, factor });
  }
  return splits;
}

/** Facts in today's shares: what was filed before a split is divided or multiplied by it, once. */
export function adjustForSplits(
  facts: readonly EdgarFact[],
  splits: readonly ShareSplit[],
): readonly (EdgarFact & { readonly is_adjusted?: boolean })[] {
  if (splits.length === 0) return facts;
  return facts.map((fact) => {
    if (fact.unit !== "shares" && !isPerShare(fact)) return fact;
    const factor = splits.reduce((product, one) => (one.filed > fact.filed ? product * one.factor : product), 1);
    if (factor === 1) return fact;
    return { ...fact, is_adjusted: true, value: isPerShare(fact) ? fact.value / factor : fact.value * factor };
  });
}

/** What an answer says of a split it reckoned with. */
export const describeSplit = ({ filed, factor }: ShareSplit): string =>
  `per-share figures and shares before it are adjusted for a split of ${
    factor >= 1 ? `${Number(factor.toFixed(2))} to 1` : `1 for ${Number((1 / factor).toFixed(2))}`
  }, shown by filings since ${filed}`;
