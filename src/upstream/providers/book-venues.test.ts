import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../core/errors.ts";
import { BOOK_VENUES } from "./book-venues.ts";
import { SPOT_VENUES } from "./spot-venues.ts";

const NOW_MS = 1_790_000_000_000;
const NOW_ISO = "2026-09-21T14:13:20.123456Z";

type Pair = readonly [price: string, quantity: string];

interface Case {
  readonly path: string;
  /** The venue's documented answer with these levels. */
  readonly answer: (bids: readonly Pair[], asks: readonly Pair[], at_ms: number) => unknown;
  /** How the body reaches the reader, where not as parsed JSON. */
  readonly encode?: (answer: unknown) => unknown;
  readonly stated_ms: number | null;
  /** Answers that say no with status 200, or are about something else. */
  readonly errors: readonly unknown[];
}

const SIDE: readonly Pair[] = [["1.2", "1"]];

const CASES: Readonly<Record<string, Case>> = {
  kraken: {
    path: "/0/public/Depth?pair=XBTUSD&count=100",
    answer: (bids, asks, at_ms) => ({
      error: [],
      result: {
        XXBTZUSD: {
          asks: asks.map(([price, quantity], index) => [price, quantity, at_ms / 1000 - 7 * index]),
          bids: bids.map(([price, quantity]) => [price, quantity, at_ms / 1000 - 90]),
        },
      },
    }),
    stated_ms: NOW_MS,
    errors: [
      { error: ["EService:Unavailable"] },
      { error: [], result: {} },
      { error: [], result: { A: { asks: [["1.2", "1", 1]], bids: [["1.1", "1", 1]] }, B: { asks: [], bids: [] } } },
      { error: [], result: { A: { asks: [["1.2", "1"]], bids: [["1.1", "1"]] } } },
    ],
  },
  bitstamp: {
    path: "/api/v2/order_book/btcusd/",
    answer: (bids, asks, at_ms) => ({
      timestamp: String(Math.floor(at_ms / 1000)),
      microtimestamp: `${at_ms}123`,
      bids,
      asks,
    }),
    stated_ms: NOW_MS,
    errors: [
      { status: "error", reason: "Not found", code: "404" },
      { timestamp: "1789999000", bids: SIDE, asks: SIDE },
    ],
  },
  gemini: {
    path: "/v1/book/btcusd?limit_bids=100&limit_asks=100",
    answer: (bids, asks) => ({
      bids: bids.map(([price, amount]) => ({ price, amount, timestamp: "1789999000" })),
      asks: asks.map(([price, amount]) => ({ price, amount, timestamp: "1789999000" })),
    }),
    stated_ms: null,
    errors: [{ result: "error", reason: "System", message: "no" }],
  },
  cryptocom: {
    path: "/public/get-book?instrument_name=BTC_USD&depth=50",
    answer: (bids, asks, at_ms) => ({
      id: -1,
      method: "public/get-book",
      code: 0,
      result: {
        depth: 50,
        instrument_name: "BTC_USD",
        data: [{ bids: bids.map((one) => [...one, "3"]), asks: asks.map((one) => [...one, "2"]), t: at_ms }],
      },
    }),
    stated_ms: NOW_MS,
    errors: [
      { id: -1, code: 40004, message: "Invalid" },
      { id: -1, code: 0 },
      { code: 0, result: { data: [] } },
    ],
  },
  coinbase: {
    path: "/products/BTC-USD/book?level=2",
    answer: (bids, asks, at_ms) => ({
      bids: bids.map((one) => [...one, 2]),
      asks: asks.map((one) => [...one, 1]),
      sequence: 13_051_505_638,
      auction_mode: false,
      auction: null,
      time: at_ms === NOW_MS ? NOW_ISO : new Date(at_ms).toISOString(),
    }),
    encode: (answer) => JSON.stringify(answer),
    stated_ms: Date.parse(NOW_ISO),
    errors: [{ message: "NotFound" }, { bids: [["1.1", "1", 1]], asks: [["1.2", "1", 1]], auction_mode: true }],
  },
  binance: {
    path: "/api/v3/depth?symbol=BTCUSDT&limit=100",
    answer: (bids, asks) => ({ lastUpdateId: 1_027_024, bids, asks }),
    stated_ms: null,
    errors: [{ code: -1120, msg: "Invalid interval." }],
  },
  okx: {
    path: "/api/v5/market/books?instId=BTC-USDT&sz=100",
    answer: (bids, asks, at_ms) => ({
      code: "0",
      msg: "",
      data: [
        {
          asks: asks.map((one) => [...one, "0", "1"]),
          bids: bids.map((one) => [...one, "0", "4"]),
          ts: String(at_ms),
        },
      ],
    }),
    stated_ms: NOW_MS,
    errors: [
      { code: "50011", msg: "Too Many Requests", data: [] },
      { code: "0", msg: "", data: [] },
    ],
  },
  bybit: {
    path: "/v5/market/orderbook?category=spot&symbol=BTCUSDT&limit=100",
    answer: (bids, asks, at_ms) => ({
      retCode: 0,
      retMsg: "OK",
      result: { s: "BTCUSDT", a: asks, b: bids, ts: at_ms, u: 1_458_765, seq: 7_890_123 },
      retExtInfo: {},
      time: at_ms,
    }),
    stated_ms: NOW_MS,
    errors: [
      { retCode: 10006, retMsg: "Too many visits!", result: {}, retExtInfo: {}, time: NOW_MS },
      { retCode: 0, result: { s: "ETHUSDT", a: [["1.2", "1"]], b: [["1.1", "1"]], ts: NOW_MS } },
    ],
  },
};

const BIDS: readonly Pair[] = [
  ["63999.5", "0.25"],
  ["63999.0", "1.5"],
];
const ASKS: readonly Pair[] = [
  ["64000.5", "0.75"],
  ["64001.0", "2"],
];

for (const venue of BOOK_VENUES) {
  const { id } = venue.provider;
  const known = CASES[id];
  if (!known) throw new Error(`no cases for ${id}`);
  const fetchFrom = (body: unknown) => {
    const context = createRecordedContext({
      now_ms: NOW_MS,
      bodies: { [`${id} GET ${known.path}`]: known.encode?.(body) ?? body },
    });
    return venue.fetchBook(context, "BTC");
  };
  const kindOf = async (body: unknown) => {
    const error = await fetchFrom(body).catch((thrown: unknown) => thrown);
    return error instanceof UpstreamError ? error.kind : `no error: ${JSON.stringify(error)}`;
  };
  const refuses = async (bids: readonly Pair[], asks: readonly Pair[], at_ms = NOW_MS) =>
    expect(await kindOf(known.answer(bids, asks, at_ms))).toBe("upstream_bad_response");

  describe(id, () => {
    test("a documented answer gives both sides, best first, and the time it states", async () => {
      expect(await fetchFrom(known.answer(BIDS, ASKS, NOW_MS))).toEqual({
        bids: [
          { price: 63_999.5, quantity: 0.25 },
          { price: 63_999, quantity: 1.5 },
        ],
        asks: [
          { price: 64_000.5, quantity: 0.75 },
          { price: 64_001, quantity: 2 },
        ],
        at_ms: known.stated_ms,
      });
    });

    test("no more than 100 levels a side are read", async () => {
      const long = Array.from({ length: 150 }, (_, index): Pair => [String(64_001 + index), "1"]);
      const book = await fetchFrom(known.answer(BIDS, long, NOW_MS));
      expect(book.asks.map(({ price }) => price)).toEqual(Array.from({ length: 100 }, (_, index) => 64_001 + index));
    });

    test("an error sent with status 200 is refused", async () => {
      for (const body of known.errors) expect(await kindOf(body)).toBe("upstream_bad_response");
    });

    test("a crossed book, a very wide one and a price of zero are refused", async () => {
      await refuses([["64001", "1"]], ASKS);
      await refuses([["60000", "1"]], ASKS);
      await refuses([["0", "1"]], ASKS);
    });

    test("levels out of order are refused, on either side", async () => {
      await refuses(BIDS.toReversed(), ASKS);
      await refuses(BIDS, ASKS.toReversed());
    });

    test("an empty side is refused, also one whose levels hold nothing", async () => {
      await refuses([], ASKS);
      await refuses(BIDS, []);
      await refuses(BIDS, [["64000.5", "0"]]);
    });

    test("a level that holds nothing is left out", async () => {
      const { asks } = await fetchFrom(known.answer(BIDS, [["64000.1", "0.000"], ...ASKS], NOW_MS));
      expect(asks).toHaveLength(2);
    });

    test("text that is no plain decimal number is refused", async () => {
      for (const bad of ["", "NaN", "-1", "6.4e4", "64,000.0", "0x10", "Infinity"]) {
        await refuses([[bad, "1"]], ASKS);
        await refuses([["63999.5", bad]], ASKS);
      }
    });

    test("nulls, other shapes and empty arrays are refused", async () => {
      for (const body of [null, [], {}, "x", 5, { result: null, data: null, error: null, bids: null, asks: null }]) {
        expect(await kindOf(body)).toBe("upstream_bad_response");
      }
    });

    test("an old date is handed over, one in the future is refused", async () => {
      if (known.stated_ms === null) return;
      expect((await fetchFrom(known.answer(BIDS, ASKS, NOW_MS - 86_400_000))).at_ms).toBe(NOW_MS - 86_400_000);
      await refuses(BIDS, ASKS, NOW_MS + 61_000);
    });
  });
}

test("the venues and their quote currencies are those asked for prices", () => {
  const list = (venues: readonly { provider: { id: string }; quote: string }[]) =>
    venues.map(({ provider, quote }) => [provider.id, quote]);
  expect(list(BOOK_VENUES)).toEqual(list(SPOT_VENUES));
});

test("taker fees are the lowest public tier's", () => {
  expect(Object.fromEntries(BOOK_VENUES.map(({ provider, taker }) => [provider.id, taker.bps]))).toEqual({
    kraken: 40,
    bitstamp: 40,
    gemini: 40,
    cryptocom: 50,
    coinbase: 60,
    binance: 10,
    okx: 10,
    bybit: 10,
  });
  const unconfirmed = BOOK_VENUES.filter(({ taker }) => !taker.confirmed).map(({ provider }) => provider.id);
  expect(unconfirmed).toEqual(["bitstamp", "gemini", "cryptocom"]);
});
