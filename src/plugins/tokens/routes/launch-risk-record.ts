import { defineFreeRoute, type FreeContext } from "intel-node";
import { GRADES_CHAIN, HORIZONS_D, OUTCOMES, VERDICTS_CHAIN, verdictGrades } from "../calibration/verdict-records.ts";
import { VERDICTS } from "../judge/judge.ts";

/** Before this many grades nothing is said of how good the verdicts are. */
const CLAIM_MIN = 100;

/** How verdicts on launches came out: counted from the table of grades, provable by the heads of both chains. */
export async function answerRecord({ table, records }: FreeContext): Promise<object> {
  const grades = table(verdictGrades);
  const count = (verdict: string, horizon_d: number, outcome: string) => grades.count({ verdict, horizon_d, outcome });
  const rows = await Promise.all(
    VERDICTS.flatMap((verdict) =>
      HORIZONS_D.map(async (horizon_d) => {
        const counts = await Promise.all(OUTCOMES.map((outcome) => count(verdict, horizon_d, outcome)));
        const [rugged = 0, fell = 0, held = 0, missed = 0] = counts;
        const graded = rugged + fell + held;
        const rugged_share = graded === 0 ? null : Number((rugged / graded).toFixed(4));
        return { verdict, horizon_d, graded, rugged, fell, held, missed, rugged_share };
      }),
    ),
  );
  const graded = rows.reduce((sum, row) => sum + row.graded, 0);
  const [verdicts, outcomes] = await Promise.all([records.head(VERDICTS_CHAIN), records.head(GRADES_CHAIN)]);
  return {
    rows,
    graded,
    claim:
      graded < CLAIM_MIN
        ? `none: ${graded} grades of the ${CLAIM_MIN} without which nothing is said of how good the verdicts are`
        : "AVOID is right where the token was rugged, SIZE where it was not; WATCH is no claim",
    rules: {
      rugged: "no pool left, less than 1,000 US dollars of liquidity, or a tenth of the price and less",
      fell: "half of the price and less",
      held: "neither",
      missed: "nobody said a price within a day of the date; not counted",
    },
    chains: { [VERDICTS_CHAIN]: verdicts, [GRADES_CHAIN]: outcomes },
  };
}

export const route = defineFreeRoute({
  path: "/launch-risk-record",
  summary: "What became of launches after each verdict, 1, 7 and 30 days later",
  ttl: "5m",
  answer: answerRecord,
});
