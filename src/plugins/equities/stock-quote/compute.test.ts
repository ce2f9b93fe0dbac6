import { describe, expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { getCalendar } from "../markets/session.ts";
import { computeStockQuote } from "./compute.ts";
import type { StockQuoteInputs } from "./fetch.ts";
import type { StockQuoteData } from "./schema.ts";
import { vector } from "./vector.ts";

/** A Wednesday, 15:10 in New York. */
const OPEN_MS = Date.parse("2026-09-02T19:10:33Z");
const SOFI = {
  symbol: "SOFI",
  bid: 17.9,
  ask: 17.91,
  at_ms: OPEN_MS - 4_000,
  day_high: 17.93,
  day_low: 16.89,
  volume: 30_680_280,
  halted: false,
};
const closeOf = (date: string, price: number) => ({
  date,
  price,
  sample: { at_ms: Date.parse(date), value: price, sources: [] },
});

const compute = (inputs: Partial<StockQuoteInputs>, { symbol = "SOFI", now_ms = OPEN_MS } = {}) =>
  settled<StockQuoteData>(
    computeStockQuote(
      {
        share: SOFI,
        oracle: null,
        token: null,
        vendor: null,
        actions: [],
        listing: null,
        closes: [closeOf("2026-09-01", 17.02)],
        warnings: [],
        ...inputs,
        exchange: { mic: "XNYS", own: [] },
        state: getCalendar("XNYS").stateAt(now_ms),
      },
      { symbol, now_ms },
    ),
  );

describe("stock quote", () => {
  test("the middle of a narrow quote while New York trades: the published vector", () => {
    const listing = { cik: 1_818_874, name: "SoFi Technologies, Inc.", ticker: "SOFI", exchange: "Nasdaq" };
    const { data, as_of_ms } = compute({ listing });
    expect(data.spread_bps).toBeCloseTo(5.58503, 5);
    expect(data.range_position).toBeCloseTo(0.97596154, 8);
    expect(data).toMatchObject({ price: 17.905, price_basis: "mid", session: vector.data.session });
    expect(data.change_pct).toBeCloseTo(5.19976, 4);
    expect(as_of_ms).toBe(OPEN_MS - 4_000);
    expect(Object.keys(data)).toEqual(Object.keys(vector.data));
  });

  test("a quote too wide is not a price: the last stored close, then the feed, then the token, then nothing", () => {
    const wide = { ...SOFI, bid: 17.8 };
    const oracle = { price: 17.95, updated_at_ms: OPEN_MS - 60_000, feed: "0x1" };
    const token = { bid: 17.9, ask: 17.92, at_ms: null };
    const basis = (inputs: Partial<StockQuoteInputs>) => compute({ share: wide, ...inputs }).data.price_basis;
    expect(basis({ oracle, token })).toBe("indicative");
    expect(basis({ oracle, token, closes: [] })).toBe("oracle");
    expect(basis({ token, closes: [] })).toBe("token_mid");
    expect(() => basis({ closes: [] })).toThrow("no quote is fresh and narrow enough");
    const { data, warnings } = compute({ share: wide });
    expect(data).toMatchObject({ price: 17.02, bid: 17.8, is_proxy: false, prev_close: null });
    expect(warnings).toContain("price: the quote is too wide, this is the last stored close");
  });

  test("after hours and on half days the price is the session's close, against the close before it", () => {
    const closes = [closeOf("2026-11-25", 17), closeOf("2026-11-27", 18)];
    // 13:30 in New York on the day after Thanksgiving, which ended at 13:00.
    const now_ms = Date.parse("2026-11-27T18:30:00Z");
    // A quote of September is too old for the close to be called its price.
    expect(() => compute({ closes }, { now_ms })).toThrow();
    const { data } = compute({ closes, share: { ...SOFI, at_ms: now_ms - 10_000 } }, { now_ms });
    expect(data.session).toMatchObject({ status: "post", next_open: "2026-11-30T14:30:00Z" });
    expect(data).toMatchObject({ price: 18, price_basis: "indicative", prev_close: 17, change: 1 });
  });

  test("a feed unchanged over a weekend is fresh, over two sessions more it is not", () => {
    const oracle = { price: 334, updated_at_ms: Date.parse("2026-09-04T19:00:00Z"), feed: "0x1" };
    const only = (now: string) => () =>
      compute({ share: null, oracle, closes: [] }, { symbol: "AAPL", now_ms: Date.parse(now) }).data.price_basis;
    // Monday the 7th is Labor Day.
    expect(only("2026-09-08T14:00:00Z")()).toBe("oracle");
    expect(only("2026-09-10T14:00:00Z")).toThrow();
  });

  test("a vendor's own close before is what its price changed from", () => {
    const at = (price: number, prev_close: number | null) => ({
      provider: "vendor",
      quote: {
        currency: "USD",
        price,
        prev_close,
        at_ms: OPEN_MS - 60_000,
        delay_minutes: 15,
        name: null,
        open: null,
        high: null,
        low: null,
        volume: null,
      },
    });
    const of = (price: number, prev_close: number | null) =>
      compute({ share: null, vendor: at(price, prev_close) }).data;
    // 20 after 16: up 4, a quarter. 12 after 16: down 4, a quarter.
    const vendor = { price_basis: "last", prev_close: 16, change_basis: "vendor" };
    expect(of(20, 16)).toMatchObject({ ...vendor, change: 4, change_pct: 25 });
    expect(of(12, 16)).toMatchObject({ ...vendor, change: -4, change_pct: -25 });
    expect(of(16, 16)).toMatchObject({ ...vendor, change: 0, change_pct: 0 });
    // Without one, this node's close of the day before, 17.02: 18.722 is 1.702 more, a tenth.
    const own = of(18.722, null);
    expect(own.prev_close).toBe(17.02);
    expect(own.change).toBeCloseTo(1.702, 9);
    expect(own.change_pct).toBeCloseTo(10, 9);
    expect(own.change_basis).not.toBe("vendor");
  });

  test("a price that newer sessions left behind says so, as of a share that stopped trading", () => {
    const quote = (at: string) => ({
      currency: "USD",
      price: 30.95,
      prev_close: null,
      at_ms: Date.parse(at),
      delay_minutes: null,
      name: null,
      open: null,
      high: null,
      low: null,
      volume: null,
    });
    const warningsOf = (at: string, now: string) => {
      const inputs = { share: null, closes: [], vendor: { provider: "yahoo", quote: quote(at) } };
      return compute(inputs, { symbol: "WBD", now_ms: Date.parse(now) }).warnings.filter((text) =>
        /^price: /.test(text),
      );
    };
    const said = (sessions: number) => [
      `price: ${sessions} of New York's sessions ended since its own without a newer one`,
    ];
    // Its last trade was on Monday the 5th; before the open of Thursday two sessions are over.
    expect(warningsOf("2026-10-05T20:00:01Z", "2026-10-08T13:10:00Z")).toEqual(said(2));
    expect(warningsOf("2026-10-07T20:00:00Z", "2026-10-08T13:10:00Z")).toEqual([]);
    expect(warningsOf("2026-10-07T20:00:00Z", "2026-10-08T21:10:00Z")).toEqual(said(1));
    // Friday's close over a weekend and a holiday.
    expect(warningsOf("2026-09-04T20:00:00Z", "2026-09-07T15:00:00Z")).toEqual([]);
  });

  test("on a Saturday a stored close that its neighbours contradict is marked with each of them", () => {
    // Friday's close of 17.02 beside a range up to 17.00, a feed and a token at 17.57 (323 basis points).
    const now_ms = Date.parse("2026-09-05T15:00:00Z");
    const closes = [closeOf("2026-09-03", 16.9), closeOf("2026-09-04", 17.02)];
    const share = { ...SOFI, bid: 16.9, ask: 17.1, day_low: 16.8, day_high: 17, at_ms: now_ms - 1_000 };
    const oracle = { price: 17.57, updated_at_ms: Date.parse("2026-09-04T20:00:00Z"), feed: "0x1" };
    const token = { bid: 17.56, ask: 17.58, at_ms: null };
    const { data, warnings } = compute({ closes, share, oracle, token }, { now_ms });
    expect(data).toMatchObject({ price: 17.02, price_basis: "indicative", prev_close: 16.9 });
    expect(data.contradicted_by).toEqual(["day_range", "oracle", "token"]);
    expect(warnings).toContain("price: contradicted by day_range, oracle, token; which of them is wrong is not known");
    // Within the bounds nothing is marked: 10 basis points over the range, 100 off the others.
    const near = { price: 17.15, updated_at_ms: oracle.updated_at_ms, feed: "0x1" };
    const wide_token = { bid: 15, ask: 20, at_ms: null };
    const kept = { ...share, day_high: 17.01 };
    expect(compute({ closes, share: kept, oracle: near, token: wide_token }, { now_ms }).data.contradicted_by).toEqual(
      [],
    );
  });

  test("what is of another day than the price contradicts nothing: dead feed, yesterday's range, old vendor", () => {
    const contradicted = (inputs: Partial<StockQuoteInputs>) => compute(inputs).data.contradicted_by;
    // The feed was given up a month ago; while it moved it was right.
    const dead = { price: 12, updated_at_ms: Date.parse("2026-08-03T19:00:00Z"), feed: "0x1" };
    expect(contradicted({ oracle: dead })).toEqual([]);
    expect(contradicted({ oracle: { ...dead, updated_at_ms: Date.parse("2026-09-01T19:00:00Z") } })).toEqual([
      "oracle",
    ]);
    const quote = {
      currency: "USD",
      price: 12,
      prev_close: null,
      at_ms: Date.parse("2026-08-28T20:00:00Z"),
      name: null,
      open: null,
      high: 12.5,
      low: 11.5,
      volume: null,
      delay_minutes: null,
    };
    const none = { ...SOFI, day_high: null, day_low: null };
    expect(contradicted({ share: none, vendor: { provider: "v", quote } })).toEqual([]);
    const today = { ...quote, at_ms: OPEN_MS - 900_000 };
    expect(contradicted({ share: none, vendor: { provider: "v", quote: today } })).toEqual(["day_range", "vendor"]);
    // Yesterday's quote of the share beside today's price of the vendor.
    const old = { ...SOFI, at_ms: Date.parse("2026-09-01T19:00:00Z") };
    const vendor = { provider: "v", quote: { ...today, price: 20, high: null, low: null } };
    expect(contradicted({ share: old, vendor })).toEqual([]);
    // Yesterday's range is not shown as the price's either.
    expect(compute({ share: old, vendor }).data).toMatchObject({
      price: 20,
      day_low: null,
      day_high: null,
      volume: null,
    });
  });

  test("a vendor's price of yesterday has the close before it, not its own, behind it", () => {
    const quote = {
      currency: "USD",
      price: 17.02,
      prev_close: null,
      at_ms: Date.parse("2026-09-01T20:00:00Z"),
      name: null,
      open: null,
      high: null,
      low: null,
      volume: null,
      delay_minutes: null,
      warnings: ["prev_close: unknown"],
    };
    // 08:00 in New York.
    const now_ms = Date.parse("2026-09-02T12:00:00Z");
    const closes = [closeOf("2026-08-31", 16), closeOf("2026-09-01", 17.02)];
    const vendor = { provider: "vendor", quote };
    const { data } = compute({ share: null, vendor, closes }, { now_ms });
    expect(data).toMatchObject({ price: 17.02, prev_close: 16, change_basis: "node_close" });
    const without = compute({ share: null, vendor, closes: [] }, { now_ms });
    expect(without.data.prev_close).toBeNull();
    expect(without.warnings).toContain("prev_close: unknown");
  });

  test("the feed checks the share, and a split since the last close leaves no change", () => {
    const oracle = { price: 17.5, updated_at_ms: OPEN_MS - 9_000, feed: "0x1" };
    const { data, warnings } = compute({ oracle });
    expect(data.oracle_check?.deviation_bps).toBeCloseTo((17.905 / 17.5 - 1) * 10_000, 6);
    expect(warnings.some((text) => text.startsWith("oracle_check: the feed is 231 basis points off"))).toBe(true);
    const split = { symbol: "SOFI", type: "stock_split", process_date: "2026-09-02" };
    const after = compute({ actions: [split] });
    expect(after.data).toMatchObject({ prev_close: null, change_pct: null, corporate_action: { type: "stock_split" } });
    expect(compute({ actions: [{ ...split, symbol: "XYZ" }] }).data.prev_close).toBe(17.02);
  });
});
