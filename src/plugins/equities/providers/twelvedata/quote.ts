import { Type } from "@sinclair/typebox";
import { type FetchContext, unusable } from "intel-node";
import { readVendorNumber, toMajorUnit, type VendorQuote } from "../../vendors/vendor-quote.ts";
import { twelvedata } from "./provider.ts";

const Figure = Type.Union([Type.String({ maxLength: 30 }), Type.Null()]);
const Answer = Type.Object({
  /** The name is only shown: of any length, and cut. */
  symbol: Type.String(),
  name: Type.Optional(Type.String()),
  currency: Type.String(),
  close: Figure,
  open: Figure,
  high: Figure,
  low: Figure,
  previous_close: Figure,
  volume: Type.Optional(Figure),
  last_quote_at: Type.Integer({ minimum: 1 }),
});
/** It says what is wrong with status 200. */
const refusal = (code: number) => Type.Object({ code: Type.Literal(code), status: Type.Literal("error") });

/** The last price of a share. @param mic which exchange; the US ones unless given. @throws UpstreamError */
export function fetchTwelveDataQuote(
  context: Pick<FetchContext, "get">,
  symbol: string,
  mic?: string,
): Promise<VendorQuote> {
  const market = mic === undefined ? "country=United%20States" : `mic_code=${mic}`;
  return context.get(twelvedata, {
    path: `/quote?symbol=${encodeURIComponent(symbol)}&${market}`,
    schema: Answer,
    ttl_ms: 15_000,
    errors: [
      { status: 200, schema: refusal(404), means: "not_found" },
      { status: 200, schema: refusal(401), means: "auth" },
      { status: 200, schema: refusal(429), means: "rate_limited" },
    ],
    read(answer) {
      const price = readVendorNumber(answer.close);
      if (price === null || price <= 0) return unusable("no price");
      return toMajorUnit({
        currency: answer.currency,
        price,
        name: answer.name ?? null,
        at_ms: answer.last_quote_at * 1000,
        open: readVendorNumber(answer.open),
        high: readVendorNumber(answer.high),
        low: readVendorNumber(answer.low),
        prev_close: readVendorNumber(answer.previous_close),
        volume: readVendorNumber(answer.volume),
        delay_minutes: null,
      });
    },
  });
}
