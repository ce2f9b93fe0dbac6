import { addDays, type Calendar, type FetchContext, toLocal, UpstreamError } from "intel-node";
import { ecb } from "intel-node/providers/ecb/provider";
import { fetchReferenceRates } from "intel-node/providers/ecb/reference-rates";
import type { Market } from "../markets/markets.ts";
import { calendarOf, type ExchangeDays, readDays } from "../markets/session.ts";
import type { VendorQuote } from "../vendors/vendor-quote.ts";
import { SOURCES } from "./sources.ts";

export interface WorldQuoteInputs {
  /** The exchange's days, with the operator's own. */
  readonly exchange: ExchangeDays;
  readonly quote: VendorQuote;
  readonly end_of_day: boolean;
  /** Units of the currency for one US dollar. */
  readonly fx: { readonly rate: number; readonly date: string } | null;
  readonly warnings: readonly string[];
}

/** The ECB fixes no rate of the Taiwan dollar. */
const WITHOUT_RATE = ["TWD"];
const RATES_BACK_DAYS = 12;

/** A price may miss today's session and, before a daily file is out, yesterday's. */
const SESSIONS_MAX = 2;

/** Trading days after the one of a price, up to today. */
function countSessionsSince(calendar: Calendar, from_ms: number, to_ms: number): number {
  const [from, to] = [from_ms, to_ms].map((ms) => toLocal(calendar.zone, ms).date);
  return from === undefined || to === undefined ? 0 : calendar.countTradingDays(addDays(from, 1), addDays(to, 1));
}

async function fetchDollarRate(context: FetchContext, currency: string) {
  const since = addDays(new Date(context.now_ms).toISOString().slice(0, 10), -RATES_BACK_DAYS);
  const wanted = [...new Set(["USD", currency])].filter((code) => code !== "EUR");
  const rates = await fetchReferenceRates(context, { currencies: wanted, since });
  const usd = rates.get("USD")?.at(-1);
  const other =
    currency === "EUR"
      ? usd && { date: usd.date, rate: 1 }
      : rates.get(currency)?.find(({ date }) => date === usd?.date);
  return usd && other ? { rate: other.rate / usd.rate, date: usd.date } : null;
}

/** @throws NodeError when no permitted source has the symbol. */
export async function fetchWorldQuote(
  context: FetchContext,
  { market, symbol }: { readonly market: Market; readonly symbol: string },
): Promise<WorldQuoteInputs> {
  const exchange = readDays(context, market.mic);
  const calendar = calendarOf(exchange);
  const attempts = SOURCES.filter(({ serves }) => serves(market)).map(({ provider, fetch, end_of_day }) => ({
    provider,
    run: async () => {
      const quote = await fetch(context, market, symbol);
      // A vendor may know another company by that code: the next one is asked.
      if (quote.currency !== market.currency) {
        const why = `it quotes in ${quote.currency} instead of ${market.currency}`;
        throw new UpstreamError("upstream_bad_response", provider.id, why);
      }
      const sessions = countSessionsSince(calendar, quote.at_ms ?? context.now_ms, context.now_ms);
      if (sessions <= SESSIONS_MAX) return { quote, end_of_day };
      throw new UpstreamError("upstream_bad_response", provider.id, `the price is ${sessions} sessions old`);
    },
  }));
  const has_rate = !WITHOUT_RATE.includes(market.currency);
  const { values, warnings } = await context.each({
    quote: { essential: true, field: `${market.code} ${symbol}`, attempts },
    fx: {
      field: "price_usd, fx_rate, fx_date",
      attempts: has_rate ? [{ provider: ecb, run: () => fetchDollarRate(context, market.currency) }] : [],
      because: has_rate ? "no ECB reference rate could be read" : `the ECB fixes no rate of ${market.currency}`,
    },
  });
  return { ...values.quote, exchange, fx: values.fx, warnings };
}
