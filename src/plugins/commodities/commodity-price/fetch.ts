import {
  addDays,
  citeSample,
  type FetchContext,
  getOwn,
  NodeError,
  type ProviderDefinition,
  toNodeError,
} from "intel-node";
import { CHAINLINK_METALS } from "intel-node/providers/evm-rpc/chainlink-feeds";
import { fetchChainlinkFeed } from "intel-node/providers/evm-rpc/chainlink-price";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import { fred } from "intel-node/providers/fred/provider";
import { fetchFredSeries } from "intel-node/providers/fred/series";
import { fetchKrakenQuote } from "intel-node/providers/kraken/depth";
import { kraken } from "intel-node/providers/kraken/provider";
import { fetchDealerQuote } from "intel-node/providers/swissquote/dealer-quote";
import { swissquote } from "intel-node/providers/swissquote/provider";
import { metalFixes } from "../metals/metal-fixes.ts";
import { eia } from "../providers/eia/provider.ts";
import { fetchEIASeries } from "../providers/eia/spot-prices.ts";
import { fetchGoldapiPrice } from "../providers/goldapi/price.ts";
import { goldapi } from "../providers/goldapi/provider.ts";
import { COMMODITIES, type CommoditySymbol, type LiveCommodity, type SlowCommodity } from "./commodities.ts";

export interface MetalQuote {
  readonly provider: string;
  readonly kind: "dealer" | "spot" | "oracle" | "token";
  readonly bid: number | null;
  readonly ask: number | null;
  readonly mid: number;
  /** Null where the source states no time. */
  readonly at_ms: number | null;
}
/** One day, or the first day of a month. */
export interface DatedPrice {
  readonly date: string;
  readonly value: number;
}

export interface CommodityInputs {
  readonly symbol: CommoditySymbol;
  readonly quotes: readonly MetalQuote[];
  /** The series itself, or this node's fixes of a metal; oldest first. */
  readonly history: readonly DatedPrice[];
  /** The other half of a relation: silver of gold, WTI of Brent and the other way round. */
  readonly partner: { readonly quote: MetalQuote | null; readonly history: readonly DatedPrice[] };
  readonly read_at_ms: number;
  readonly warnings: readonly string[];
}

const LIVE_TTL_MS = 15_000;
const SLOW_TTL_MS = { daily: 3_600_000, monthly: 12 * 3_600_000 } as const;
/** A year of observations and a month before it; five years of months. */
const SINCE_DAYS = { daily: 430, monthly: 1_830 } as const;
/** Oil and gas come 3 to 5 business days late, the IMF's months about two months late. */
const AGE_DAYS_MAX = { daily: 14, monthly: 130 } as const;
const PARTNERS: Readonly<Partial<Record<CommoditySymbol, CommoditySymbol>>> = {
  gold: "silver",
  silver: "gold",
  wti: "brent",
  brent: "wti",
};

type Context = FetchContext;

async function askDealer(context: Context, code: string): Promise<MetalQuote> {
  const { bid, ask, at_ms } = await fetchDealerQuote(context, `${code}/USD`, LIVE_TTL_MS);
  return { provider: swissquote.id, kind: "dealer", bid, ask, mid: (bid + ask) / 2, at_ms };
}
async function askSpot(context: Context, code: string): Promise<MetalQuote> {
  const { price, at_ms } = await fetchGoldapiPrice(context, code, LIVE_TTL_MS);
  return { provider: goldapi.id, kind: "spot", bid: null, ask: null, mid: price, at_ms };
}
async function askOracle(context: Context, code: string): Promise<MetalQuote> {
  const to = getOwn(CHAINLINK_METALS, code) ?? "";
  const { price, updated_at_ms } = await fetchChainlinkFeed(context, { chain: "ethereum", to });
  return { provider: evmRpc.id, kind: "oracle", bid: null, ask: null, mid: price, at_ms: updated_at_ms };
}
async function askToken(context: Context): Promise<MetalQuote> {
  const { bid, ask, at_ms } = await fetchKrakenQuote(context, "PAXG");
  return { provider: kraken.id, kind: "token", bid, ask, mid: (bid + ask) / 2, at_ms };
}

/** A source that not every metal has. */
const ask = (provider: ProviderDefinition, run: () => Promise<MetalQuote>) => ({
  field: "quotes",
  attempts: [{ provider, run }],
});
const NOBODY = { run: async (): Promise<MetalQuote | null> => null };

/** @throws NodeError without a quote of the metal. */
async function fetchLive(context: Context, symbol: CommoditySymbol, { code }: LiveCommodity): Promise<CommodityInputs> {
  const partner = PARTNERS[symbol];
  const other = partner ? COMMODITIES[partner] : null;
  const askPartner = () => askDealer(context, other && "code" in other ? other.code : "");
  const [{ values, warnings, errors }, fixes] = await Promise.all([
    context.each({
      dealer: { field: "bid, ask", attempts: [{ provider: swissquote, run: () => askDealer(context, code) }] },
      spot: { field: "quotes", attempts: [{ provider: goldapi, run: () => askSpot(context, code) }] },
      oracle: Object.hasOwn(CHAINLINK_METALS, code) ? ask(evmRpc, () => askOracle(context, code)) : NOBODY,
      token: code === "XAU" ? ask(kraken, () => askToken(context)) : NOBODY,
      partner: other ? { field: "related", attempts: [{ provider: swissquote, run: askPartner }] } : NOBODY,
    }),
    metalFixes.read(context, { of: symbol, last: "430d" }),
  ]);
  const quotes = [values.dealer, values.spot, values.oracle, values.token].flatMap((quote) => quote ?? []);
  if (quotes.length === 0) throw toNodeError([errors.dealer, errors.spot], symbol);
  for (const sample of fixes.slice(-1)) citeSample(context, sample);
  return {
    symbol,
    quotes,
    read_at_ms: context.now_ms,
    warnings,
    history: fixes.map(({ at_ms, value }) => ({ date: new Date(at_ms).toISOString().slice(0, 10), value })),
    partner: { quote: values.partner, history: [] },
  };
}

/** A slow series from the agency's own interface where a key is there, else from FRED; too old a one is refused. */
async function fetchSeries(context: Context, one: SlowCommodity): Promise<readonly DatedPrice[]> {
  const today = new Date(context.now_ms).toISOString().slice(0, 10);
  const ttl_ms = SLOW_TTL_MS[one.cadence];
  const refuseOld = (rows: readonly DatedPrice[]): readonly DatedPrice[] => {
    const newest = rows.at(-1)?.date ?? "";
    if (newest >= addDays(today, -AGE_DAYS_MAX[one.cadence])) return rows;
    throw new NodeError("upstream_bad_response", `the newest observation is of ${newest}`);
  };
  const { eia: series } = one;
  const since = addDays(today, -SINCE_DAYS[one.cadence]);
  const fromEIA =
    series === null
      ? []
      : [{ provider: eia, run: async () => refuseOld(await fetchEIASeries(context, series, ttl_ms)) }];
  const fromFred = async () => refuseOld(await fetchFredSeries(context, { id: one.fred, since, ttl_ms }));
  return context.first("the series", [...fromEIA, { provider: fred, run: fromFred }]);
}

async function fetchSlow(context: Context, symbol: CommoditySymbol, one: SlowCommodity): Promise<CommodityInputs> {
  const partner = PARTNERS[symbol];
  const other = partner ? COMMODITIES[partner] : null;
  const { values, warnings } = await context.each({
    history: { field: "price", essential: true, run: () => fetchSeries(context, one) },
    partner: {
      field: "related",
      because: "the other oil's price could not be had",
      run: async () => (other && "fred" in other ? await fetchSeries(context, other) : []),
    },
  });
  return {
    symbol,
    quotes: [],
    history: values.history,
    read_at_ms: context.now_ms,
    warnings,
    partner: { quote: null, history: values.partner ?? [] },
  };
}

/** @throws NodeError without a source of the commodity. */
export function fetchCommodity(context: Context, symbol: CommoditySymbol): Promise<CommodityInputs> {
  const one = COMMODITIES[symbol];
  return one.cadence === "live" ? fetchLive(context, symbol, one) : fetchSlow(context, symbol, one);
}
