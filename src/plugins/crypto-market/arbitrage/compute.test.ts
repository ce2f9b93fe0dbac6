import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { fc } from "../../../../test/helpers/properties.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { NodeError, UpstreamError } from "../../../core/errors.ts";
import type { BookLevel } from "../../../upstream/providers/order-book.ts";
import { computeArbitrage as draft } from "./compute.ts";
import type { ArbitrageInputs, VenueBook } from "./fetch.ts";
import { type ArbitrageQuote, ArbitrageSchema } from "./schema.ts";
import { vector } from "./vector.ts";

const computeArbitrage = asSold(ArbitrageSchema, draft);

const NOW_MS = 1_790_000_000_000;

type Row = readonly [price: number, quantity: number];
const levels = (rows: readonly Row[]): BookLevel[] => rows.map(([price, quantity]) => ({ price, quantity }));

interface Options {
  readonly bps?: number;
  readonly quote?: ArbitrageQuote;
  /** null: the venue states no time. */
  readonly age_ms?: number | null;
  readonly source?: VenueBook["taker_source"];
}

function venue(name: string, bids: readonly Row[], asks: readonly Row[], options: Options = {}): VenueBook {
  const { bps = 40, quote = "USD", age_ms = 1_000, source = "published" } = options;
  const at_ms = age_ms === null ? null : NOW_MS - age_ms;
  return {
    venue: name,
    quote,
    quote_note: null,
    taker_bps: bps,
    taker_source: source,
    outcome: { ok: true, value: { bids: levels(bids), asks: levels(asks), at_ms } },
  };
}
/** A venue whose bid and ask hold any size. */
const deep = (name: string, bid: number, ask: number, options: Options = {}) =>
  venue(name, [[bid, 1e6]], [[ask, 1e6]], options);
const down = (name: string, error: unknown): VenueBook => ({
  ...deep(name, 1, 2),
  outcome: { ok: false, error },
});

const compute = (books: readonly VenueBook[], usdt: ArbitrageInputs["usdt"] = null, quote: ArbitrageQuote = "USD") =>
  computeArbitrage({ read_at_ms: NOW_MS, books, usdt }, { base: "BTC", quote });
const sizeOf = (books: readonly VenueBook[], notional_usd: number, usdt: ArbitrageInputs["usdt"] = null) =>
  compute(books, usdt).data.sizes.find((size) => size.notional_usd === notional_usd);
const reasonOf = (books: readonly VenueBook[], name: string, usdt: ArbitrageInputs["usdt"] = null) =>
  compute(books, usdt).data.venues.find((one) => one.venue === name)?.reason;

const A_ASKS: readonly Row[] = [
  [64_000, 0.05],
  [64_010, 0.1],
  [64_030, 0.5],
];
const B_BIDS: readonly Row[] = [
  [64_120, 0.06],
  [64_100, 0.08],
  [64_060, 1],
];
const A = venue(
  "kraken",
  [
    [63_990, 0.4],
    [63_985, 0.5],
  ],
  A_ASKS,
);
const B = venue(
  "bitstamp",
  B_BIDS,
  [
    [64_130, 0.3],
    [64_140, 1],
  ],
  { bps: 10, source: "operator" },
);

describe("arbitrage", () => {
  test("gives the published example and vector: top of book looks better than it is", () => {
    const { data, as_of_ms, warnings } = compute([A, B]);
    expect(data).toEqual(vector.data);
    expect(data.sizes[1]?.best).toMatchObject({ gross_bps: 14.99, net_bps: -34.89, pnl_usd: -35.03 });
    expect(data.max_gross_bps).toBe(18.75);
    expect(data.executable).toBe(false);
    expect(as_of_ms).toBe(NOW_MS - 1_000);
    expect(warnings).toEqual(["sizes.50000: insufficient_depth at kraken (buy)"]);
  });

  test("a venue's spread is a share of the middle of its best prices", () => {
    const { venues } = compute([deep("kraken", 98, 102), deep("bitstamp", 99, 100)]).data;
    expect(venues.map(({ spread_bps }) => spread_bps)).toEqual([400, 100.5]);
  });

  test("what survives both fees is executable, what is exactly eaten by them is not", () => {
    const cheap = deep("a", 99, 100, { bps: 40 });
    expect(compute([cheap, deep("b", 101, 102, { bps: 40 })]).data.executable).toBe(true);
    // 100 x 1.004 = 100.4 paid, 100.4 x (1 - 0) got.
    const even = [deep("a", 99, 100, { bps: 40 }), deep("b", 100.4, 102, { bps: 0 })];
    expect(sizeOf(even, 10_000)?.best).toMatchObject({ buy_venue: "a", sell_venue: "b", net_bps: 0, pnl_usd: 0 });
    expect(compute(even).data.executable).toBe(false);
    const loss = compute([cheap, deep("b", 100.7, 102, { bps: 40 })]).data;
    expect(loss).toMatchObject({ executable: false, max_gross_bps: 70 });
  });

  test("only 10,000 decides: what survives at 1,000 alone is not executable", () => {
    const thin = venue(
      "b",
      [
        [110, 15],
        [90, 1e6],
      ],
      [[111, 1e6]],
    );
    const books = [deep("a", 99, 100), thin];
    expect(sizeOf(books, 1_000)?.best?.net_bps).toBeGreaterThan(0);
    expect(compute(books).data.executable).toBe(false);
  });

  test("a leg in the other quote currency is converted at the middle of USDT/USD and pays half its spread", () => {
    const usdt = { bid: 0.998, ask: 1.002 };
    const books = [deep("a", 99, 100, { bps: 0 }), deep("b", 101, 102, { bps: 0, quote: "USDT" })];
    expect(sizeOf(books, 10_000, usdt)?.best).toMatchObject({ gross_bps: 100, net_bps: 79.8 });
    const cheaper = sizeOf(books, 10_000, { bid: 0.988, ask: 0.992 })?.best;
    // 101 x 0.99 = 99.99 US dollars.
    expect(cheaper).toMatchObject({ bid_vwap: 99.99, gross_bps: -1 });
    const both = books.map((one) => ({ ...one, quote: "USDT" as const }));
    expect(sizeOf(both, 10_000, usdt)?.best).toMatchObject({ gross_bps: 100, net_bps: 100 });
    expect(compute(books, usdt).data.assumptions.at(-1)).toContain("half its spread");
    expect(compute(both, usdt).data.assumptions.at(-1)).not.toContain("half its spread");
  });

  test("a pair in USDT shows the same result with prices in USDT", () => {
    const usdt = { bid: 0.5, ask: 0.5 };
    const books = [deep("a", 99, 100), deep("b", 101, 102)];
    const [usd, in_usdt] = [compute(books, usdt).data, compute(books, usdt, "USDT").data];
    expect(in_usdt.pair).toBe("BTC/USDT");
    expect(in_usdt.sizes[0]?.best).toMatchObject({ ask_vwap: 200, bid_vwap: 202 });
    expect(in_usdt.sizes.map(({ matrix }) => matrix)).toEqual(usd.sizes.map(({ matrix }) => matrix));
    expect(in_usdt.sizes[0]?.best?.pnl_usd).toBe(usd.sizes[0]?.best?.pnl_usd ?? Number.NaN);
    expect(() => compute(books, null, "USDT")).toThrow(NodeError);
  });

  test("without a USDT rate the venues that quote in it are shown and not used", () => {
    const books = [deep("a", 99, 100), deep("b", 99, 100), deep("okx", 101, 102, { quote: "USDT" })];
    const { data, warnings } = compute(books);
    expect(data.venues[2]).toMatchObject({ bid: 101, used: false, reason: "no_rate" });
    expect(warnings).toEqual(["venues.okx: no USDT/USD rate to convert it with"]);
    expect(data.sizes[0]?.matrix).toHaveLength(2);
  });

  test("books whose times lie more than 3 s apart are not compared; the larger or newer group stays", () => {
    const at = (name: string, age_ms: number | null) => deep(name, 99, 100, { age_ms });
    const late = [at("a", 500), at("b", 3_501), at("c", 3_502)];
    expect(["a", "b", "c"].map((name) => reasonOf(late, name))).toEqual(["stale", null, null]);
    const pair = [at("a", 0), at("b", 3_000), at("c", null)];
    expect(["a", "b", "c"].map((name) => reasonOf(pair, name))).toEqual([null, null, null]);
    const apart = [at("a", 0), at("b", 3_001), at("c", null)];
    expect(["a", "b", "c"].map((name) => reasonOf(apart, name))).toEqual([null, "stale", null]);
    // One clock that is wrong does not make the others old.
    const wrong = [at("a", -9_000), at("b", 100), at("c", 200)];
    expect(["a", "b", "c"].map((name) => reasonOf(wrong, name))).toEqual(["stale", null, null]);
  });

  test("books older than 10 s are refused with 503, and undated ones alone as well", () => {
    const at = (name: string, age_ms: number | null) => deep(name, 99, 100, { age_ms });
    expect(compute([at("a", 10_000), at("b", 10_000)]).data.venues[0]?.used).toBe(true);
    for (const books of [
      [at("a", 10_001), at("b", 10_001)],
      [at("a", null), at("b", null)],
      [at("a", 0)],
      [at("a", 0), down("b", new UpstreamError("upstream_timeout", "b", "x"))],
      [],
    ]) {
      expect(() => compute(books)).toThrow(NodeError);
    }
  });

  test("a failed venue is listed with nothing but its fee and reason, without the upstream's words", () => {
    const books = [A, B, down("gemini", new UpstreamError("upstream_timeout", "gemini", "secret words"))];
    const { data, warnings } = compute(books);
    expect(data.venues[2]).toMatchObject({ bid: null, ask: null, spread_bps: null, age_ms: null, reason: "error" });
    expect(warnings).toContain("venues.gemini: no usable book (upstream_timeout)");
    expect(JSON.stringify(data)).not.toContain("secret");
  });

  test("a size without enough depth anywhere has no best and leaves the others alone", () => {
    const small = (name: string) => venue(name, [[99, 20]], [[100, 20]]);
    const { data } = compute([small("a"), small("b")]);
    expect(data.sizes.map(({ best }) => best === null)).toEqual([false, true, true]);
    expect(data.sizes[1]).toMatchObject({
      matrix: [],
      insufficient_depth: [
        { venue: "a", side: "buy" },
        { venue: "b", side: "buy" },
      ],
    });
    expect(data.executable).toBe(false);
    const tiny = (name: string) => venue(name, [[99, 0.1]], [[100, 0.1]]);
    expect(compute([tiny("a"), tiny("b")]).data.max_gross_bps).toBeNull();
  });

  const any = fc
    .record({
      mid: fc.double({ min: 95, max: 105, noNaN: true }),
      quantities: fc.array(fc.double({ min: 1, max: 300, noNaN: true }), { minLength: 1, maxLength: 6 }),
      bps: fc.integer({ min: 0, max: 100 }),
      age_ms: fc.integer({ min: 0, max: 4_000 }),
    })
    .map(
      ({ mid, quantities, bps, age_ms }) =>
        (name: string) =>
          venue(
            name,
            quantities.map((quantity, index): Row => [mid * (1 - 0.001 * (index + 1)), quantity]),
            quantities.map((quantity, index): Row => [mid * (1 + 0.001 * (index + 1)), quantity]),
            { bps, age_ms },
          ),
    );
  const books = fc
    .array(any, { minLength: 4, maxLength: 8 })
    .map((list) => list.map((make, index) => make(`v${index}`)));
  const computeOrNull = (list: readonly VenueBook[]) => {
    try {
      return compute(list).data;
    } catch {
      return null;
    }
  };

  test("whatever the books, the answer matches its schema, and the best is the highest net result", () => {
    fc.assert(
      fc.property(books, (list) => {
        const data = computeOrNull(list);
        if (!data) return true;
        return (
          Value.Check(ArbitrageSchema, data) &&
          data.sizes.every(
            ({ best, matrix }) =>
              (best === null) === (matrix?.length === 0) &&
              (matrix ?? []).every(({ net_bps, gross_bps }) => net_bps <= gross_bps && net_bps <= (best?.net_bps ?? 0)),
          )
        );
      }),
    );
  });

  test("the order of the venues changes nothing but their order", () => {
    fc.assert(
      fc.property(books, (list) => {
        const [one, other] = [computeOrNull(list), computeOrNull(list.toReversed())];
        expect(other?.sizes.map(({ best }) => best?.net_bps)).toEqual(one?.sizes.map(({ best }) => best?.net_bps));
        expect(other?.venues.toReversed()).toEqual(one?.venues);
      }),
    );
  });

  test("all prices and quantities rescaled to another unit of the coin give the same basis points", () => {
    fc.assert(
      fc.property(books, (list) => {
        const rescale = (side: readonly BookLevel[]) =>
          side.map(({ price, quantity }) => ({ price: price / 1024, quantity: quantity * 1024 }));
        const scaled = list.map((one) => {
          const { outcome } = one;
          if (!outcome.ok) return one;
          const { bids, asks, at_ms } = outcome.value;
          return { ...one, outcome: { ok: true as const, value: { bids: rescale(bids), asks: rescale(asks), at_ms } } };
        });
        expect(computeOrNull(scaled)?.sizes.map(({ matrix }) => matrix)).toEqual(
          computeOrNull(list)?.sizes.map(({ matrix }) => matrix),
        );
      }),
    );
  });
});
