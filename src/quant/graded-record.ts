import { getWilsonInterval } from "./intervals.ts";

/** Below it a share of hits says next to nothing. */
export const SAMPLE_MIN = 30;

export const DOUBTS = [
  "sample_too_small",
  "worse_than_a_coin",
  "not_told_apart_from_a_coin",
  "loses_after_costs",
] as const;
export type RecordDoubt = (typeof DOUBTS)[number];

/** How many graded signals there are, how many hit, and what they made on average after costs, if that is known. */
export interface GradedRecord {
  readonly n: number;
  readonly wins: number;
  readonly mean_net_bps: number | null;
}

/** What speaks against following signals of such a record; null when they beat a coin and gained after costs. */
export function findDoubt({ n, wins, mean_net_bps }: GradedRecord): RecordDoubt | null {
  const hits = getWilsonInterval(wins, n);
  if (n < SAMPLE_MIN || hits === null) return "sample_too_small";
  if (hits.high < 0.5) return "worse_than_a_coin";
  if (hits.low <= 0.5) return "not_told_apart_from_a_coin";
  return mean_net_bps !== null && mean_net_bps <= 0 ? "loses_after_costs" : null;
}

const WORDS: Readonly<Record<RecordDoubt, string>> = {
  sample_too_small: "too few to say anything",
  worse_than_a_coin: "worse than a coin",
  loses_after_costs: "they lost after costs",
  not_told_apart_from_a_coin: "not told apart from a coin",
};

/**
 * A record that speaks against its signals, in words; null where it does not.
 * @param what "short signals of this model": what was graded.
 */
export function describeDoubt(what: string, record: GradedRecord): string | null {
  const doubt = findDoubt(record);
  if (doubt === null) return null;
  const mean =
    record.mean_net_bps === null ? "" : `, on average ${record.mean_net_bps.toFixed(1)} bps each after costs`;
  return `${record.n} ${what} are graded${mean}: ${WORDS[doubt]}`;
}
