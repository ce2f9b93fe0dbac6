import { type Computed, compareText, type PeerIdentity } from "intel-node";
import { getQuantile7 } from "intel-node/quant/moments";
import type { BazaarListing } from "../bazaar/listings.ts";
import type { MarketInputs } from "./fetch.ts";
import type { AgentMarketData, AgentMarketParams } from "./schema.ts";

const CLAIMS_NOTE =
  "A listing is what its seller, or a facilitator, says of itself: prices, kinds and usage were not checked here. " +
  "/x402-audit looks at one of them.";

/** Share of the prices that are cheaper, percent; null without prices. */
export const percentileOf = (price: number, prices: readonly number[]): number | null =>
  prices.length === 0 ? null : (100 * prices.filter((one) => one < price).length) / prices.length;

/** Quartiles by linear interpolation (Hyndman and Fan, type 7). */
export const barOf = (prices: readonly number[]) => {
  const at = (p: number): number => getQuantile7(prices, p) ?? 0;
  return { p25: at(0.25), p50: at(0.5), p75: at(0.75) };
};

function countBy(
  listings: readonly BazaarListing[],
  keyOf: (one: BazaarListing) => string,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const one of listings) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || compareText(a, b));
}

/** A resource in both registers counts once. */
const dedupe = (listings: readonly BazaarListing[]): readonly BazaarListing[] => [
  ...new Map(listings.map((one) => [one.resource, one])).values(),
];

function describeMarket(listings: readonly BazaarListing[], { pages }: MarketInputs): AgentMarketData["market"] {
  if (listings.length === 0) return null;
  const hosts = countBy(listings, ({ host }) => host);
  const [, largest = 0] = hosts[0] ?? [];
  return {
    resources: listings.length,
    listed_total: pages.reduce((sum, { page }) => sum + (page?.total ?? 0), 0),
    hosts: hosts.length,
    by_network: countBy(listings, ({ network }) => network).map(([network, resources]) => ({ network, resources })),
    price_atomic: barOf(listings.map(({ price_atomic }) => price_atomic)),
    by_category: countBy(listings, ({ category }) => category).map(([category, resources]) => ({
      category,
      resources,
      price_atomic: barOf(listings.filter((one) => one.category === category).map((one) => one.price_atomic)),
    })),
    top_hosts: hosts.slice(0, 10).map(([host, resources]) => ({ host, resources })),
    top_host_share: largest / listings.length,
    quality_available_share: listings.filter(({ calls_30d }) => calls_30d !== null).length / listings.length,
    registers: pages.filter(({ page }) => page !== null).map(({ register }) => register),
  };
}

/** An unchecked listing is called unverified, never anything better. */
const renderPeer = ({ origin, verdict, node_id, checked_at_ms }: PeerIdentity) => ({
  origin,
  identity: verdict ?? ("unverified" as const),
  node_id,
  checked_at: checked_at_ms === null ? null : new Date(checked_at_ms).toISOString(),
});

/** This node's prices among those of all listings, and the listings most used. */
export function computeMarket(inputs: MarketInputs, params: AgentMarketParams): Computed<AgentMarketData> {
  const { products, settlements, pages, read_at_ms, node_id } = inputs;
  const listings = dedupe(pages.flatMap(({ page }) => page?.listings ?? []));
  const prices = listings.map(({ price_atomic }) => price_atomic);
  const market = describeMarket(listings, inputs);
  const wanted = listings.filter(({ category }) => params.category === undefined || category === params.category);
  const comparables = [...wanted].sort((a, b) => (b.calls_30d ?? -1) - (a.calls_30d ?? -1)).slice(0, params.limit);
  const proven = new Set(inputs.peers.filter(({ verdict }) => verdict === "verified").map(({ origin }) => origin));
  const has_gaps = comparables.some(({ calls_30d, payers_30d }) => calls_30d === null || payers_30d === null);
  return {
    as_of_ms: read_at_ms,
    data: {
      node: {
        node_id,
        products: products.length,
        settlements_organic: settlements?.organic ?? null,
        settlements_operator_test: settlements?.operator_test ?? null,
      },
      catalog: products.map(({ path, price_atomic }) => ({
        path,
        price_atomic: price_atomic.toString(),
        market_percentile: percentileOf(Number(price_atomic), prices),
      })),
      market,
      comparables: comparables.map(({ updated_at_ms, price_atomic, host: _, ...one }) => ({
        ...one,
        identity: proven.has(new URL(one.resource).origin) ? ("verified" as const) : ("unverified" as const),
        price_atomic: String(price_atomic),
        last_updated: updated_at_ms === null ? null : new Date(updated_at_ms).toISOString(),
      })),
      peers: inputs.peers.map(renderPeer),
      claims_note: CLAIMS_NOTE,
    },
    warnings: [
      ...(market === null ? ["market, catalog.market_percentile: no register answered"] : []),
      ...(settlements === null ? ["node.settlements_organic, node.settlements_operator_test: not readable now"] : []),
      ...inputs.peers
        .filter(({ node_id }) => node_id === null)
        .map(
          ({ origin, verdict }) =>
            `peers.node_id: ${origin} ${verdict === null ? "is not checked yet" : "proved none"}`,
        ),
      ...(inputs.peers.some(({ checked_at_ms }) => checked_at_ms === null)
        ? ["peers.checked_at: not checked yet"]
        : []),
      ...(has_gaps ? ["comparables.calls_30d, comparables.payers_30d: registers have no figures for some"] : []),
      ...pages
        .filter(({ page }) => page === null)
        .map(({ register }) => `market.registers: ${register} gave no answer`),
    ],
  };
}
