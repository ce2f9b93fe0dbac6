import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { type FearGreedReading, findReadingFault } from "../fear-greed-reading.ts";
import { coinmarketcap } from "./provider.ts";

/** Calls cost credits of a monthly budget. */
const TTL_MS = 600_000;

/** Numbers come as numbers or as strings. */
const Whole = Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.String({ pattern: "^(100|[1-9]?[0-9])$" })]);

const Answer = Type.Object({
  data: Type.Object({
    value: Whole,
    value_classification: Type.String({ minLength: 1, maxLength: 40 }),
    update_time: Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}Z$" }),
  }),
});

/**
 * CoinMarketCap's own fear and greed index, which is another index than Alternative.me's: the latest value only. One
 * older than 48 h is refused.
 * @throws UpstreamError
 */
export function fetchCoinmarketcapIndex(context: Pick<FetchContext, "get" | "now_ms">): Promise<FearGreedReading> {
  return context.get(coinmarketcap, {
    path: "/v3/fear-and-greed/latest",
    schema: Answer,
    ttl_ms: TTL_MS,
    read({ data }) {
      const row = {
        value: Number(data.value),
        classification: data.value_classification,
        at_ms: Date.parse(data.update_time),
      };
      const reading = { rows: [row], next_update_at_ms: null };
      return findReadingFault(reading, context.now_ms) ?? reading;
    },
  });
}
