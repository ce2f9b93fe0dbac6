import { afterEach, describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../test/helpers/product-harness.ts";
import { createSimulatedNode, type SimulatedNode } from "../../../test/helpers/simulated-node.ts";
import { NodeError, UpstreamError } from "../../core/errors.ts";
import { fetchAlternativeMeCaps } from "./alternative-me/market-caps.ts";
import { COINGECKO_IDS } from "./coingecko/coins.ts";
import { fetchCoingeckoCaps } from "./coingecko/market-caps.ts";
import { fetchCoinmarketcapCaps } from "./coinmarketcap/market-caps.ts";
import { COINPAPRIKA_IDS, fetchCoinpaprikaCaps } from "./coinpaprika/market-caps.ts";
import { coinpaprika } from "./coinpaprika/provider.ts";
import { fetchMarketCaps } from "./market-caps.ts";
import { readCapRows } from "./market-caps-reading.ts";

const NOW_MS = Date.UTC(2026, 8, 27, 12, 0, 30);
const UPDATED_S = NOW_MS / 1000 - 90;
const UPDATED = new Date(UPDATED_S * 1000).toISOString();
const CAPS = { BTC: 1.68e12, ETH: 4.1e11, SOL: 9e10, XRP: 7e10, DOGE: 2e10, LTC: 7e9 };
type Symbols = keyof typeof CAPS;
const COINS = Object.entries(CAPS).map(([symbol, cap]) => ({ symbol: symbol as Symbols, cap }));

type Bodies = Parameters<typeof createRecordedContext>[0]["bodies"];
const contextOf = (bodies: Bodies, now_ms = NOW_MS) => createRecordedContext({ now_ms, bodies });
const kindOf = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : error;
};

describe("Alternative.me", () => {
  const coin = (symbol: string, market_cap: number | null, index: number, last_updated = UPDATED_S) => ({
    id: index + 1,
    name: symbol,
    symbol,
    rank: index + 1,
    circulating_supply: 1,
    quotes: { USD: { price: 1, volume_24h: 1, market_cap, percentage_change_24h: -0.41 } },
    last_updated,
  });
  const rows = COINS.map(({ symbol, cap }, index) => coin(symbol, cap, index));
  const metadata = { timestamp: UPDATED_S, num_cryptocurrencies: 6, error: null };
  const read = (body: unknown, now_ms?: number) =>
    fetchAlternativeMeCaps(contextOf({ "alternative_me GET /v2/ticker/?limit=250&convert=USD": body }, now_ms));

  test("a list and an object by id give the same reading; the total is that of the coins it lists", async () => {
    const total = COINS.reduce((sum, { cap }) => sum + cap, 0);
    const expected = {
      source: "alternative_me",
      caps: new Map<string, number>(Object.entries(CAPS)),
      total_usd: total,
      total_of: "listed_coins",
      total_change_24h_pct: null,
      btc_dominance_pct: (100 * CAPS.BTC) / total,
      at_ms: UPDATED_S * 1000,
    } as const;
    expect(await read({ data: rows, metadata })).toEqual(expected);
    const by_id = Object.fromEntries(rows.map((row) => [row.id, row]));
    expect(await read({ data: by_id, metadata })).toEqual(expected);
  });

  test("a coin without a figure is left out; figures older than 2 h or from the future are refused", async () => {
    const some = await read({ data: [...rows, coin("NEW", null, 7), coin("ZERO", 0, 8)], metadata });
    expect([...some.caps.keys()]).toEqual(Object.keys(CAPS));
    expect(await kindOf(read({ data: rows, metadata }, UPDATED_S * 1000 + 7_200_001))).toBe("upstream_bad_response");
    expect(await kindOf(read({ data: rows, metadata }, UPDATED_S * 1000 - 60_001))).toBe("upstream_bad_response");
  });

  test("a coin that is no longer renewed is left out, and takes no other's symbol", async () => {
    const dead = [coin("LUNA", 9e9, 7, UPDATED_S - 400 * 86_400), coin("ETH", 9e13, 8, UPDATED_S - 86_400)];
    const some = await read({ data: [...rows, ...dead], metadata });
    expect([...some.caps]).toEqual(Object.entries(CAPS));
  });

  test("errors, empty lists, nulls and lists without Bitcoin are refused", async () => {
    const bodies = [
      { data: rows, metadata: { ...metadata, error: "limit" } },
      { data: [], metadata },
      { data: {}, metadata },
      { data: null, metadata },
      { data: rows.slice(1), metadata },
      { data: rows.slice(0, 3), metadata },
      { data: rows.map((row) => ({ ...row, symbol: null })), metadata },
      {},
      [],
    ];
    for (const body of bodies) expect(await kindOf(read(body))).toBe("upstream_bad_response");
  });
});

describe("CoinMarketCap", () => {
  const status = { timestamp: UPDATED, error_code: 0, error_message: null, elapsed: 10, credit_count: 1 };
  const listings = {
    status,
    data: COINS.map(({ symbol, cap }, index) => ({
      id: index + 1,
      name: symbol,
      symbol,
      cmc_rank: index + 1,
      last_updated: UPDATED,
      quote: { USD: { price: 1, volume_24h: 1, market_cap: cap, last_updated: UPDATED } },
    })),
  };
  const totals = {
    status,
    data: {
      btc_dominance: 58.2,
      eth_dominance: 12,
      last_updated: UPDATED,
      quote: { USD: { total_market_cap: 2.9e12, total_market_cap_yesterday_percentage_change: -1.27 } },
    },
  };
  const read = (list: unknown, whole: unknown) =>
    fetchCoinmarketcapCaps(
      contextOf({
        "coinmarketcap GET /v1/cryptocurrency/listings/latest?start=1&limit=200&convert=USD": list,
        "coinmarketcap GET /v1/global-metrics/quotes/latest": whole,
      }),
    );

  test("coins and the market", async () => {
    expect(await read(listings, totals)).toEqual({
      source: "coinmarketcap",
      caps: new Map<string, number>(Object.entries(CAPS)),
      total_usd: 2.9e12,
      total_of: "market",
      total_change_24h_pct: -1.27,
      btc_dominance_pct: 58.2,
      at_ms: UPDATED_S * 1000,
    });
  });

  test("of coins that share a symbol the larger one counts; an unverified supply is ignored", async () => {
    const [bitcoin] = listings.data;
    const twin = { ...bitcoin, id: 99, quote: { USD: { market_cap: 5 } } };
    const unverified = { ...bitcoin, id: 98, symbol: "NEW", quote: { USD: { market_cap: 0 } } };
    const { caps } = await read({ ...listings, data: [twin, ...listings.data, unverified] }, totals);
    expect(caps.get("BTC")).toBe(CAPS.BTC);
    expect(caps.has("NEW")).toBe(false);
  });

  test("without its figures of the market those are null; without its coins there is no reading", async () => {
    const error = { status: { ...status, error_code: 1002, error_message: "API key missing." } };
    expect(await read(listings, error)).toMatchObject({
      total_usd: null,
      btc_dominance_pct: null,
      total_change_24h_pct: null,
    });
    expect(await kindOf(read(error, totals))).toBe("upstream_bad_response");
  });
});

describe("CoinGecko", () => {
  const coins = COINS.map(({ symbol, cap }) => ({
    id: COINGECKO_IDS[symbol],
    symbol: symbol.toLowerCase(),
    current_price: 1,
    market_cap: cap,
    total_volume: 1,
    last_updated: UPDATED,
  }));
  const totals = {
    data: {
      total_market_cap: { usd: 2.9e12 },
      market_cap_percentage: { btc: 57.9, eth: 12 },
      market_cap_change_percentage_24h_usd: -1.2,
      updated_at: UPDATED_S,
    },
  };
  const read = (list: unknown, whole: unknown) =>
    fetchCoingeckoCaps(
      contextOf({ "coingecko GET /coins/markets?vs_currency=usd": list, "coingecko GET /global": whole }),
    );

  test("coins are known by id, not by their symbol", async () => {
    const impostor = { ...coins[0], id: "bitcoin-of-somebody", market_cap: 9e14 };
    const reading = await read([impostor, ...coins], totals);
    expect(reading.caps).toEqual(new Map<string, number>(Object.entries(CAPS)));
    expect(reading).toMatchObject({ source: "coingecko", total_usd: 2.9e12, btc_dominance_pct: 57.9 });
  });

  test("its error bodies are refused", async () => {
    const limited = { status: { error_code: 429, error_message: "You've exceeded the Rate Limit." } };
    expect(await kindOf(read(limited, totals))).toBe("upstream_bad_response");
    expect(await kindOf(read([], totals))).toBe("upstream_bad_response");
    expect(await read(coins, limited)).toMatchObject({ total_usd: null });
  });
});

describe("Coinpaprika", () => {
  const ticker = (symbol: Symbols, change: object = {}) => ({
    id: COINPAPRIKA_IDS[symbol],
    symbol,
    rank: 1,
    beta_value: 0.9,
    last_updated: UPDATED,
    quotes: { USD: { price: 1, volume_24h: 1, market_cap: CAPS[symbol], percent_change_24h: 1 } },
    ...change,
  });
  const bodies = (change: Bodies = {}): Bodies => ({
    ...Object.fromEntries(
      COINS.map(({ symbol }) => [`coinpaprika GET /tickers/${COINPAPRIKA_IDS[symbol]}`, ticker(symbol)]),
    ),
    "coinpaprika GET /global": {
      market_cap_usd: 2.9e12,
      bitcoin_dominance_percentage: 57.4,
      market_cap_change_24h: -1,
    },
    ...change,
  });

  test("each coin by itself; those it does not answer for are left out", async () => {
    const reading = await fetchCoinpaprikaCaps(contextOf(bodies()));
    expect(reading.caps).toEqual(new Map<string, number>(Object.entries(CAPS)));
    expect(reading).toMatchObject({ source: "coinpaprika", total_usd: 2.9e12, btc_dominance_pct: 57.4 });
  });

  test("an answer about another coin counts for none", async () => {
    const other = bodies({ "coinpaprika GET /tickers/eth-ethereum": ticker("SOL") });
    expect((await fetchCoinpaprikaCaps(contextOf(other))).caps.has("ETH")).toBe(false);
  });

  test("without Bitcoin nothing else is asked for", async () => {
    const context = contextOf({ "coinpaprika GET /tickers/": { error: "id not found" } });
    expect(await kindOf(fetchCoinpaprikaCaps(context))).toBe("upstream_bad_response");
    expect(context.sources.filter(({ url }) => url.startsWith("/tickers/"))).toHaveLength(1);
  });

  test("it needs the operator's licence", () => {
    expect(coinpaprika.terms.class).toBe("restricted");
  });
});

test("figures in another unit are refused", () => {
  const rows = COINS.map(({ symbol, cap }) => ({ symbol, cap_usd: cap / 1e6, at_ms: NOW_MS }));
  expect(readCapRows(rows, NOW_MS)).toMatchObject({ why: expect.stringContaining("Bitcoin") });
});

describe("failover", () => {
  const nodes: SimulatedNode[] = [];
  afterEach(() => {
    for (const node of nodes.splice(0)) node.close();
  });
  const createNode = (options: Partial<Parameters<typeof createSimulatedNode>[0]> = {}) => {
    const node = createSimulatedNode({ now_ms: NOW_MS, ...options });
    nodes.push(node);
    return node;
  };
  const all = { api_keys: { coinmarketcap: "k" }, licensed: ["coingecko", "coinpaprika"] };

  test("is CoinMarketCap, Alternative.me, CoinGecko, Coinpaprika, and then it is missing", async () => {
    const sources: string[] = [];
    const off: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const node = createNode({ ...all, off: [...off] });
      const reading = await fetchMarketCaps(node.createContext());
      sources.push(reading.source);
      off.push(reading.source);
      expect(reading.caps.size).toBeGreaterThan(35);
      expect(reading.btc_dominance_pct ?? 0).toBeGreaterThan(20);
      expect(reading.btc_dominance_pct ?? 0).toBeLessThan(80);
    }
    expect(sources).toEqual(["coinmarketcap", "alternative_me", "coingecko", "coinpaprika"]);
    const error = await fetchMarketCaps(createNode({ ...all, off }).createContext()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NodeError);
  });

  test("publishers differ a little, on purpose", async () => {
    const [a, b] = await Promise.all([
      fetchMarketCaps(createNode(all).createContext()),
      fetchMarketCaps(createNode().createContext()),
    ]);
    expect(a.source).not.toBe(b.source);
    for (const [symbol, cap] of b.caps) {
      const ratio = cap / (a.caps.get(symbol) ?? Number.NaN);
      expect(ratio).not.toBe(1);
      expect(Math.abs(ratio - 1)).toBeLessThan(0.01);
    }
  });

  for (const fault of [
    "http429",
    "http500",
    "truncated",
    "html",
    "wrong_shape",
    "empty",
    "null_values",
    "stale",
  ] as const) {
    test(`a publisher with the fault ${fault} is replaced`, async () => {
      const node = createNode(all);
      node.upstreams.setFault("coinmarketcap", fault);
      expect((await fetchMarketCaps(node.createContext())).source).toBe("alternative_me");
    });
  }
});
