import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf, symbolParam } from "intel-node";
import { SENTIMENT_COINS } from "../news/coins.ts";
import { COIN_RULES } from "../oracle/symbol.ts";
import { COMPONENTS } from "../scores/components.ts";

export const LABELS = ["very_bullish", "bullish", "neutral", "bearish", "very_bearish"] as const;
export type SentimentLabel = (typeof LABELS)[number];

export const SYMBOL = symbolParam({
  description: `${SENTIMENT_COINS.join(", ")}, or any coin that at least 3 headlines of the last 48 h name.`,
  examples: SENTIMENT_COINS,
  default: "BTC",
  ...COIN_RULES,
});

export const SentimentParams = Type.Object(
  {
    symbol: Type.Optional(SYMBOL.schema),
  },
  closed,
);

const Component = Type.Object(
  {
    name: oneOf(COMPONENTS, "headlines, gdelt_tone, positioning or hn."),
    value: nullable(
      Type.Number({ minimum: -100, maximum: 100, decimals: 2 }),
      "-100 (bearish) to 100 (bullish); null without data.",
    ),
    raw: nullable(
      Type.Number({ decimals: 4 }),
      "What value is made of: mean score (-1 to 1) of titles, GDELT's mean tone, or funding in percent per year.",
    ),
    weight: Type.Number({ description: "Weight used, 0-1; 0 without a value.", minimum: 0, maximum: 1, decimals: 4 }),
    n: Type.Integer({ description: "Titles, intervals or samples it rests on.", minimum: 0 }),
    as_of: nullable(Type.String(), "Time of its newest datum, ISO 8601 UTC."),
  },
  closed,
);

const Title = Type.Object(
  {
    title: Type.String({ description: "The headline." }),
    url: Type.String({ description: "Where it was published." }),
    source: Type.String({ description: "The publisher." }),
    published_at: Type.String({ description: "ISO 8601 UTC." }),
    score: Type.Number({ description: "-1 to 1.", minimum: -1, maximum: 1, decimals: 4 }),
  },
  closed,
);
const titles = (what: string) =>
  nullable(Type.Array(Title, { maxItems: 3 }), `The ${what} headlines of the window; null in the preview.`);

const Positioning = Type.Object(
  {
    funding_apr_pct: Type.Number({ description: "Paid by longs to shorts, percent per year.", decimals: 2 }),
    open_interest_usd: Type.Number({ description: "US dollars.", exclusiveMinimum: 0, decimals: 0 }),
    open_interest_change_24h_pct: nullable(
      Type.Number({ decimals: 2 }),
      "Change in coins, percent; null until 24 h of samples are stored.",
    ),
  },
  closed,
);

export const SentimentSchema = Type.Object(
  {
    symbol: Type.String({ description: "The coin." }),
    score: Type.Number({ description: "-100 (bearish) to 100 (bullish).", minimum: -100, maximum: 100, decimals: 1 }),
    label: oneOf(LABELS, "very_bullish from 40, bullish from 15, neutral, bearish from -15, very_bearish from -40."),
    confidence: Type.Number({
      description: "0-1: min(1, headlines / 20) x share of the weights that have data.",
      minimum: 0,
      maximum: 1,
      decimals: 4,
    }),
    components: Type.Array(Component, { description: "What score is made of.", minItems: 4, maxItems: 4 }),
    positioning: nullable(Positioning, "How its perpetual future is held at Hyperliquid; null without samples."),
    change_24h: nullable(
      Type.Number({ minimum: -200, maximum: 200, decimals: 1 }),
      "score less the score of 24 h ago; null unless one of the same components is stored.",
    ),
    top_positive: titles("most positive"),
    top_negative: titles("most negative"),
    lexicon_version: Type.String({ description: "Version of the words that titles are scored with." }),
    window_h: Type.Integer({ description: "Headlines of this many hours count, hours.", minimum: 1 }),
  },
  closed,
);

export type SentimentData = Static<typeof SentimentSchema>;
