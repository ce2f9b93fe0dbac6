import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import type { FetchContext, UpstreamRequest } from "intel-node";
import { readValue } from "../../../upstream/read-answer.ts";
import { findMarket, toCNBC } from "../markets/markets.ts";
import { getCalendar } from "../markets/session.ts";
import { fetchCboeQuote } from "../providers/cboe/quote.ts";
import { fetchCnbcQuote } from "../providers/cnbc/quote.ts";
import { fetchFinnhubQuote } from "../providers/finnhub/quote.ts";
import { fetchMassiveQuote } from "../providers/massive/quote.ts";
import { fetchNasdaqQuote, readTradeTime } from "../providers/nasdaq/quote.ts";
import { fetchShareQuote } from "../providers/rhj/shares.ts";
import { fetchTwelveDataQuote } from "../providers/twelvedata/quote.ts";
import { fetchYahooQuote } from "../providers/yahoo/quote.ts";
import { US_VENDORS } from "./us-vendors.ts";

/** A vendor that answers so, once a call: what its schema or its reader refuses is thrown. */
function answering(...bodies: readonly unknown[]): FetchContext {
  const left = [...bodies];
  const get = async (_provider: unknown, request: UpstreamRequest<TSchema>) => {
    const body = left.shift();
    const read = readValue(body, request, { facts: { status: 200, bytes: 0 } });
    if (!read.ok) throw new Error(read.reason);
    return read.reading;
  };
  return { get, now_ms: NOW_MS } as unknown as FetchContext;
}

/** A Wednesday, 15:11 in New York. */
const NOW_MS = Date.parse("2026-09-02T19:11:00Z");
const calendar = getCalendar("XNYS");
const of = (symbol: string) => ({ symbol, calendar });

/** 15:10 in New York, as each vendor writes it. */
const AT_MS = Date.parse("2026-09-02T19:10:00Z");

describe("recorded shapes", () => {
  test("Nasdaq: dollars and commas as texts, the close before from the change", async () => {
    const primaryData = {
      lastSalePrice: "$227.55",
      netChange: "-1.49",
      percentageChange: "-0.65%",
      volume: "31,759,188",
      lastTradeTimestamp: "Sep 2, 2026 3:10 PM ET",
      isRealTime: false,
      bidPrice: "N/A",
      askPrice: "N/A",
    };
    const body = {
      data: { symbol: "AAPL", companyName: "Apple Inc.", primaryData, secondaryData: null },
      message: null,
    };
    const quote = await fetchNasdaqQuote(answering(body), of("AAPL"));
    expect(quote).toMatchObject({ price: 227.55, prev_close: 229.04, volume: 31_759_188, at_ms: AT_MS });
    expect(((quote.price - 229.04) / 229.04) * 100).toBeCloseTo(-0.65054139, 8);
    // A fund is of another class; what is of neither is not known.
    expect((await fetchNasdaqQuote(answering({ data: null }, body), of("SPY"))).price).toBe(227.55);
    await expect(fetchNasdaqQuote(answering({ data: null }, { data: null }), of("ZZZZ"))).rejects.toThrow("not known");
    const unpriced = { data: { ...body.data, primaryData: { ...primaryData, lastSalePrice: "N/A" } } };
    await expect(fetchNasdaqQuote(answering(unpriced), of("AAPL"))).rejects.toThrow("no price");
    // A day alone is its close.
    expect(readTradeTime(calendar, "Oct 14, 2024")).toBe(Date.parse("2024-10-14T20:00:00Z"));
    expect(readTradeTime(calendar, "Closed at 4:00")).toBeNull();
  });

  test("Cboe: New York's time, the close before from the change", async () => {
    const data = {
      symbol: "AAPL",
      current_price: 227.55,
      price_change: -1.49,
      bid: 227.5,
      ask: 227.6,
      open: 228,
      high: 229,
      low: 226.5,
      close: 227.55,
      prev_day_close: 227.55,
      volume: 31_759_188,
      last_trade_time: "2026-09-02T15:10:00",
    };
    const quote = await fetchCboeQuote(
      answering({ timestamp: "2026-09-02 19:25:00", data, symbol: "AAPL" }),
      of("AAPL"),
    );
    expect(quote).toMatchObject({ price: 227.55, at_ms: AT_MS, delay_minutes: 15 });
    expect(quote.prev_close).toBeCloseTo(229.04, 10);
  });

  test("CNBC: an object when single, a list else; pence are pounds", async () => {
    const row = {
      symbol: "BP.-GB",
      code: "0",
      name: "BP PLC",
      last: "7,345.00",
      currencyCode: "GBp",
      open: "7,300.00",
      high: "7,400.00",
      low: "7,290.00",
      previous_day_closing: "7,310.00",
      change: "35.00",
      volume: "1,234,567",
      last_time: "2026-09-02T15:10:00.000-0400",
      curmktstatus: "REG_MKT",
    };
    const wrap = (rows: unknown) => ({ FormattedQuoteResult: { FormattedQuote: rows } });
    for (const rows of [row, [row]]) {
      const quote = await fetchCnbcQuote(answering(wrap(rows)), of("BP.-GB"));
      expect(quote).toMatchObject({ currency: "GBP", price: 73.45, prev_close: 73.1, volume: 1_234_567, at_ms: AT_MS });
    }
    await expect(fetchCnbcQuote(answering(wrap({ code: 1, symbol: "ZZZZ" })), of("ZZZZ"))).rejects.toThrow("not known");
    await expect(fetchCnbcQuote(answering(wrap({ ...row, last: "UNCH" })), of("BP"))).rejects.toThrow("no price");
  });

  test("Twelve Data: texts, and the time of the last quote", async () => {
    const body = {
      symbol: "AAPL",
      name: "Apple Inc",
      exchange: "NASDAQ",
      mic_code: "XNGS",
      currency: "USD",
      datetime: "2026-09-02",
      timestamp: 1_788_355_800,
      last_quote_at: AT_MS / 1000,
      is_market_open: true,
      open: "228.00000",
      high: "229.00000",
      low: "226.50000",
      close: "227.55000",
      volume: "31759188",
      previous_close: "229.03999",
      change: "-1.49",
      percent_change: "-0.65055",
    };
    const quote = await fetchTwelveDataQuote(answering(body), "AAPL");
    expect(quote).toMatchObject({ price: 227.55, prev_close: 229.03999, high: 229, at_ms: AT_MS });
    const refusal = { code: 404, message: "symbol is missing or invalid", status: "error" };
    await expect(fetchTwelveDataQuote(answering(refusal), "ZZZZ")).rejects.toThrow("unexpected shape");
  });

  test("Massive: nanoseconds, and zeros before a day begins", async () => {
    const day = { o: 0, h: 0, l: 0, c: 0, v: 0, vw: 0 };
    const ticker = {
      ticker: "AAPL",
      todaysChange: 0,
      day,
      updated: AT_MS * 1e6,
      prevDay: { o: 228, h: 230, l: 227, c: 229.04, v: 40_000_000, vw: 229 },
      lastTrade: { c: [12], i: "1", p: 227.55, s: 100, t: AT_MS * 1e6, x: 4 },
    };
    const quote = await fetchMassiveQuote(answering({ status: "OK", request_id: "r", ticker }), of("AAPL"));
    expect(quote).toMatchObject({ price: 227.55, open: null, high: null, prev_close: 229.04, at_ms: AT_MS });
  });

  test("Finnhub: zeros are a ticker it does not know", async () => {
    const body = { c: 227.55, d: -1.49, dp: -0.6505, h: 229, l: 226.5, o: 228, pc: 229.04, t: AT_MS / 1000 };
    expect(await fetchFinnhubQuote(answering(body), "AAPL")).toMatchObject({ price: 227.55, prev_close: 229.04 });
    const nothing = { c: 0, d: null, dp: null, h: 0, l: 0, o: 0, pc: 0, t: 0 };
    await expect(fetchFinnhubQuote(answering(nothing), "ZZZZ")).rejects.toThrow("not known");
  });
});

/** One of Yahoo's answers: bars of these days, and a last price of Friday the 4th at 15:00 in New York. */
const chartOf = (bars: Readonly<Record<string, number | null>>) => {
  const timestamp = Object.keys(bars).map((day) => Date.parse(`${day}T13:30:00Z`) / 1000);
  const close = Object.values(bars);
  const regularMarketTime = Date.parse("2026-09-04T19:00:00Z") / 1000;
  const meta = { currency: "USD", regularMarketPrice: 50, regularMarketTime, exchangeTimezoneName: calendar.zone };
  const indicators = { quote: [{ open: close, high: close, low: close, close, volume: close }] };
  return { chart: { result: [{ meta, timestamp, indicators }], error: null } };
};

describe("outside trading hours", () => {
  const friday = { ...answering(), now_ms: Date.parse("2026-09-04T19:01:00Z") };
  const readChart = (bars: Readonly<Record<string, number | null>>) =>
    fetchYahooQuote({ ...friday, get: answering(chartOf(bars)).get }, of("AAPL"));

  test("Yahoo: an empty or missing bar of the session before gives no close before, with a warning", async () => {
    const days = { "2026-09-01": 40, "2026-09-02": 41 };
    const known = await readChart({ ...days, "2026-09-03": 42, "2026-09-04": 50 });
    expect(known).toMatchObject({ prev_close: 42, warnings: [] });
    for (const bars of [
      { ...days, "2026-09-03": null, "2026-09-04": 50 },
      { ...days, "2026-09-04": 50 },
    ]) {
      const quote = await readChart(bars);
      expect(quote).toMatchObject({ price: 50, prev_close: null });
      expect(quote.warnings).toEqual(["prev_close: the vendor has no close of 2026-09-03"]);
    }
  });

  test("Nasdaq: an extended print without the close beside it is refused", async () => {
    const primaryData = { lastSalePrice: "$10.00", netChange: "-1.00", lastTradeTimestamp: "Sep 1, 2026 6:14 PM ET" };
    const body = { data: { companyName: "A", primaryData, secondaryData: null } };
    await expect(fetchNasdaqQuote(answering(body), of("A"))).rejects.toThrow("extended hours");
  });

  test("CNBC: a change of nothing is a change, and a turned close before without one is unknown", async () => {
    const row = { code: 0, last: "10.00", currencyCode: "USD", last_time: "2026-09-01", previous_day_closing: "10.00" };
    const read = (more: object) =>
      fetchCnbcQuote(answering({ FormattedQuoteResult: { FormattedQuote: { ...row, ...more } } }), of("A"));
    const close_ms = Date.parse("2026-09-01T20:00:00Z");
    expect(await read({ change: "UNCH" })).toMatchObject({ prev_close: 10, at_ms: close_ms });
    expect(await read({ change: "-0.19" })).toMatchObject({ price: 10, prev_close: 10.19 });
    const quote = await read({ curmktstatus: "POST_MKT" });
    expect(quote.prev_close).toBeNull();
    expect(quote.warnings).toEqual(["prev_close: the vendor states no change of the day"]);
  });

  test("a day that has not begun has no prices: zeros are null at every vendor, and a name is cut", async () => {
    const row = { code: 0, last: "10.00", currencyCode: "USD", last_time: "2026-09-01", change: "1.00" };
    const zeros = { open: "0.00", high: "0.00", low: "0.00" };
    const none = { open: null, high: null, low: null };
    const cnbc = { FormattedQuoteResult: { FormattedQuote: { ...row, ...zeros, name: "N".repeat(900) } } };
    expect(await fetchCnbcQuote(answering(cnbc), of("A"))).toMatchObject({
      ...none,
      prev_close: 9,
      name: "N".repeat(200),
    });
    const yahoo = chartOf({ "2026-09-03": 42, "2026-09-04": 0 });
    const read = await fetchYahooQuote({ ...friday, get: answering(yahoo).get }, of("A"));
    expect(read).toMatchObject({ ...none, price: 50, prev_close: 42 });
    const twelve = {
      symbol: "A",
      currency: "USD",
      last_quote_at: AT_MS / 1000,
      close: "10",
      previous_close: "0",
      ...zeros,
    };
    expect(await fetchTwelveDataQuote(answering(twelve), "A")).toMatchObject({ ...none, prev_close: null, price: 10 });
    const primaryData = { lastSalePrice: "$1.00", netChange: "1.00", lastTradeTimestamp: "Sep 1, 2026 3:14 PM ET" };
    const nasdaq = { data: { companyName: "N".repeat(900), primaryData, secondaryData: null } };
    expect(await fetchNasdaqQuote(answering(nasdaq), of("A"))).toMatchObject({
      prev_close: null,
      name: "N".repeat(200),
    });
    const share = { tokenSymbol: "A", bid: "1", ask: "2", currency: "USD", dailyHigh: "0", dailyLow: "0" };
    const quotes = { quotes: [{ ...share, generatedAt: "2026-09-02T19:10:00Z" }] };
    expect(await fetchShareQuote(answering(quotes), "A")).toMatchObject({ day_high: null, day_low: null });
  });

  test("CNBC: London's codes of two letters end with a dot", () => {
    const codeOf = (code: string, symbol: string) => {
      const market = findMarket(code);
      return market && toCNBC(market, symbol);
    };
    expect([codeOf("LSE", "BP"), codeOf("LSE", "VOD"), codeOf("STO", "VOLV.B"), codeOf("XETR", "BP")]).toEqual([
      ...["BP.-GB", "VOD-GB", "VOLV.B-SE", "BP-DE"],
    ]);
  });

  test("Massive: a trade after the close is not the price", async () => {
    const bar = (c: number) => ({ o: c, h: c, l: c, c, v: 1 });
    const lastTrade = { p: 99, t: Date.parse("2026-09-01T22:00:00Z") * 1e6 };
    const ticker = { day: bar(50), prevDay: bar(48), lastTrade };
    const quote = await fetchMassiveQuote(answering({ status: "OK", ticker }), of("A"));
    expect(quote).toMatchObject({ price: 50, prev_close: 48, at_ms: Date.parse("2026-09-01T20:00:00Z") });
  });

  test("Finnhub: a close before that contradicts its own change is dropped", async () => {
    const body = { c: 50, d: 1, h: 51, l: 49, o: 49, pc: 50, t: AT_MS / 1000 };
    expect((await fetchFinnhubQuote(answering(body), "A")).prev_close).toBeNull();
  });
});

test("seven vendors, each off until the operator acknowledges its terms", () => {
  expect(US_VENDORS).toHaveLength(7);
  for (const { provider } of US_VENDORS) expect(provider.terms.class).toBe("restricted");
});
