import { describe, expect, test } from "bun:test";
import type { Static, TSchema } from "@sinclair/typebox";
import type { FetchContext } from "../../catalog/context.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import type { UpstreamRequest } from "../../catalog/request.ts";
import type { SimulatedRequest, SimulatedWorld } from "../../catalog/simulator.ts";
import { isUnusable } from "../../catalog/unusable.ts";
import { UpstreamError } from "../../core/errors.ts";
import { readValue } from "../read-answer.ts";
import { simulator as binance } from "./binance/simulator.ts";
import { simulator as bitstamp } from "./bitstamp/simulator.ts";
import { simulator as bybit } from "./bybit/simulator.ts";
import { simulator as coinbase } from "./coinbase/simulator.ts";
import { simulator as cryptocom } from "./cryptocom/simulator.ts";
import { fetchChainlinkPrice } from "./evm-rpc/chainlink-price.ts";
import { fetchPythContractPrice } from "./evm-rpc/pyth-contract.ts";
import { simulator as evmRpc } from "./evm-rpc/simulator.ts";
import { simulator as gemini } from "./gemini/simulator.ts";
import { simulator as kraken } from "./kraken/simulator.ts";
import { simulator as okx } from "./okx/simulator.ts";
import { fetchHermesPrice } from "./pyth-hermes/latest-price.ts";
import { simulator as pythHermes } from "./pyth-hermes/simulator.ts";
import { getMid } from "./quote.ts";
import { renderPrice } from "./simulated-market.ts";
import { fetchAccounts } from "./solana-rpc/accounts.ts";
import { parsePythAccount } from "./solana-rpc/pyth-account.ts";
import { PYTH_FEEDS } from "./solana-rpc/pyth-feeds.ts";
import { parseRedStoneAccount } from "./solana-rpc/redstone-account.ts";
import { REDSTONE_FEEDS } from "./solana-rpc/redstone-feeds.ts";
import { simulator as solanaRpc } from "./solana-rpc/simulator.ts";
import { SPOT_VENUES } from "./spot-venues.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const DAY_MS = 86_400_000;
const LEVELS: Readonly<Record<string, number>> = { BTC: 64_000, ETH: 3_000, SOL: 150, USDT: 1, ARB: 0.5 };

function createWorld(now_ms = NOW_MS): SimulatedWorld {
  return {
    now: () => now_ms,
    price: (symbol, at_ms = now_ms) => (LEVELS[symbol] ?? 10) * (1 + 0.02 * Math.sin(at_ms / (5 * DAY_MS))),
    noise: (key) => (Bun.hash.crc32(key) % 10_000) / 10_000,
  };
}

const CHAINS = [evmRpc, pythHermes, solanaRpc];
const SIMULATORS = [binance, bitstamp, bybit, coinbase, cryptocom, gemini, kraken, okx, ...CHAINS];

function ask(provider: string, path: string, options: { world?: SimulatedWorld; body?: unknown; chain?: string } = {}) {
  const url = new URL(path, "http://localhost");
  const request: SimulatedRequest = {
    method: options.body === undefined ? "GET" : "POST",
    path: url.pathname,
    query: url.searchParams,
    headers: new Headers({ authorization: "Bearer test" }),
    body: options.body,
    ...(options.chain === undefined ? {} : { chain: options.chain }),
  };
  const answer = SIMULATORS.find((one) => one.provider === provider)?.respond(request, options.world ?? createWorld());
  if (!answer) throw new Error(`no simulator of ${provider}`);
  // As over HTTP: what JSON cannot hold is lost.
  return "json" in answer
    ? { status: answer.status ?? 200, json: JSON.parse(JSON.stringify(answer.json)) }
    : { status: answer.status ?? 200, json: "text" in answer ? answer.text : null };
}

/** A context whose calls go to the simulators, checked as the client checks them. */
function createSimulatedContext(world = createWorld()): Pick<FetchContext, "get" | "now_ms"> {
  return {
    now_ms: world.now(),
    async get<S extends TSchema, T = Static<S>>(
      provider: ProviderDefinition,
      request: UpstreamRequest<S, T>,
    ): Promise<T> {
      const { body, chain } = request;
      const { status, json } = ask(provider.id, request.path === "" ? "/" : request.path, {
        world,
        body,
        ...(chain === undefined ? {} : { chain }),
      });
      const fail = (why: string) => new UpstreamError("upstream_bad_response", provider.id, why);
      if (status !== 200) throw fail(`status ${status}`);
      const read = readValue(json, request, { facts: { status, bytes: 0 } });
      if (!read.ok) throw fail(read.reason);
      return read.reading as T;
    },
  };
}

describe("simulated venues", () => {
  for (const { provider, fetchQuote } of SPOT_VENUES) {
    test(`${provider.id} quotes the world's price within a few basis points`, async () => {
      const world = createWorld();
      for (const symbol of ["BTC", "ETH", "SOL", "ARB"]) {
        const quote = await fetchQuote(createSimulatedContext(world), symbol);
        expect(quote.ask).toBeGreaterThan(quote.bid);
        expect(Math.abs(getMid(quote) / world.price(symbol) - 1)).toBeLessThan(0.0005);
        expect(quote.at_ms === null || Math.abs(quote.at_ms - NOW_MS) < 1_000).toBe(true);
      }
    });

    test(`${provider.id} knows no symbol that is not listed`, async () => {
      const error = await fetchQuote(createSimulatedContext(), "NOPE").catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UpstreamError);
    });
  }

  test("prices are written without an exponent, with 8 significant digits", () => {
    expect([64_000.123456789, 0.5, 0.00001234, 123_456_789.5].map(renderPrice)).toEqual([
      "64000.123",
      "0.50000000",
      "0.000012340000",
      "123456790",
    ]);
  });
});

interface Bar {
  readonly t_ms: number;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
  readonly v: number;
}

const bar = (t_ms: unknown, ...values: unknown[]): Bar => {
  const [o = 0, h = 0, l = 0, c = 0, v = 0] = values.map(Number);
  return { t_ms: Number(t_ms), o, h, l, c, v };
};

type Answer = ReturnType<typeof ask>["json"];
type Row = Readonly<Record<string, unknown>>;

/** Daily bars of one venue, oldest first, whatever order and units it uses. */
const CANDLES: Readonly<Record<string, { path: string; read: (json: Answer) => Bar[]; bars_max: number }>> = {
  kraken: {
    path: "/0/public/OHLC?pair=XBTUSD&interval=1440",
    read: ({ result }) =>
      result.XXBTZUSD.map(([t, o, h, l, c, , v]: unknown[]) => bar(Number(t) * 1000, o, h, l, c, v)),
    bars_max: 720,
  },
  bitstamp: {
    path: "/api/v2/ohlc/btcusd/?step=86400&limit=1000",
    read: ({ data }) =>
      data.ohlc.map((r: Row) => bar(Number(r.timestamp) * 1000, r.open, r.high, r.low, r.close, r.volume)),
    bars_max: 1_000,
  },
  cryptocom: {
    path: "/public/get-candlestick?instrument_name=BTC_USD&timeframe=1D&count=300",
    read: ({ result }) => result.data.map((r: Row) => bar(r.t, r.o, r.h, r.l, r.c, r.v)),
    bars_max: 300,
  },
  binance: {
    path: "/api/v3/klines?symbol=BTCUSDT&interval=1d&limit=1000",
    read: (rows) => rows.map(([t, o, h, l, c, v]: unknown[]) => bar(t, o, h, l, c, v)),
    bars_max: 1_000,
  },
  okx: {
    path: "/api/v5/market/history-candles?instId=BTC-USDT&bar=1Dutc&limit=100",
    read: ({ data }) => data.map(([t, o, h, l, c, v]: unknown[]) => bar(t, o, h, l, c, v)).reverse(),
    bars_max: 100,
  },
  coinbase: {
    path: "/products/BTC-USD/candles?granularity=86400",
    read: (rows) => rows.map(([t, l, h, o, c, v]: unknown[]) => bar(Number(t) * 1000, o, h, l, c, v)).reverse(),
    bars_max: 300,
  },
};

const readBars = (venue: string, json: Answer): Bar[] => CANDLES[venue]?.read(json) ?? [];

describe("simulated candles", () => {
  for (const [venue, { path, bars_max }] of Object.entries(CANDLES)) {
    test(`${venue} gives its newest bars without a gap, sound, with volume, the open one last`, () => {
      const bars = readBars(venue, ask(venue, path).json);
      expect(bars).toHaveLength(bars_max);
      expect(bars.at(-1)?.t_ms).toBe(Math.floor(NOW_MS / DAY_MS) * DAY_MS);
      for (const [index, one] of bars.entries()) {
        expect(one.t_ms).toBe((bars[0]?.t_ms ?? 0) + index * DAY_MS);
        expect(one.h).toBeGreaterThanOrEqual(Math.max(one.o, one.c));
        expect(one.l).toBeLessThanOrEqual(Math.min(one.o, one.c));
        expect(one.v).toBeGreaterThan(0);
        const next = bars[index + 1];
        if (next) expect(Math.abs(next.o / one.c - 1)).toBeLessThan(1e-6);
      }
    });
  }

  test("a closed bar is the same in every window and on the next day", () => {
    const one = (world: SimulatedWorld, query: string) =>
      readBars("bitstamp", ask("bitstamp", `/api/v2/ohlc/btcusd/?step=86400&limit=${query}`, { world }).json).at(-2);
    const yesterday = one(createWorld(), "1000");
    const start = (yesterday?.t_ms ?? 0) / 1000;
    expect(one(createWorld(), "50")).toEqual(yesterday);
    expect(one(createWorld(NOW_MS + DAY_MS), `2&start=${start}`)).toEqual(yesterday);
  });

  test("a start gives the oldest bars from there where a venue pages forward", () => {
    const start_s = Date.UTC(2023, 0, 1) / 1000;
    const start = `/api/v2/ohlc/btcusd/?step=86400&limit=10&start=${start_s}`;
    const times = readBars("bitstamp", ask("bitstamp", start).json).map(({ t_ms }) => t_ms);
    expect(times).toEqual(Array.from({ length: 10 }, (_, index) => start_s * 1000 + index * DAY_MS));
    const path = `/api/v3/klines?symbol=BTCUSDT&interval=1d&limit=3&startTime=${start_s * 1000}`;
    expect(readBars("binance", ask("binance", path).json)[0]?.t_ms).toBe(start_s * 1000);
  });

  test("okx pages backward with after, and its plain day starts at 16:00 UTC", () => {
    const after = Date.UTC(2026, 0, 10);
    const path = (name: string) => `/api/v5/market/history-candles?instId=BTC-USDT&bar=${name}&limit=3&after=${after}`;
    expect(readBars("okx", ask("okx", path("1Dutc")).json).map(({ t_ms }) => t_ms)).toEqual([
      after - 3 * DAY_MS,
      after - 2 * DAY_MS,
      after - DAY_MS,
    ]);
    expect(readBars("okx", ask("okx", path("1D")).json).at(-1)?.t_ms).toBe(after - DAY_MS / 3);
  });

  test("okx marks the open bar as not confirmed, and only that", () => {
    const rows: unknown[][] = ask("okx", CANDLES.okx?.path ?? "").json.data;
    expect(rows.filter((row) => row[8] !== "1").map((row) => rows.indexOf(row))).toEqual([0]);
  });

  test("coinbase refuses a window of more than 300 bars", () => {
    const path = "/products/BTC-USD/candles?granularity=86400&start=2024-01-01T00:00:00Z&end=2026-01-01T00:00:00Z";
    expect(ask("coinbase", path).status).toBe(400);
  });
});

describe("simulated chains", () => {
  const solana = (method: string, params: unknown[] = []) =>
    ask("solana_rpc", "/", { chain: "solana", body: { jsonrpc: "2.0", id: 7, method, params } }).json;
  const evm = (chain: string, method: string, params: unknown[] = []) =>
    ask("evm_rpc", "/", { chain, body: { jsonrpc: "2.0", id: 7, method, params } }).json;

  test("every Pyth and RedStone account of the tables decodes to the world's price", async () => {
    const world = createWorld();
    for (const [symbol, feed] of Object.entries(PYTH_FEEDS)) {
      const { slot, accounts } = await fetchAccounts(createSimulatedContext(world), [feed.classic, feed.upgraded]);
      for (const account of accounts) {
        if (!account) throw new Error("no account");
        const price = parsePythAccount(account, { feed, slot, now_ms: NOW_MS });
        if (isUnusable(price)) throw new Error(price.why);
        expect(price.price).toBeCloseTo(world.price(symbol, price.publish_time_ms), 7);
        expect(NOW_MS - price.publish_time_ms).toBeLessThanOrEqual(21_000);
      }
    }
    for (const [symbol, address] of Object.entries(REDSTONE_FEEDS)) {
      const { accounts } = await fetchAccounts(createSimulatedContext(world), [address]);
      if (!accounts[0]) throw new Error("no account");
      const price = parseRedStoneAccount(accounts[0], { feed: symbol, now_ms: NOW_MS });
      if (isUnusable(price)) throw new Error(price.why);
      expect(price.price).toBeCloseTo(world.price(symbol, price.timestamp_ms), 7);
    }
  });

  test("Chainlink's and Pyth's contracts and Hermes answer with the world's price", async () => {
    const world = createWorld();
    const context = createSimulatedContext(world);
    for (const chain of ["base", "ethereum"] as const) {
      for (const symbol of ["BTC", "ETH", "SOL"] as const) {
        const { price, updated_at_ms } = await fetchChainlinkPrice(context, { chain, symbol });
        expect(price).toBeCloseTo(world.price(symbol, updated_at_ms), 7);
      }
      const { feed_id } = PYTH_FEEDS.ETH;
      const { price, publish_time_ms } = await fetchPythContractPrice(context, { chain, feed_id });
      expect(price).toBeCloseTo(world.price("ETH", publish_time_ms), 7);
    }
    const hermes = await fetchHermesPrice(context, PYTH_FEEDS.SOL.feed_id);
    expect(hermes.price).toBeCloseTo(world.price("SOL", hermes.publish_time_ms), 7);
  });

  test("a world set back 8 days shows dates of 8 days ago", async () => {
    const context = createSimulatedContext(createWorld(NOW_MS - 8 * DAY_MS));
    const { updated_at_ms } = await fetchChainlinkPrice(context, { chain: "base", symbol: "BTC" });
    expect(NOW_MS - updated_at_ms).toBeGreaterThan(8 * DAY_MS);
  });

  test("an unknown account is null, an unknown method an error, an unknown contract empty", () => {
    expect(solana("getMultipleAccounts", [["11111111111111111111111111111111"]]).result.value).toEqual([null]);
    expect(solana("nope").error.code).toBe(-32601);
    expect(evm("base", "nope").error.code).toBe(-32601);
    const call = { to: "0x0000000000000000000000000000000000000001", data: "0xfeaf968c" };
    expect(evm("base", "eth_call", [call, "latest"])).toEqual({ jsonrpc: "2.0", id: 7, result: "0x" });
  });

  test("fee history has one base fee more than blocks and a reward per block and percentile", () => {
    const { result } = evm("ethereum", "eth_feeHistory", ["0x14", "latest", [10, 50, 90]]);
    expect(result.baseFeePerGas).toHaveLength(21);
    expect(result.gasUsedRatio).toHaveLength(20);
    expect(result.reward).toHaveLength(20);
    for (const tips of result.reward) expect(tips).toHaveLength(3);
    for (const value of [...result.baseFeePerGas, ...result.reward.flat()]) expect(BigInt(value)).toBeGreaterThan(0n);
    expect(evm("ethereum", "eth_feeHistory", ["0x2", "latest"]).result.reward).toBeUndefined();
  });

  test("Solana's slot and its recent fees agree", () => {
    const slot = solana("getSlot").result;
    const fees = solana("getRecentPrioritizationFees").result;
    expect(fees).toHaveLength(150);
    expect(fees.at(-1).slot).toBe(slot);
    for (const { prioritizationFee } of fees) expect(prioritizationFee).toBeGreaterThanOrEqual(0);
  });
});
