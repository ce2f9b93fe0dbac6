import { afterEach, describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { NodeError, UpstreamError } from "../../../core/errors.ts";
import { fetchDefillamaPrice } from "../../../upstream/providers/defillama/token-price.ts";
import { DEX_CHAINS, DEX_TOKENS, USDC } from "../../../upstream/providers/dex-tokens.ts";
import { fetchGeckoterminalPrice } from "../../../upstream/providers/geckoterminal/pool-price.ts";
import {
  fetchTablePrice,
  LIVE_AGE_MAX_MS,
  POOL_TABLE_IDS,
  POOL_TABLE_PROVIDERS,
  type PoolTableId,
} from "./pool-tables.ts";

const NOW_MS = 1_790_000_010_000;
const TOKEN = DEX_TOKENS.base[0]?.address ?? "";
const LISTED = { chain: "base", token: TOKEN, age_max_ms: LIVE_AGE_MAX_MS } as const;
const BROKEN = [null, [], "<html></html>", { error: "x" }, { errors: [{ status: "404", title: "Not Found" }] }];

const kindOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : `no error: ${JSON.stringify(error)}`;
};
const contextOf = (key: string, body: unknown) => createRecordedContext({ now_ms: NOW_MS, bodies: { [key]: body } });

describe("GeckoTerminal's table", () => {
  interface PoolChange {
    readonly attributes?: Readonly<Record<string, unknown>>;
    readonly base?: string;
  }
  /** The documented shape: JSON:API, every number a string. */
  const pool = ({ attributes = {}, base = `base_${TOKEN.toLowerCase()}` }: PoolChange = {}) => ({
    id: "base_0xd0b53d9277642d899df5c87a3966a349a798f224",
    type: "pool",
    attributes: {
      base_token_price_usd: "3000.10",
      base_token_price_native_currency: "1.0",
      quote_token_price_usd: "0.9998",
      quote_token_price_native_currency: "0.000333",
      base_token_price_quote_token: "3000.70",
      quote_token_price_base_token: "0.000333",
      address: "0xd0b53d9277642d899df5c87a3966a349a798f224",
      name: "WETH / USDC 0.05%",
      pool_created_at: "2023-08-20T20:37:15Z",
      fdv_usd: "706000000.1",
      market_cap_usd: null,
      price_change_percentage: { m5: "0.01", h1: "0.2", h6: "-0.4", h24: "-1.57" },
      transactions: { h24: { buys: 912, sells: 628, buyers: 300, sellers: 200 } },
      volume_usd: { h24: "121060.89" },
      reserve_in_usd: "900000.25",
      ...attributes,
    },
    relationships: {
      base_token: { data: { id: base, type: "token" } },
      quote_token: { data: { id: `base_${USDC.base.toLowerCase()}`, type: "token" } },
      dex: { data: { id: "uniswap-v3-base", type: "dex" } },
    },
  });
  const read = (body: unknown) =>
    fetchGeckoterminalPrice(
      contextOf(`geckoterminal GET /networks/base/tokens/${TOKEN.toLowerCase()}/pools`, body),
      LISTED,
    );

  test("gives the price of the deepest pool", async () => {
    const deeper = pool({ attributes: { base_token_price_usd: "3001", reserve_in_usd: "5000000" } });
    expect(await read({ data: [pool(), deeper] })).toEqual({ price: 3_001, liquidity_usd: 5_000_000 });
  });

  test("a price it leaves out follows from that of the quote token", async () => {
    const { price } = await read({ data: [pool({ attributes: { base_token_price_usd: null } })] });
    expect(price).toBeCloseTo(3_000.7 * 0.9998, 6);
  });

  test("thin pools, absurd changes and pools where the token is the quote do not count", async () => {
    const unpriced = { base_token_price_usd: null, base_token_price_quote_token: null };
    const bad = [
      pool({ attributes: { reserve_in_usd: "249999.9" } }),
      pool({ attributes: { reserve_in_usd: null } }),
      pool({ attributes: { price_change_percentage: { h24: "1000.1" } } }),
      pool({ attributes: { base_token_price_usd: "0" } }),
      pool({ attributes: unpriced }),
      pool({ base: `base_${USDC.base.toLowerCase()}` }),
      pool({ base: `eth_${TOKEN.toLowerCase()}` }),
    ];
    for (const one of bad) {
      expect(await kindOf(read({ data: [one] }))).toBe("upstream_bad_response");
      expect(await read({ data: [one, pool()] })).toMatchObject({ price: 3_000.1 });
    }
  });

  test("an empty list and other bodies are refused", async () => {
    for (const body of [{ data: [] }, ...BROKEN]) expect(await kindOf(read(body))).toBe("upstream_bad_response");
  });
});

describe("DefiLlama's prices", () => {
  const coin = (change: object = {}) => ({
    decimals: 18,
    symbol: "WETH",
    price: 3_000.1,
    timestamp: NOW_MS / 1_000 - 90,
    confidence: 0.99,
    ...change,
  });
  const read = (body: unknown) => fetchDefillamaPrice(contextOf("defillama GET /prices/current/base:", body), LISTED);

  test("come with their time, whatever the case of the address", async () => {
    const expected = { price: 3_000.1, at_ms: NOW_MS - 90_000 };
    expect(await read({ coins: { [`base:${TOKEN}`]: coin() } })).toEqual(expected);
    expect(await read({ coins: { [`base:${TOKEN.toUpperCase().replace("X", "x")}`]: coin() } })).toEqual(expected);
  });

  test("are given with their age to who can use it: the limit is the use's, six hours the publisher's", async () => {
    const aged = (minutes: number) => ({
      coins: { [`base:${TOKEN}`]: coin({ timestamp: NOW_MS / 1_000 - minutes * 60 }) },
    });
    const readAged = (minutes: number) =>
      fetchDefillamaPrice(contextOf("defillama GET /prices/current/base:", aged(minutes)), {
        chain: "base",
        token: TOKEN,
      });
    for (const minutes of [16, 192, 360])
      expect(await readAged(minutes)).toEqual({ price: 3_000.1, at_ms: NOW_MS - minutes * 60_000 });
    expect(await kindOf(readAged(361))).toBe("upstream_bad_response");
    expect(await kindOf(read(aged(16)))).toBe("upstream_bad_response");
  });

  test("old, unsure, impossible and others' prices are refused", async () => {
    for (const change of [
      { timestamp: NOW_MS / 1_000 - 901 },
      { timestamp: NOW_MS / 1_000 + 61 },
      { confidence: 0.89 },
      { price: 0 },
      { price: null },
      { price: "3000" },
    ]) {
      expect(await kindOf(read({ coins: { [`base:${TOKEN}`]: coin(change) } }))).toBe("upstream_bad_response");
    }
    for (const body of [{ coins: {} }, { coins: { [`ethereum:${TOKEN}`]: coin() } }, ...BROKEN]) {
      expect(await kindOf(read(body))).toBe("upstream_bad_response");
    }
  });
});

describe("a price for a token without quotes", () => {
  const nodes: SimulatedNode[] = [];
  afterEach(() => {
    for (const node of nodes.splice(0)) node.close();
  });
  const createNode = (licensed: readonly string[], off: readonly string[] = []) => {
    const node = createSimulatedNode({ now_ms: NOW_MS, licensed, off });
    nodes.push(node);
    return node;
  };
  const ask = (node: SimulatedNode) => fetchTablePrice(node.createContext(), LISTED, 3_000);

  test("the tables' names are those of their providers, in failover order", () => {
    expect(POOL_TABLE_PROVIDERS.map(({ id }) => id)).toEqual([...POOL_TABLE_IDS]);
  });

  test("is the first usable table's, and each falls back on the next", async () => {
    const node = createNode(["geckoterminal", "defillama"]);
    const prices: number[] = [];
    for (const id of POOL_TABLE_IDS) {
      const found = await ask(node);
      expect(found.source).toBe(id);
      prices.push(found.price);
      node.upstreams.setFault(id, "http500");
      node.clock.advance(120_000);
    }
    expect(await ask(node).catch((error: unknown) => error)).toBeInstanceOf(NodeError);
    // Of one market: apart by its tables' offsets and by what it moved in two minutes.
    expect(Math.max(...prices) / Math.min(...prices) - 1).toBeLessThan(0.01);
  });

  test("without a licence only DEX Screener is asked", async () => {
    const node = createNode([]);
    node.upstreams.setFault("dexscreener", "http500");
    expect(await ask(node).catch((error: unknown) => error)).toBeInstanceOf(NodeError);
    for (const id of ["geckoterminal", "defillama"]) expect(node.upstreams.status()[id]?.calls ?? 0).toBe(0);
  });

  test.each(POOL_TABLE_IDS)("every token has a simulated price at %s", async (id: PoolTableId) => {
    const node = createNode(
      ["geckoterminal", "defillama"],
      POOL_TABLE_IDS.filter((one) => one !== id),
    );
    for (const chain of DEX_CHAINS) {
      for (const { address } of DEX_TOKENS[chain]) {
        const found = await fetchTablePrice(
          node.createContext(),
          { chain, token: address, age_max_ms: LIVE_AGE_MAX_MS },
          3_000,
        );
        expect(found).toMatchObject({ source: id });
        expect(found.price).toBeGreaterThan(0);
      }
    }
  });
});
