import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../core/errors.ts";
import { getMid } from "./quote.ts";
import { SPOT_VENUES } from "./spot-venues.ts";

const NOW_MS = 1_790_000_000_000;
const NOW_ISO = "2026-09-21T14:13:20.123456Z";

interface Case {
  /** The venue's documented answer with these prices. */
  readonly answer: (bid: string, ask: string, at_ms: number) => unknown;
  readonly path: string;
  readonly stated_ms: number | null;
  /** Answers that say no with status 200. */
  readonly errors: readonly unknown[];
}

const CASES: Readonly<Record<string, Case>> = {
  kraken: {
    path: "/0/public/Depth?pair=XBTUSD&count=10",
    answer: (bid, ask, at_ms) => ({
      error: [],
      result: {
        XXBTZUSD: {
          asks: [
            [ask, "0.5", at_ms / 1000 - 7],
            ["70000.0", "2", at_ms / 1000],
          ],
          bids: [[bid, "0.5", at_ms / 1000 - 9]],
        },
      },
    }),
    stated_ms: NOW_MS,
    errors: [
      { error: ["EService:Unavailable"] },
      { error: [], result: {} },
      { error: [], result: { XXBTZUSD: { asks: [], bids: [] } } },
      {
        error: [],
        result: {
          A: { asks: [["1.2", "1", 1]], bids: [["1.1", "1", 1]] },
          B: { asks: [["1.2", "1", 1]], bids: [["1.1", "1", 1]] },
        },
      },
    ],
  },
  bitstamp: {
    path: "/api/v2/ticker/btcusd/",
    answer: (bid, ask, at_ms) => ({ timestamp: String(at_ms / 1000), bid, ask, last: bid, side: "0" }),
    stated_ms: NOW_MS,
    errors: [{ status: "error", reason: "Not found", code: "404" }],
  },
  gemini: {
    path: "/v1/book/btcusd?limit_bids=1&limit_asks=1",
    answer: (bid, ask) => ({
      bids: [{ price: bid, amount: "0.5", timestamp: "1789999000" }],
      asks: [{ price: ask, amount: "0.5", timestamp: "1789999000" }],
    }),
    stated_ms: null,
    errors: [
      { result: "error", reason: "System", message: "no" },
      { bids: [], asks: [] },
    ],
  },
  cryptocom: {
    path: "/public/get-book?instrument_name=BTC_USD&depth=1",
    answer: (bid, ask, at_ms) => ({
      id: -1,
      code: 0,
      result: { data: [{ bids: [[bid, "0.5", "3"]], asks: [[ask, "0.5", "2"]], t: at_ms }] },
    }),
    stated_ms: NOW_MS,
    errors: [
      { id: -1, code: 40004, message: "Invalid" },
      { id: -1, code: 0 },
      { code: 0, result: { data: [] } },
    ],
  },
  coinbase: {
    path: "/products/BTC-USD/ticker",
    answer: (bid, ask, at_ms) => ({
      trade_id: 1,
      price: bid,
      size: "0.1",
      bid,
      ask,
      volume: "1.5",
      time: at_ms === NOW_MS ? NOW_ISO : new Date(at_ms).toISOString(),
    }),
    stated_ms: Date.parse(NOW_ISO),
    errors: [{ message: "NotFound" }],
  },
  binance: {
    path: "/api/v3/ticker/bookTicker?symbol=BTCUSDT",
    answer: (bid, ask) => ({ symbol: "BTCUSDT", bidPrice: bid, bidQty: "0.5", askPrice: ask, askQty: "0.5" }),
    stated_ms: null,
    errors: [
      { code: -1120, msg: "Invalid interval." },
      { symbol: "ETHUSDT", bidPrice: "1.1", askPrice: "1.2" },
    ],
  },
  okx: {
    path: "/api/v5/market/ticker?instId=BTC-USDT",
    answer: (bid, ask, at_ms) => ({
      code: "0",
      msg: "",
      data: [{ instId: "BTC-USDT", bidPx: bid, askPx: ask, ts: String(at_ms) }],
    }),
    stated_ms: NOW_MS,
    errors: [
      { code: "50011", msg: "Too Many Requests", data: [] },
      { code: "0", msg: "", data: [] },
      { code: "0", data: [{ instId: "ETH-USDT", bidPx: "1.1", askPx: "1.2", ts: String(NOW_MS) }] },
    ],
  },
  bybit: {
    path: "/v5/market/tickers?category=spot&symbol=BTCUSDT",
    answer: (bid, ask, at_ms) => ({
      retCode: 0,
      result: { category: "spot", list: [{ symbol: "BTCUSDT", bid1Price: bid, ask1Price: ask }] },
      time: at_ms,
    }),
    stated_ms: NOW_MS,
    errors: [
      { retCode: 10006, retMsg: "Too many visits!", result: {}, time: NOW_MS },
      { retCode: 0, result: { list: [] } },
      { retCode: 0, result: { list: [{ symbol: "ETHUSDT", bid1Price: "1.1", ask1Price: "1.2" }] } },
    ],
  },
};

for (const venue of SPOT_VENUES) {
  const { id } = venue.provider;
  const known = CASES[id];
  if (!known) throw new Error(`no cases for ${id}`);
  const fetchFrom = (body: unknown) => {
    const context = createRecordedContext({ now_ms: NOW_MS, bodies: { [`${id} GET ${known.path}`]: body } });
    return venue.fetchQuote(context, "BTC");
  };
  const kindOf = async (body: unknown) => {
    const error = await fetchFrom(body).catch((thrown: unknown) => thrown);
    return error instanceof UpstreamError ? error.kind : `no error: ${JSON.stringify(error)}`;
  };

  describe(id, () => {
    test("a documented answer gives bid, ask and the time it states", async () => {
      const quote = await fetchFrom(known.answer("63999.5", "64000.5", NOW_MS));
      expect(quote).toEqual({ bid: 63_999.5, ask: 64_000.5, at_ms: known.stated_ms });
      expect(getMid(quote)).toBe(64_000);
    });

    test("an error sent with status 200 is refused", async () => {
      for (const body of known.errors) expect(await kindOf(body)).toBe("upstream_bad_response");
    });

    test("a price of zero, a crossed book and a very wide one are refused", async () => {
      for (const [bid, ask] of [
        ["0", "64000"],
        ["0", "0"],
        ["64001", "64000"],
        ["60000", "64000"],
      ] as const) {
        expect(await kindOf(known.answer(bid, ask, NOW_MS))).toBe("upstream_bad_response");
      }
    });

    test("text that is no plain decimal number is refused", async () => {
      for (const bid of ["", "NaN", "-1", "6.4e4", "64,000.0", "0x10", "Infinity"]) {
        expect(await kindOf(known.answer(bid, "64000.5", NOW_MS))).toBe("upstream_bad_response");
      }
    });

    test("nulls, other shapes and empty arrays are refused", async () => {
      for (const body of [null, [], {}, "x", 5, { result: null, data: null, error: null }]) {
        expect(await kindOf(body)).toBe("upstream_bad_response");
      }
    });

    test("an old date is handed over, one in the future is refused", async () => {
      if (known.stated_ms === null) return;
      expect((await fetchFrom(known.answer("1.1", "1.1", NOW_MS - 86_400_000))).at_ms).toBe(NOW_MS - 86_400_000);
      expect(await kindOf(known.answer("1.1", "1.1", NOW_MS + 61_000))).toBe("upstream_bad_response");
    });
  });
}

test("restricted venues are the ones quoted in USDT and coinbase", () => {
  const restricted = SPOT_VENUES.filter(({ provider }) => provider.terms.class === "restricted");
  expect(restricted.map(({ provider }) => provider.id)).toEqual(["coinbase", "binance", "okx", "bybit"]);
});
