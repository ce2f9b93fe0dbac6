import { Type } from "@sinclair/typebox";
import { type FetchContext, RowsByKey, type Unusable, unusable, Whole } from "intel-node";
import { fetchKrakenListed } from "intel-node/providers/kraken/asset-pairs";
import { kraken } from "intel-node/providers/kraken/provider";
import { fetchDealerQuote } from "intel-node/providers/swissquote/dealer-quote";
import { swissquote } from "intel-node/providers/swissquote/provider";
import { type CurrencyPair, isCode } from "../currencies/codes.ts";

/** Bid and ask of one venue, units of quote for 1 base. */
export interface VenueQuote {
  readonly bid: number;
  readonly ask: number;
  /** When, ms; null where the venue states no time, so that it is as new as the call. */
  readonly at_ms: number | null;
}

export interface FXQuote extends VenueQuote {
  readonly provider: string;
  readonly pair: CurrencyPair;
  /** What is quoted at bid and ask, in base; null where the venue does not say. */
  readonly size: { readonly bid: number; readonly ask: number } | null;
}

/** A price above 0, and the ask not below the bid. */
export const isUsable = ({ bid, ask }: Pick<VenueQuote, "bid" | "ask">): boolean =>
  Number.isFinite(bid) && Number.isFinite(ask) && bid > 0 && ask >= bid;

export const midOf = ({ bid, ask }: Pick<VenueQuote, "bid" | "ask">): number => (bid + ask) / 2;
export const spreadBpsOf = (quote: Pick<VenueQuote, "bid" | "ask">): number =>
  ((quote.ask - quote.bid) / midOf(quote)) * 1e4;
export const bpsOver = (a: number, b: number): number => (a / b - 1) * 1e4;

const older = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** The same market seen from the other side. */
export const invert = ({ bid, ask, at_ms }: VenueQuote): VenueQuote => ({ bid: 1 / ask, ask: 1 / bid, at_ms });

/** A/C through B: what selling A for B and B for C gives, and what the way back costs. */
export const chain = (a_b: VenueQuote, b_c: VenueQuote): VenueQuote => ({
  bid: a_b.bid * b_c.bid,
  ask: a_b.ask * b_c.ask,
  at_ms: older(a_b.at_ms, b_c.at_ms),
});

/**
 * The pairs of two currencies that Kraken lists and trades, as its list of pairs says. One that it does not list must
 * not be asked for: the whole question would be refused.
 * @throws UpstreamError
 */
export async function fetchKrakenPairs(context: Pick<FetchContext, "get">): Promise<readonly CurrencyPair[]> {
  const listed = await fetchKrakenListed(context);
  return [...listed].filter((pair): pair is CurrencyPair => {
    const [base = "", quote = ""] = pair.split("/");
    return isCode(base) && isCode(quote);
  });
}

const PriceText = Type.String({ pattern: "^\\d{1,12}(\\.\\d{1,12})?$" });
const Side = Whole("parts", PriceText, { minItems: 3, maxItems: 3 });
const Ticker = Type.Object({ a: Side, b: Side });
const Answer = Type.Object({
  error: Whole("one", Type.String(), { maxItems: 0 }),
  result: RowsByKey(Ticker, { floor: 0.5 }),
});

/** "ZEURZUSD" and "EURUSD" are the same pair. */
const toPair = (key: string): CurrencyPair | null => {
  const [, base, quote] = /^Z?([A-Z]{3})Z?([A-Z]{3})$/.exec(key) ?? [];
  return base === undefined || quote === undefined ? null : `${base}/${quote}`;
};

/**
 * Kraken's best bid and ask of pairs. They state no time.
 * @throws UpstreamError
 */
export function fetchKrakenFX(
  context: Pick<FetchContext, "get">,
  pairs: readonly CurrencyPair[],
  ttl_ms: number,
): Promise<readonly FXQuote[]> {
  return context.get(kraken, {
    path: `/0/public/Ticker?pair=${pairs.map((pair) => pair.replace("/", "")).join(",")}`,
    schema: Answer,
    ttl_ms,
    read({ result }, _, eachRow) {
      const rows = Object.entries(result);
      const read = ([key, { a, b }]: (typeof rows)[number]): FXQuote | Unusable => {
        const pair = toPair(key);
        const quote = { bid: Number(b[0]), ask: Number(a[0]) };
        if (pair === null || !pairs.includes(pair)) return unusable("it is another pair");
        if (!isUsable(quote)) return unusable("a price of 0, or crossed");
        return { provider: kraken.id, pair, ...quote, at_ms: null, size: { bid: Number(b[2]), ask: Number(a[2]) } };
      };
      const quotes = eachRow(rows, read, { floor: 0.5 });
      return quotes.length === 0 ? unusable("it does not have the pairs") : quotes;
    },
  });
}

/** Swissquote's narrowest quote of a pair; it states no sizes. @throws UpstreamError */
export async function fetchSwissquote(
  context: Pick<FetchContext, "get" | "now_ms">,
  pair: CurrencyPair,
  ttl_ms: number,
): Promise<FXQuote> {
  const { bid, ask, at_ms } = await fetchDealerQuote(context, pair, ttl_ms);
  return { provider: swissquote.id, pair, bid, ask, at_ms, size: null };
}
