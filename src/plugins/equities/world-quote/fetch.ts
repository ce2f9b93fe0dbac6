import { addDays } from "../../../calendars/dates.ts";
import type { FetchContext } from "../../../catalog/context.ts";
import { ecb } from "../../../upstream/providers/ecb/provider.ts";
import { fetchReferenceRates } from "../../../upstream/providers/ecb/reference-rates.ts";
import type { Market } from "../shared/markets.ts";
import type { VendorQuote } from "../shared/vendor-quote.ts";
import { SOURCES } from "./sources.ts";

export interface WorldQuoteInputs {
  readonly quote: VendorQuote;
  readonly end_of_day: boolean;
  /** Units of the currency for one US dollar. */
  readonly fx: { readonly rate: number; readonly date: string } | null;
  readonly warnings: readonly string[];
}

/** The ECB fixes no rate of the Taiwan dollar. */
const WITHOUT_RATE = ["TWD"];
const RATES_BACK_DAYS = 12;

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

/** @throws NodeError when no source that may be used has the symbol. */
export async function fetchWorldQuote(
  context: FetchContext,
  { market, symbol }: { readonly market: Market; readonly symbol: string },
): Promise<WorldQuoteInputs> {
  const attempts = SOURCES.filter(({ serves }) => serves(market)).map(({ provider, fetch, end_of_day }) => ({
    provider,
    run: async () => ({ quote: await fetch(context, market, symbol), end_of_day }),
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
  return { ...values.quote, fx: values.fx, warnings };
}
