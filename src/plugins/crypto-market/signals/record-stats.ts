import { type Static, Type } from "@sinclair/typebox";
import { closed, type Draft, missing, nullable, oneOf } from "intel-node";
import { DOUBTS, describeDoubt, findDoubt, type GradedRecord } from "intel-node/quant/graded-record";
import { type Graded, summarise } from "./performance.ts";

const SIDES = ["long", "short"] as const;

const share = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1, decimals: 4 }), description);

/** Beside whatever figures `findDoubt` reads. */
export const doubtField = nullable(
  oneOf(DOUBTS, "One of the four."),
  "What speaks against following such signals: sample_too_small below 30; worse_than_a_coin and " +
    "not_told_apart_from_a_coin by the interval of win_rate; loses_after_costs by mean_net_bps. Null when none does.",
);

const Figures = {
  n_scored: Type.Integer({ minimum: 0, description: "Signals graded so far." }),
  win_rate: share("Share of hits; null below 30 graded signals."),
  lo95: share("Wilson 95 % interval of win_rate, low end; as if no two signals overlapped. Null likewise."),
  hi95: share("High end; null likewise."),
  mean_net_bps: nullable(
    Type.Number({ decimals: 2 }),
    "Mean result after costs, basis points a signal; null without one.",
  ),
  warning: doubtField,
};

export const RecordStats = Type.Object(
  {
    ...Figures,
    by_side: Type.Array(Type.Object({ side: oneOf(SIDES, "long or short."), ...Figures }, closed), {
      description: "The same of its long and of its short signals.",
    }),
  },
  { ...closed, description: "The model's record on this node; /win-rate-verified has all of it." },
);
export type RecordStatsData = Static<typeof RecordStats>;

const recordOf = (graded: readonly Graded[]): GradedRecord => {
  const { n, wins, mean_net_bps } = summarise(graded);
  return { n, wins, mean_net_bps };
};

function describeFigures(graded: readonly Graded[]) {
  const { n, win_rate, lo95, hi95, mean_net_bps } = summarise(graded);
  const warning = findDoubt(recordOf(graded));
  const few = missing(n === 0 ? "no such signal was graded yet" : "fewer than 30 such signals were graded yet");
  const is_small = warning === "sample_too_small";
  return {
    n_scored: n,
    win_rate: is_small ? few : win_rate,
    lo95: is_small ? few : lo95,
    hi95: is_small ? few : hi95,
    mean_net_bps: mean_net_bps ?? few,
    warning,
  };
}

/** How graded signals did, all of them and each side alone. */
export const computeRecordStats = (graded: readonly Graded[]): Draft<RecordStatsData> => ({
  ...describeFigures(graded),
  by_side: SIDES.map((side) => ({ side, ...describeFigures(graded.filter((one) => one.side === side)) })),
});

/** Doubts of the record about the signals shown in `field`, one sentence for each side shown. */
export function warnOfRecord(
  field: string,
  shown: readonly { readonly side: string }[],
  graded: readonly Graded[],
): readonly string[] {
  return SIDES.flatMap((side) => {
    if (!shown.some((signal) => signal.side === side)) return [];
    const told = describeDoubt(`${side} signals of this model`, recordOf(graded.filter((one) => one.side === side)));
    return told === null ? [] : [`${field}: ${told}`];
  });
}
