import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../test/helpers/product-harness.ts";
import { createSimulatedNode } from "../../../test/helpers/simulated-node.ts";
import { UpstreamError } from "../../core/errors.ts";
import { DAY_MS, getLastClosedBar, INTERVALS_MS } from "./bars.ts";
import { CANDLE_VENUES } from "./candle-venues.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const TODAY_MS = Date.UTC(2026, 9, 1);
const D1 = TODAY_MS - 2 * DAY_MS;
const D2 = TODAY_MS - DAY_MS;

interface Case {
  /** The documented answer with two closed bars and the open one. Values are made up, shapes are the venues'. */
  readonly answer: unknown;
  /** Answers that say no with status 200, and shapes that are not the documented one. */
  readonly refused: readonly unknown[];
}

const hyperliquidRow = (t: number, change: object = {}) => ({
  t,
  T: t + DAY_MS - 1,
  s: "BTC",
  i: "1d",
  o: "100.0",
  c: "104.0",
  h: "105.5",
  l: "99.0",
  v: "12.5",
  n: 7,
  ...change,
});
const krakenRow = (t: number) => [t / 1000, "100.0", "105.5", "99.0", "104.0", "101.1", "12.5", 7];
const bitstampRow = (t: number) => ({
  timestamp: String(t / 1000),
  open: "100.0",
  high: "105.5",
  low: "99.0",
  close: "104.0",
  volume: "12.5",
});
const cryptocomRow = (t: number) => ({ o: "100.0", h: "105.5", l: "99.0", c: "104.0", v: "12.5", t });
const cryptocomAnswer = (change: object = {}) => ({
  id: -1,
  code: 0,
  result: { interval: "1D", instrument_name: "BTC_USD", data: [D1, D2, TODAY_MS].map(cryptocomRow), ...change },
});
const binanceRow = (t: number) => [
  t,
  "100.0",
  "105.5",
  "99.0",
  "104.0",
  "12.5",
  t + DAY_MS - 1,
  "1250.0",
  7,
  "6.0",
  "600.0",
  "0",
];
const okxRow = (t: number, confirm = "1") => [
  String(t),
  "100.0",
  "105.5",
  "99.0",
  "104.0",
  "12.5",
  "1250",
  "1250",
  confirm,
];

const CASES: Readonly<Record<string, Case>> = {
  hyperliquid: {
    answer: [D1, D2, TODAY_MS].map((t) => hyperliquidRow(t)),
    refused: [[hyperliquidRow(D1), hyperliquidRow(D2, { s: "ETH" })], [hyperliquidRow(D1, { c: null })]],
  },
  kraken: {
    answer: { error: [], result: { XXBTZUSD: [D1, D2, TODAY_MS].map(krakenRow), last: D2 / 1000 } },
    refused: [
      { error: ["EService:Unavailable"] },
      { error: [], result: { last: 1 } },
      { error: [], result: { A: [krakenRow(D1)], B: [krakenRow(D2)], last: 1 } },
      { error: [], result: { XXBTZUSD: [], last: 1 } },
    ],
  },
  bitstamp: {
    answer: { data: { pair: "BTC/USD", ohlc: [D1, D2, TODAY_MS].map(bitstampRow) } },
    refused: [
      { data: { pair: "ETH/USD", ohlc: [D1, D2].map(bitstampRow) } },
      { data: { pair: "BTC/USD", ohlc: [] } },
      { code: "400.002", errors: [] },
    ],
  },
  cryptocom: {
    answer: cryptocomAnswer(),
    refused: [
      { id: -1, code: 40003, message: "Invalid timeframe" },
      cryptocomAnswer({ instrument_name: "ETH_USD" }),
      cryptocomAnswer({ data: [] }),
    ],
  },
  binance: {
    answer: [D1, D2, TODAY_MS].map(binanceRow),
    refused: [{ code: -1120, msg: "Invalid interval." }, [[D1, "1", "1", "1", "1"]]],
  },
  okx: {
    answer: { code: "0", msg: "", data: [okxRow(TODAY_MS, "0"), okxRow(D2), okxRow(D1)] },
    refused: [
      { code: "50011", msg: "Too Many Requests", data: [] },
      { code: "0", msg: "", data: [] },
      { code: "0", msg: "", data: [okxRow(D2, "0"), okxRow(D1)] },
    ],
  },
  coinbase: {
    // Low and high come before open and close.
    answer: [TODAY_MS, D2, D1].map((t) => [t / 1000, 99, 105.5, 100, 104, 12.5]),
    refused: [
      { message: "NotFound" },
      [
        [D2 / 1000, 105.5, 99, 100, 104, 12.5],
        [D1 / 1000, 99, 105.5, 100, 104, 1],
      ],
    ],
  },
};

for (const { provider, bars_max, intervals, path, fetchBars } of CANDLE_VENUES) {
  const { id } = provider;
  const known = CASES[id];
  if (!known) throw new Error(`no cases for ${id}`);
  const fetchFrom = (body: unknown) => {
    const method = id === "hyperliquid" ? "POST" : "GET";
    const context = createRecordedContext({ now_ms: NOW_MS, bodies: { [`${id} ${method} ${path}`]: body } });
    return fetchBars(context, { base: "BTC", interval: "1d", count: 2 });
  };

  describe(id, () => {
    test("a documented answer gives the closed bars, oldest first", async () => {
      const bar = { open: 100, high: 105.5, low: 99, close: 104, volume: 12.5 };
      expect(await fetchFrom(known.answer)).toEqual([
        { t_ms: D1, ...bar },
        { t_ms: D2, ...bar },
      ]);
    });

    test("errors sent with status 200, empty lists, nulls and other shapes are refused", async () => {
      for (const body of [...known.refused, null, [], {}, "x", { data: null, result: null, error: [] }]) {
        const error = await fetchFrom(body).catch((thrown: unknown) => thrown);
        expect(error instanceof UpstreamError ? error.kind : error).toBe("upstream_bad_response");
      }
    });

    for (const interval of intervals) {
      test(`a long window of ${interval} bars is read completely, in as many pages as it takes`, async () => {
        const node = createSimulatedNode({ now_ms: NOW_MS, licensed: [id] });
        const count = Math.min(740, bars_max);
        const bars = await fetchBars(node.createContext(), { base: "BTC", interval, count });
        node.close();
        const last_ms = getLastClosedBar(NOW_MS, interval);
        expect(bars).toHaveLength(count);
        expect([bars[0]?.t_ms, bars.at(-1)?.t_ms]).toEqual([last_ms - (count - 1) * INTERVALS_MS[interval], last_ms]);
        // Each bar opens where the one before closed, as in the simulated market.
        const jumps = bars.slice(1).map((bar, index) => Math.abs(bar.open / (bars[index]?.close ?? 0) - 1));
        expect(Math.max(...jumps)).toBeLessThan(1e-6);
      });
    }

    test("a venue whose newest bars are missing is refused", async () => {
      const node = createSimulatedNode({ now_ms: NOW_MS, licensed: [id] });
      node.upstreams.setFault(id, "stale");
      const error = await fetchBars(node.createContext(), { base: "BTC", interval: "1d", count: 30 }).catch(
        (thrown: unknown) => thrown,
      );
      node.close();
      expect(error instanceof UpstreamError ? error.kind : error).toBe("upstream_bad_response");
    });
  });
}

test("what Hyperliquid lists by the thousand is given per coin; what it does not list is not asked for", async () => {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  const ask = (id: string, base: string) => {
    const venue = CANDLE_VENUES.find(({ provider }) => provider.id === id);
    if (!venue) throw new Error(id);
    return venue.fetchBars(node.createContext(), { base, interval: "1d", count: 3 });
  };
  const [thousands, single] = [await ask("hyperliquid", "PEPE"), await ask("kraken", "PEPE")];
  for (const [index, bar] of thousands.entries()) {
    expect(Math.abs(bar.close / (single[index]?.close ?? 0) - 1)).toBeLessThan(0.001);
    expect(Math.abs(bar.volume / (single[index]?.volume ?? 0) - 1)).toBeLessThan(0.001);
  }
  const before = node.upstreams.status().hyperliquid?.calls;
  const error = await ask("hyperliquid", "NOSUCH").catch((thrown: unknown) => thrown);
  expect(error instanceof UpstreamError ? error.kind : error).toBe("upstream_not_found");
  // The list of coins was read for PEPE.
  expect(node.upstreams.status().hyperliquid?.calls).toBe(before ?? -1);
  node.close();
});
