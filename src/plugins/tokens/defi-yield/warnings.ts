import type { YieldHistory } from "./fetch.ts";
import type { DefiYieldData } from "./schema.ts";

/** A row and what it was made of. */
export interface Described {
  readonly history: YieldHistory;
  readonly row: DefiYieldData["pools"][number];
}

const listOf = (names: readonly string[]): string => [...new Set(names)].toSorted().join(", ");

/** Why rewards and values of these rows are null, a line for each reason. */
export function listNulls(shown: readonly Described[]): readonly string[] {
  const elsewhere = shown.filter(({ history: { reader } }) => reader.pays_elsewhere !== undefined);
  const silent = shown.filter(
    ({ history, row }) => row.rewards === null && !elsewhere.some((one) => one.history === history),
  );
  const unpriced = shown.flatMap(({ row: { rewards, underlying, locked_usd } }) =>
    (rewards ?? []).flatMap(({ apr_pct, symbol, token }) =>
      apr_pct !== null ? [] : locked_usd === null ? underlying : (symbol ?? token),
    ),
  );
  const unread = shown.filter(({ row }) => row.locked === null);
  const unvalued = shown.filter(({ row }) => row.locked !== null && row.locked_usd === null);
  const line = (field: string, names: readonly string[], reason: string) =>
    names.length === 0 ? [] : [`${field}: null for ${listOf(names)}: ${reason}`];
  return [
    ...line(
      "pools.reward_apr_pct",
      elsewhere.map(({ history: { reader } }) => `${reader.project} (${reader.pays_elsewhere})`),
      "what is paid beside the base is in no contract of the protocol",
    ),
    ...line(
      "pools.reward_apr_pct",
      silent.map(({ row }) => row.pool_id),
      "the contract of its rewards did not say",
    ),
    ...(unpriced.length === 0 ? [] : [`pools.rewards.apr_pct: no price of ${listOf(unpriced)}`]),
    ...line(
      "pools.locked",
      unread.map(({ row }) => row.pool_id),
      "the contract did not say",
    ),
    ...(unvalued.length === 0
      ? []
      : [`pools.locked_usd: no price of ${listOf(unvalued.map(({ row }) => row.underlying))}`]),
    "pools.total_pct: campaigns that no contract of a protocol knows, such as Merkl's, are not in it",
  ];
}
