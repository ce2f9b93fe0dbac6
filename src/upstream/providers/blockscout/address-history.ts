import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { blockscout } from "./provider.ts";

/** Chains with an explorer that is asked for an address' past. */
export const HISTORY_CHAINS = ["ethereum", "base"] as const;
export type HistoryChain = (typeof HISTORY_CHAINS)[number];

/** One transaction of an address, as the explorer lists it. */
export interface AddressTransaction {
  readonly hash: string;
  readonly at_ms: number;
  /** Lower case. */
  readonly from: string;
  /** Lower case; null where a contract was made. */
  readonly to: string | null;
  readonly value_wei: bigint;
}

const Party = Type.Object({ hash: Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" }) });
const Transaction = Type.Object({
  hash: Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" }),
  timestamp: Type.String({ maxLength: 40 }),
  from: Party,
  to: Type.Optional(Type.Union([Party, Type.Null()])),
  value: Type.String({ pattern: "^[0-9]{1,40}$" }),
});
const Page = Type.Object({ items: Whole("series", Transaction, { maxItems: 500 }) });
const TTL_MS = 60_000;

function readPage({ items }: Static<typeof Page>, now_ms: number): readonly AddressTransaction[] | Unusable {
  const read = items.map(({ hash, timestamp, from, to, value }) => ({
    hash,
    at_ms: Date.parse(timestamp),
    from: from.hash.toLowerCase(),
    to: to?.hash.toLowerCase() ?? null,
    value_wei: BigInt(value),
  }));
  const is_dated = read.every(({ at_ms }) => at_ms > 0 && at_ms <= now_ms + CLOCK_SKEW_MAX_MS);
  return is_dated ? read : unusable("a transaction is not dated, or lies in the future");
}

/**
 * Up to 50 transactions of an address, the newest or the oldest ones; none for an address without a past.
 * @throws UpstreamError
 */
export function fetchAddressTransactions(
  context: Pick<FetchContext, "get" | "now_ms">,
  { chain, address, order }: { readonly chain: HistoryChain; readonly address: string; readonly order: "asc" | "desc" },
): Promise<readonly AddressTransaction[]> {
  return context.get(blockscout, {
    host: chain,
    path: `/addresses/${address}/transactions?sort=block_number&order=${order}`,
    schema: Page,
    ttl_ms: TTL_MS,
    read: (page) => readPage(page, context.now_ms),
  });
}
