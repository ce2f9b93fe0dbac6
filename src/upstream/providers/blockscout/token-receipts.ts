import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import type { HistoryChain } from "./address-history.ts";
import { blockscout } from "./provider.ts";

/** One transfer of a token to an address, as the explorer lists it. */
export interface TokenReceipt {
  readonly at_ms: number;
  /** Lower case. */
  readonly from: string;
  /** In the token's smallest unit. */
  readonly value: bigint;
}

/** Transfers on a page of the explorer: a whole page may be one of several. */
export const RECEIPTS_PAGE = 50;

const Address = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const Transfer = Type.Object({
  timestamp: Type.String({ maxLength: 40 }),
  from: Type.Object({ hash: Address }),
  to: Type.Object({ hash: Address }),
  token: Type.Object({ address_hash: Address }),
  total: Type.Object({ value: Type.String({ pattern: "^[0-9]{1,78}$" }) }),
});
const Page = Type.Object({ items: Whole("sum", Transfer, { maxItems: 500 }) });
const TTL_MS = 60_000;

export interface TokenReceiptsRequest {
  readonly chain: HistoryChain;
  readonly address: string;
  /** Contract of the token. */
  readonly token: string;
}

function readPage(
  { items }: Static<typeof Page>,
  { address, token }: TokenReceiptsRequest,
  now_ms: number,
): readonly TokenReceipt[] | Unusable {
  const is = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  // A token that only calls itself by the same name, or a transfer the other way, was not asked for.
  const asked = items.every(({ to, token: moved }) => is(to.hash, address) && is(moved.address_hash, token));
  if (!asked) return unusable("a transfer is of another token, or to another address");
  const read = items.map(({ timestamp, from, total }) => ({
    at_ms: Date.parse(timestamp),
    from: from.hash.toLowerCase(),
    value: BigInt(total.value),
  }));
  const is_dated = read.every(({ at_ms }) => at_ms > 0 && at_ms <= now_ms + CLOCK_SKEW_MAX_MS);
  return is_dated ? read : unusable("a transfer is not dated, or lies in the future");
}

/**
 * Up to 50 transfers of a token to an address, the newest ones; none where it never got any.
 * @throws UpstreamError
 */
export function fetchTokenReceipts(
  context: Pick<FetchContext, "get" | "now_ms">,
  request: TokenReceiptsRequest,
): Promise<readonly TokenReceipt[]> {
  const { chain, address, token } = request;
  return context.get(blockscout, {
    host: chain,
    path: `/addresses/${address}/token-transfers?type=ERC-20&filter=to&token=${token}`,
    schema: Page,
    ttl_ms: TTL_MS,
    read: (page) => readPage(page, request, context.now_ms),
  });
}
