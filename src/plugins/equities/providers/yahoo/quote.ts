import { Type } from "@sinclair/typebox";
import { type Calendar, type FetchContext, unusable, Whole } from "intel-node";
import { CLOCK_SKEW_MAX_MS } from "intel-node/providers/clock-skew";
import { toMajorUnit, type VendorQuote } from "../../vendors/vendor-quote.ts";
import { yahoo } from "./provider.ts";

const Column = Whole("columns", Type.Union([Type.Number(), Type.Null()]), { maxItems: 400 });
const Result = Type.Object({
  meta: Type.Object({
    currency: Type.String({ maxLength: 5 }),
    regularMarketPrice: Type.Number({ exclusiveMinimum: 0 }),
    regularMarketTime: Type.Integer({ minimum: 1 }),
    /** Only shown: of any length, and cut. */
    longName: Type.Optional(Type.String()),
    exchangeTimezoneName: Type.String({ maxLength: 60 }),
  }),
  timestamp: Type.Optional(Whole("columns", Type.Integer(), { maxItems: 400 })),
  indicators: Type.Object({
    quote: Whole(
      "one",
      Type.Object({
        open: Type.Optional(Column),
        high: Type.Optional(Column),
        low: Type.Optional(Column),
        close: Type.Optional(Column),
        volume: Type.Optional(Column),
      }),
      { minItems: 1, maxItems: 1 },
    ),
  }),
});
const Answer = Type.Object({ chart: Type.Object({ result: Whole("one", Result, { minItems: 1, maxItems: 1 }) }) });
const Unknown = Type.Object({ chart: Type.Object({ error: Type.Object({ code: Type.Literal("Not Found") }) }) });

interface Asked {
  readonly symbol: string;
  /** When the exchange of the share trades. */
  readonly calendar: Calendar;
}

/**
 * The last price of regular hours, by Yahoo's own spelling of the symbol. Its previous close is that of the session
 * before by the exchange's calendar, and of no earlier one: Yahoo leaves bars empty, on holidays and otherwise, and
 * `chartPreviousClose` is before the whole range.
 * @throws UpstreamError
 */
export function fetchYahooQuote(
  context: Pick<FetchContext, "get" | "now_ms">,
  { symbol, calendar }: Asked,
): Promise<VendorQuote> {
  return context.get(yahoo, {
    path: `/v8/finance/chart/${encodeURIComponent(symbol)}?range=10d&interval=1d`,
    schema: Answer,
    ttl_ms: 60_000,
    errors: [{ status: 404, schema: Unknown, means: "not_found" }],
    read({ chart }) {
      const [result] = chart.result;
      const [bars] = result?.indicators.quote ?? [];
      if (!result || !bars) return unusable("no chart");
      const { meta, timestamp = [] } = result;
      const at_ms = meta.regularMarketTime * 1000;
      if (at_ms > context.now_ms + CLOCK_SKEW_MAX_MS) return unusable("the time lies in the future");
      const dayOf = (ms: number): string =>
        new Intl.DateTimeFormat("en-CA", { timeZone: meta.exchangeTimezoneName, dateStyle: "short" }).format(ms);
      const days = timestamp.map((time_s) => dayOf(time_s * 1000));
      const before = calendar.previousTradingDay(dayOf(at_ms));
      const pick = (column: readonly (number | null)[] | undefined, day: string | null) =>
        (day === null ? undefined : column?.[days.lastIndexOf(day)]) ?? null;
      const today = dayOf(at_ms);
      const prev_close = pick(bars.close, before);
      const missing = `prev_close: the vendor has no close of ${before ?? "the session before"}`;
      return toMajorUnit({
        currency: meta.currency,
        price: meta.regularMarketPrice,
        name: meta.longName ?? null,
        at_ms,
        open: pick(bars.open, today),
        high: pick(bars.high, today),
        low: pick(bars.low, today),
        prev_close,
        volume: pick(bars.volume, today),
        delay_minutes: null,
        warnings: prev_close === null ? [missing] : [],
      });
    },
  });
}
