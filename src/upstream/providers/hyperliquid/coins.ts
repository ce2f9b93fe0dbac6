import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { hyperliquid } from "./provider.ts";

const COINS_MAX = 2_000;
/** Listings change every few weeks. */
const TTL_MS = 3_600_000;

const Answer = Type.Tuple([
  Type.Object({
    universe: Type.Array(Type.Object({ name: Type.String(), isDelisted: Type.Optional(Type.Boolean()) }), {
      minItems: 1,
      maxItems: COINS_MAX,
    }),
  }),
  Type.Array(Type.Unknown(), { maxItems: COINS_MAX }),
]);

/**
 * The coins that trade there, under the venue's own names.
 * @throws UpstreamError
 */
export function fetchHyperliquidCoins(context: Pick<FetchContext, "get">): Promise<ReadonlySet<string>> {
  return context.get(hyperliquid, {
    path: "/info",
    body: { type: "metaAndAssetCtxs" },
    schema: Answer,
    ttl_ms: TTL_MS,
    read: ([{ universe }]) => new Set(universe.flatMap(({ name, isDelisted }) => (isDelisted === true ? [] : [name]))),
  });
}
