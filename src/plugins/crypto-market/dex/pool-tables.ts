import type { FetchContext, ProviderDefinition } from "intel-node";
import { defillama } from "intel-node/providers/defillama/provider";
import { fetchDefillamaPrice } from "intel-node/providers/defillama/token-price";
import type { DexChain } from "intel-node/providers/dex-tokens";
import { fetchPoolPrice } from "intel-node/providers/dexscreener/pool-price";
import { dexscreener } from "intel-node/providers/dexscreener/provider";
import { fetchGeckoterminalPrice } from "intel-node/providers/geckoterminal/pool-price";
import { geckoterminal } from "intel-node/providers/geckoterminal/provider";
import { within } from "./venue.ts";

/** Tables whose price is shown, never traded on, for a token without quotes; in failover order. */
export const POOL_TABLE_IDS = ["dexscreener", "geckoterminal", "defillama"] as const;
export type PoolTableId = (typeof POOL_TABLE_IDS)[number];

/** For a product's list of providers. */
export const POOL_TABLE_PROVIDERS: readonly ProviderDefinition[] = [dexscreener, geckoterminal, defillama];

export interface TablePrice {
  readonly source: PoolTableId;
  /** US dollars. */
  readonly price: number;
  /** Of the deepest pool; null where the table does not say. */
  readonly liquidity_usd: number | null;
  /** Time of the price, ms; null where the table states none: it is then as new as the call. */
  readonly at_ms: number | null;
}

export type TableContext = Pick<FetchContext, "get" | "now_ms" | "usable" | "signal" | "first">;

interface Listed {
  readonly chain: DexChain;
  readonly token: string;
  /** The greatest age of a price that states its time, for its use. */
  readonly age_max_ms: number;
}

/** A price that is set beside quotes of now, without its age, is at most this old. */
export const LIVE_AGE_MAX_MS = 900_000;

const TABLES: readonly {
  readonly provider: ProviderDefinition;
  readonly fetchPrice: (context: TableContext, listed: Listed) => Promise<TablePrice>;
}[] = [
  {
    provider: dexscreener,
    fetchPrice: async (context, listed) => ({
      source: "dexscreener",
      ...(await fetchPoolPrice(context, listed)),
      at_ms: null,
    }),
  },
  {
    provider: geckoterminal,
    fetchPrice: async (context, listed) => ({
      source: "geckoterminal",
      ...(await fetchGeckoterminalPrice(context, listed)),
      at_ms: null,
    }),
  },
  {
    provider: defillama,
    fetchPrice: async (context, listed) => ({
      source: "defillama",
      ...(await fetchDefillamaPrice(context, listed)),
      liquidity_usd: null,
    }),
  },
];

/**
 * A token's price by the first table that has one: DEX Screener and, with the operator's licence, GeckoTerminal and
 * DefiLlama. The tables in use share the time.
 * @throws NodeError when none has one.
 */
export function fetchTablePrice(context: TableContext, listed: Listed, limit_ms: number): Promise<TablePrice> {
  const usable = TABLES.filter(({ provider }) => context.usable(provider));
  return context.first(
    "a pool table's price",
    usable.map(({ provider, fetchPrice }) => ({
      provider,
      run: () => within(limit_ms / usable.length, provider.id, fetchPrice(context, listed)),
    })),
  );
}
