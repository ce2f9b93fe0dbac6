import { Type } from "@sinclair/typebox";
import type { FetchContext } from "intel-node";
import { kraken } from "intel-node/providers/kraken/provider";
import { fetchDealerQuote } from "intel-node/providers/swissquote/dealer-quote";
import { swissquote } from "intel-node/providers/swissquote/provider";

/** Base and quote, ISO 4217: "EUR/USD". */
export type Pair = `${string}/${string}`;

/** Bid and ask of one venue, units of quote for 1 base. */
export interface Quote {
  readonly bid: number;
  readonly ask: number;
  /** When, ms; null where the venue states no time, so that it is as new as the call. */
  readonly at_ms: number | null;
}

export interface FXQuote extends Quote {
  readonly provider: string;
  readonly pair: Pair;
  /** What is quoted at bid and ask, in base; null where the venue does not say. */
  readonly size: { readonly bid: number; readonly ask: number } | null;
}

/** A price above 0, and the ask not below the bid. */
export const isUsable = ({ bid, ask }: Pick<Quote, "bid" | "ask">): boolean =>
  Number.isFinite(bid) && Number.isFinite(ask) && bid > 0 && ask >= bid;

export const midOf = ({ bid, ask }: Pick<Quote, "bid" | "ask">): number => (bid + ask) / 2;
export const spreadBpsOf = (quote: Pick<Quote, "bid" | "ask">): number =>
  ((quote.ask - quote.bid) / midOf(quote)) * 1e4;
export const bpsOver = (a: number, b: number): number => (a / b - 1) * 1e4;

const older = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** The same market seen from the other side. */
export const invert = ({ bid, ask, at_ms }: Quote): Quote => ({ bid: 1 / ask, ask: 1 / bid, at_ms });

/** A/C through B: what selling A for B and B for C gives, and what the way back costs. */
export const chain = (a_b: Quote, b_c: Quote): Quote => ({
  bid: a_b.bid * b_c.bid,
  ask: a_b.ask * b_c.ask,
  at_ms: older(a_b.at_ms, b_c.at_ms),
});

/** Pairs Kraken lists that were seen with usable spreads, and the crosses it may list. */
export const KRAKEN_PAIRS = [
  "EUR/USD",
  "GBP/USD",
  "USD/JPY",
  "USD/CHF",
  "AUD/USD",
  "USD/CAD",
] as const satisfies readonly Pair[];
export const KRAKEN_CROSSES = [
  "EUR/GBP",
  "EUR/JPY",
  "EUR/CHF",
  "EUR/AUD",
  "EUR/CAD",
  "AUD/JPY",
] as const satisfies readonly Pair[];

const PriceText = Type.String({ pattern: "^\\d{1,12}(\\.\\d{1,12})?$" });
const Side = Type.Array(PriceText, { minItems: 3, maxItems: 3 });
const Ticker = Type.Object({ a: Side, b: Side });
const Answer = Type.Object({
  error: Type.Array(Type.String(), { maxItems: 0 }),
  result: Type.Record(Type.String(), Ticker),
});

/** "ZEURZUSD" and "EURUSD" are the same pair. */
const toPair = (key: string): Pair | null => {
  const [, base, quote] = /^Z?([A-Z]{3})Z?([A-Z]{3})$/.exec(key) ?? [];
  return base === undefined || quote === undefined ? null : `${base}/${quote}`;
};

/**
 * Kraken's best bid and ask of pairs. They state no time.
 * @throws UpstreamError
 */
export function fetchKrakenFX(
  context: Pick<FetchContext, "get">,
  pairs: readonly Pair[],
  ttl_ms: number,
): Promise<readonly FXQuote[]> {
  return context.get(kraken, {
    path: `/0/public/Ticker?pair=${pairs.map((pair) => pair.replace("/", "")).join(",")}`,
    schema: Answer,
    ttl_ms,
    read({ result }) {
      const quotes = Object.entries(result).flatMap(([key, { a, b }]): FXQuote[] => {
        const pair = toPair(key);
        const quote = { bid: Number(b[0]), ask: Number(a[0]) };
        if (pair === null || !pairs.includes(pair) || !isUsable(quote)) return [];
        return [{ provider: kraken.id, pair, ...quote, at_ms: null, size: { bid: Number(b[2]), ask: Number(a[2]) } }];
      });
      return quotes.length === 0 ? "it holds none of the pairs" : quotes;
    },
  });
}

/** Swissquote's narrowest quote of a pair; it states no sizes. @throws UpstreamError */
export async function fetchSwissquote(
  context: Pick<FetchContext, "get" | "now_ms">,
  pair: Pair,
  ttl_ms: number,
): Promise<FXQuote> {
  const { bid, ask, at_ms } = await fetchDealerQuote(context, pair, ttl_ms);
  return { provider: swissquote.id, pair, bid, ask, at_ms, size: null };
}
