import { type Draft, missing } from "intel-node";
import type { YieldHistory } from "./fetch.ts";
import type { DefiYieldData } from "./schema.ts";

type Row = DefiYieldData["pools"][number];

/** A row and what it was made of. */
export interface Described {
  readonly history: YieldHistory;
  readonly row: Row;
}

const listOf = (names: readonly string[]): string => [...new Set(names)].toSorted().join(", ");
const UNREAD = "the contract did not say";

/** A row as it is sold: with the reason for each figure that is missing. */
export function explainRow({ history: { reader }, row }: Described): Draft<Row> {
  const { rewards, underlying, locked, locked_usd } = row;
  const unrewarded =
    reader.pays_elsewhere === undefined
      ? "the contract of its rewards did not say"
      : `what ${row.project} (${reader.pays_elsewhere}) pays beside the base is in no contract of the protocol`;
  const whatLacksPrice = ({ symbol, token }: NonNullable<Row["rewards"]>[number]): string =>
    locked_usd === null ? underlying : (symbol ?? token);
  const unpriced = (rewards ?? []).flatMap((one) => (one.apr_pct === null ? [whatLacksPrice(one)] : []));
  const no_sum = missing(rewards === null ? unrewarded : `no price of ${listOf(unpriced)}`);
  const no_samples = missing("this node has too few samples of it");
  return {
    ...row,
    // Of a reader that takes seven days it is never stated.
    base_apy_1d_pct: row.base_apy_1d_pct ?? (reader.days_min === 7 ? null : no_samples),
    base_apy_7d_pct: row.base_apy_7d_pct ?? no_samples,
    base_apy_30d_pct: row.base_apy_30d_pct ?? no_samples,
    reward_apr_pct: row.reward_apr_pct ?? no_sum,
    total_pct: row.total_pct ?? no_sum,
    rewards:
      rewards?.map((one) => ({
        ...one,
        symbol: one.symbol ?? missing("this node does not know the token"),
        apr_pct: one.apr_pct ?? missing(`no price of ${whatLacksPrice(one)}`),
      })) ?? missing(unrewarded),
    locked: locked ?? missing(UNREAD),
    locked_usd: locked_usd ?? missing(locked === null ? UNREAD : `no price of ${underlying}`),
    is_paused: row.is_paused ?? missing(UNREAD),
  };
}
