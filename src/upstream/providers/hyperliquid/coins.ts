import type { FetchContext } from "../../../catalog/context.ts";
import { isUnusable } from "../../../catalog/unusable.ts";
import { Listed, readListed } from "./listed.ts";
import { hyperliquid } from "./provider.ts";

/** Listings change every few weeks. */
const TTL_MS = 3_600_000;

/**
 * The coins that trade there, under the venue's own names.
 * @throws UpstreamError
 */
export function fetchHyperliquidCoins(context: Pick<FetchContext, "get">): Promise<ReadonlySet<string>> {
  return context.get(hyperliquid, {
    path: "/info",
    body: { type: "metaAndAssetCtxs" },
    schema: Listed,
    ttl_ms: TTL_MS,
    read(answer, _, eachRow) {
      const coins = readListed(answer, eachRow);
      if (isUnusable(coins)) return coins;
      return new Set(coins.flatMap(({ name, is_delisted }) => (is_delisted ? [] : [name])));
    },
  });
}
