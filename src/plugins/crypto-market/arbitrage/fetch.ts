import { type FetchContext, type Outcome, outcomeOf } from "intel-node";
import { fetchBitstampQuote } from "intel-node/providers/bitstamp/ticker";
import { BOOK_VENUES, type BookVenue } from "intel-node/providers/book-venues";
import { fetchCryptocomQuote } from "intel-node/providers/cryptocom/book";
import { fetchKrakenQuote } from "intel-node/providers/kraken/depth";
import type { OrderBook } from "intel-node/providers/order-book";
import type { SpotQuote } from "intel-node/providers/quote";
import { SPOT_VENUES } from "intel-node/providers/spot-venues";
import type { ArbitrageQuote } from "./schema.ts";

export interface VenueBook {
  readonly venue: string;
  readonly quote: ArbitrageQuote;
  readonly quote_note: string | null;
  readonly taker_bps: number;
  readonly taker_source: "operator" | "published" | "unconfirmed";
  readonly outcome: Outcome<OrderBook>;
}

export interface ArbitrageInputs {
  readonly read_at_ms: number;
  readonly books: readonly VenueBook[];
  /** US dollars per USDT; null when not needed or without a fresh rate. */
  readonly usdt: Pick<SpotQuote, "bid" | "ask"> | null;
}

/** A call that times out is made once more: both together take 2.5 s. */
const CALL_TIMEOUT_MS = 1_250;
/** A stablecoin's book rests longer than others. */
const USDT_AGE_MAX_MS = 120_000;

/** Venues whose price of USDT in US dollars is read, in order of preference. */
const USDT_SOURCES = [fetchKrakenQuote, fetchBitstampQuote, fetchCryptocomQuote];

async function fetchVenue(context: FetchContext, venue: BookVenue, base: string): Promise<VenueBook> {
  const own_bps = context.config(venue.provider).taker_bps;
  return {
    venue: venue.provider.id,
    quote: venue.quote,
    quote_note: venue.quote_note,
    taker_bps: own_bps ?? venue.taker.bps,
    taker_source: own_bps !== undefined ? "operator" : venue.taker.confirmed ? "published" : "unconfirmed",
    outcome: await outcomeOf(venue.fetchBook(context, base, CALL_TIMEOUT_MS)),
  };
}

/** Asks for USDT/USD everywhere at once: waiting for the first to fail would make the books old. */
async function fetchUSDT(context: FetchContext): Promise<ArbitrageInputs["usdt"]> {
  const sources = SPOT_VENUES.filter(
    ({ provider, fetchQuote }) => USDT_SOURCES.includes(fetchQuote) && context.usable(provider),
  );
  const quotes = await Promise.all(
    sources.map(({ fetchQuote }) => outcomeOf(fetchQuote(context, "USDT", CALL_TIMEOUT_MS))),
  );
  for (const quote of quotes) {
    if (!quote.ok) continue;
    const { bid, ask, at_ms } = quote.value;
    if (at_ms === null || context.now_ms - at_ms <= USDT_AGE_MAX_MS) return { bid, ask };
  }
  return null;
}

/** Every book at once, and the USDT/USD rate where something has to be converted. A venue that fails says so. */
export async function fetchArbitrage(
  context: FetchContext,
  { base, quote }: { readonly base: string; readonly quote: ArbitrageQuote },
): Promise<ArbitrageInputs> {
  const venues = BOOK_VENUES.filter(({ provider }) => context.usable(provider));
  const is_usdt_needed = quote === "USDT" || venues.some((venue) => venue.quote === "USDT");
  const [usdt, ...books] = await Promise.all([
    is_usdt_needed ? fetchUSDT(context) : null,
    ...venues.map((venue) => fetchVenue(context, venue, base)),
  ]);
  return { read_at_ms: context.now_ms, books, usdt };
}
