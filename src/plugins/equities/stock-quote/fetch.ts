import {
  citeSample,
  createNoSuchSubject,
  type FetchContext,
  getOwn,
  type SessionState,
  toNodeError,
  UpstreamError,
} from "intel-node";
import { CHAINLINK_SHARES } from "intel-node/providers/evm-rpc/chainlink-feeds";
import { type ChainlinkPrice, fetchChainlinkFeed } from "intel-node/providers/evm-rpc/chainlink-price";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { kraken } from "intel-node/providers/kraken/provider";
import { fetchKrakenShareToken } from "intel-node/providers/kraken/share-token";
import type { SpotQuote } from "intel-node/providers/quote";
import { type Close, closes, toClose } from "intel-node/series/share-closes";
import { calendarOf, type ExchangeDays, readDays } from "../markets/session.ts";
import { rhj } from "../providers/rhj/provider.ts";
import {
  type CorporateAction,
  fetchCorporateActions,
  fetchShareQuote,
  type ShareQuote,
} from "../providers/rhj/shares.ts";
import { sec } from "../providers/sec/provider.ts";
import { fetchTickers, type TickerListing } from "../providers/sec/tickers.ts";
import { US_VENDORS } from "../vendors/us-vendors.ts";
import type { VendorQuote } from "../vendors/vendor-quote.ts";

export interface StockQuoteInputs {
  /** New York's days, with the operator's own. */
  readonly exchange: ExchangeDays;
  readonly state: SessionState;
  readonly share: ShareQuote | null;
  readonly oracle: Omit<ChainlinkPrice, "chain"> | null;
  readonly token: SpotQuote | null;
  /** Of the first vendor the operator may use that has the ticker; null without one. */
  readonly vendor: { readonly provider: string; readonly quote: VendorQuote } | null;
  readonly actions: readonly CorporateAction[] | null;
  readonly listing: TickerListing | null;
  /** Stored closes of the last days, oldest first. */
  readonly closes: readonly Close[];
  readonly warnings: readonly string[];
}

/** Covers a long weekend and the sessions around it. */
const CLOSES_BACK = "12d";

/** A US ticker is quoted in dollars; anything else is another share of that name. */
function refuseForeign(provider: string, quote: VendorQuote): VendorQuote {
  if (quote.currency === "USD") return quote;
  throw new UpstreamError("upstream_bad_response", provider, `it quotes in ${quote.currency}`);
}

/**
 * All quotes of a share at once.
 * @throws NodeError subject_not_found when no source that could be asked knows the ticker, else why there is no quote.
 */
export async function fetchStockQuote(context: FetchContext, symbol: string): Promise<StockQuoteInputs> {
  const feed = getOwn(CHAINLINK_SHARES, symbol);
  const oracle = () => fetchChainlinkFeed(context, { chain: "arbitrum", to: feed ?? "" });
  const vendors = US_VENDORS.filter(({ provider }) => context.usable(provider));
  const attempts = vendors.map(({ provider, fetch }) => ({
    provider,
    run: async () => ({ provider: provider.id, quote: refuseForeign(provider.id, await fetch(context, symbol)) }),
  }));
  const [{ values, warnings, errors }, stored] = await Promise.all([
    context.each({
      vendor: attempts.length > 0 ? { field: "quotes", attempts } : { run: async () => null },
      share: { field: "bid", attempts: [{ provider: rhj, run: () => fetchShareQuote(context, symbol) }] },
      oracle: { field: "oracle_check", attempts: feed ? [{ provider: evmRpc, run: oracle }] : [] },
      token: { field: "quotes", attempts: [{ provider: kraken, run: () => fetchKrakenShareToken(context, symbol) }] },
      actions: {
        field: "corporate_action",
        attempts: [{ provider: rhj, run: () => fetchCorporateActions(context) }],
      },
      tickers: { field: "name, exchange", attempts: [{ provider: sec, run: () => fetchTickers(context) }] },
    }),
    closes.read(context, { of: symbol, last: CLOSES_BACK }),
  ]);
  const { share, oracle: price, token, vendor, actions, tickers } = values;
  if (!share && !price && !token && !vendor) {
    const failures = [errors.share, errors.token, ...(attempts.length > 0 ? [errors.vendor] : [])];
    const error = toNodeError([...failures, ...(feed ? [errors.oracle] : [])], symbol);
    if (error.code !== "subject_not_found") throw error;
    const about = { param: "symbol", got: symbol, known: tickers?.by_ticker.keys() ?? [] };
    throw createNoSuchSubject(`Nobody who quotes shares here knows ${symbol}.`, about);
  }
  const exchange = readDays(context, "XNYS");
  for (const sample of stored.slice(-2)) citeSample(context, sample);
  return {
    exchange,
    state: calendarOf(exchange).stateAt(context.now_ms),
    share,
    oracle: price,
    token,
    vendor,
    actions,
    listing: tickers?.by_ticker.get(symbol) ?? null,
    closes: stored.map(toClose),
    // A ticker without a feed or token is the usual case and no failure.
    warnings: warnings.filter((text) => feed !== undefined || !text.startsWith("oracle_check")),
  };
}
