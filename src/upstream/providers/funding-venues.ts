import type { FetchContext } from "../../catalog/context.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import { fetchBybitFunding } from "./bybit/funding.ts";
import { bybit } from "./bybit/provider.ts";
import type { FundingReading } from "./funding-reading.ts";
import { fetchFunding } from "./hyperliquid/funding.ts";
import { hyperliquid } from "./hyperliquid/provider.ts";
import { fetchOkxFunding } from "./okx/funding.ts";
import { okx } from "./okx/provider.ts";

/** For a product's list of providers, in failover order. */
export const FUNDING_PROVIDERS: readonly ProviderDefinition[] = [hyperliquid, bybit, okx];

export type FundingContext = Pick<FetchContext, "get" | "now_ms" | "first">;

async function fetchListed(context: FundingContext, name: string): Promise<FundingReading> {
  const [first] = await fetchFunding(context, [name]);
  if (!first) throw new RangeError("one coin was asked for");
  return first;
}

/**
 * Funding and open interest of one coin by the first venue that has both: Hyperliquid and, with the operator's
 * licence, Bybit or OKX. Open interest is the venue's own, so that readings of two venues must not be compared.
 * @param name Hyperliquid's name of the coin, where it is another (small coins by the thousand).
 * @throws NodeError when no venue has it.
 */
export const fetchCoinFunding = (context: FundingContext, symbol: string, name = symbol): Promise<FundingReading> =>
  context.first(`funding of ${symbol}`, [
    { provider: hyperliquid, run: () => fetchListed(context, name) },
    { provider: bybit, run: () => fetchBybitFunding(context, symbol) },
    { provider: okx, run: () => fetchOkxFunding(context, symbol) },
  ]);
