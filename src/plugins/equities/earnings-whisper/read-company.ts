import { daysBetween, renderTime } from "intel-node";
import { getSUE, hourOf, listResults } from "../companies/earnings.ts";
import { createFactBase } from "../facts/fact-base.ts";
import { listQuarters } from "../facts/periods.ts";
import type { EdgarFact } from "../facts/scan-facts.ts";
import type { Filing } from "../providers/sec/submissions.ts";
import type { EarningsQuarter } from "./schema.ts";

/** Quarters follow each other: a gap ends the run, so that no season is compared with another one. */
const QUARTER_DAYS = { min: 80, max: 105 };
/** Results are filed within this many days of the quarter's end. */
const FILED_DAYS = 80;

function findResult(results: readonly Filing[], period_end: string): Filing | undefined {
  return results.findLast(({ filed }) => {
    const days = daysBetween(period_end, filed);
    return days > 0 && days <= FILED_DAYS;
  });
}

/** Earnings per share by quarter, oldest first, with what the model expected of each before it was known. */
export function readEarnings(
  { facts, filings }: { readonly facts: readonly EdgarFact[]; readonly filings: readonly Filing[] },
  known_at: string,
): readonly EarningsQuarter[] {
  const all = listQuarters(createFactBase(facts, known_at), "eps_diluted");
  let first = all.length - 1;
  for (; first > 0; first -= 1) {
    const days = daysBetween(all[first - 1]?.end ?? "", all[first]?.end ?? "");
    if (!(days >= QUARTER_DAYS.min && days <= QUARTER_DAYS.max)) break;
  }
  const run = all.slice(Math.max(0, first));
  const results = listResults(filings);
  return run.map(({ end, value, derived }, index): EarningsQuarter => {
    const judged = getSUE(run.slice(0, index + 1).map((quarter) => quarter.value));
    const result = findResult(results, end);
    return {
      period_end: end,
      eps: value,
      derived,
      model_expected: judged?.expected ?? null,
      sue: judged?.sue ?? null,
      accepted_at: result ? renderTime(result.accepted_ms) : null,
      hour: result ? hourOf(result.accepted_ms) : null,
      url: result?.url ?? null,
    };
  });
}
