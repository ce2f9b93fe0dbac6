import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { compileSchema } from "../../../core/compile-schema.ts";
import { kraken } from "./provider.ts";

const PAIRS_MAX = 20_000;
/** Listings change every few weeks; a pair that is taken off is "not found" until then. */
const TTL_MS = 6 * 3_600_000;
/** Some 1,500 pairs with their fees. */
const BYTES_MAX = 8_000_000;

const Answer = Type.Object({
  error: Whole("one", Type.String(), { maxItems: 0 }),
  result: Type.Record(Type.String(), Type.Unknown(), { minProperties: 1, maxProperties: PAIRS_MAX }),
});
/** Dark pools (".d") and pairs without a name for people have none that fits. */
const Row = compileSchema(
  Type.Object({ wsname: Type.String({ pattern: "^[A-Z0-9]{2,10}/[A-Z0-9]{2,10}$" }), status: Type.String() }),
);

/**
 * The spot pairs that can be traded there now, as "EUR/GBP"; Bitcoin is XBT. A row that cannot be read is no pair.
 * @throws UpstreamError
 */
export function fetchKrakenListed(context: Pick<FetchContext, "get">): Promise<ReadonlySet<string>> {
  return context.get(kraken, {
    path: "/0/public/AssetPairs",
    schema: Answer,
    ttl_ms: TTL_MS,
    body_bytes_max: BYTES_MAX,
    read({ result }) {
      const rows = Object.values(result).filter((row) => Row.Check(row));
      const online = rows.flatMap((row) => (row.status === "online" ? [row.wsname] : []));
      return online.length > 0 ? new Set(online) : unusable("it lists no pair");
    },
  });
}
