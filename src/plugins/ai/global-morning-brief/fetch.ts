import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type FetchContext, type OtherAnswer, type Outcome, outcomeOf } from "intel-node";

const maybe = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const Figure = maybe(Type.Number());

/** What is read of each product: open objects name only what the brief uses. */
const Crypto = Type.Object({
  prices: Type.Array(
    Type.Object({
      symbol: Type.String(),
      price_usd: Type.Number(),
      chg_24h_pct: Type.Number(),
      chg_7d_pct: Type.Number(),
    }),
  ),
  regime: maybe(Type.Object({ regime: Type.String() })),
  fear_greed: maybe(Type.Object({ value: Type.Number() })),
  derivatives: maybe(Type.Object({ btc_funding_apr_pct: Figure })),
});
const Rate = Type.Object({ rate: Type.Number(), change_1d_pct: Figure });
const Commodity = Type.Object({ price: Type.Number(), unit: Type.String(), observed_at: Type.String() });
const Calendar = Type.Object({
  events: Type.Array(
    Type.Object({
      kind: Type.String(),
      title: Type.String(),
      country: Type.String(),
      time_utc: Type.String(),
      importance: Type.String(),
    }),
  ),
});
const Geo = Type.Object({ score: Type.Number(), band: Type.String() });
const Macro = Type.Object({
  selic: Type.Object({ target_pct: Type.Number() }),
  inflation: Type.Object({ ipca_12m: Figure }),
  fx: Type.Object({ ptax_sell: Type.Number(), change_5d_pct: Figure }),
});
const Curve = Type.Object({ curve: Type.Array(Type.Object({ tenor: Type.String(), nominal: Figure })) });
const News = Type.Object({
  items: Type.Array(
    Type.Object({
      title: Type.String(),
      url: Type.String(),
      domain: Type.String(),
      published_at: Type.String(),
      domains: Type.Array(Type.String()),
    }),
  ),
});

export const PAIRS = ["EURUSD", "GBPUSD", "USDJPY"] as const;
export const COMMODITIES = ["gold"] as const;

type Part<S extends TSchema> = Outcome<OtherAnswer<Static<S>>>;

export interface MorningInputs {
  readonly crypto: Part<typeof Crypto>;
  readonly fx: Readonly<Record<(typeof PAIRS)[number], Part<typeof Rate>>>;
  readonly commodities: Readonly<Record<(typeof COMMODITIES)[number], Part<typeof Commodity>>>;
  readonly calendar: Part<typeof Calendar>;
  readonly geo: Part<typeof Geo>;
  readonly brazil: Part<typeof Macro>;
  readonly brazil_curve: Part<typeof Curve>;
  readonly ai_tech: Part<typeof News>;
}

/** Asks everything at once; what fails is handed over with its error. */
export async function fetchMorning(context: FetchContext): Promise<MorningInputs> {
  const rate = (pair: string) => outcomeOf(context.ask("/forex-rate", { pair }, Rate));
  const price = (symbol: string) => outcomeOf(context.ask("/commodity-price", { symbol }, Commodity));
  const [crypto, EURUSD, GBPUSD, USDJPY, gold, calendar, geo, brazil, brazil_curve, ai_tech] = await Promise.all([
    outcomeOf(context.ask("/market-brief", {}, Crypto)),
    ...([rate("EURUSD"), rate("GBPUSD"), rate("USDJPY"), price("gold")] as const),
    outcomeOf(context.ask("/macro-calendar", {}, Calendar)),
    outcomeOf(context.ask("/geo-alpha", {}, Geo)),
    outcomeOf(context.ask("/br-macro", {}, Macro)),
    outcomeOf(context.ask("/br-curve", {}, Curve)),
    outcomeOf(context.ask("/ai-news", {}, News)),
  ]);
  const fx = { EURUSD, GBPUSD, USDJPY };
  return { crypto, fx, commodities: { gold }, calendar, geo, brazil, brazil_curve, ai_tech };
}
