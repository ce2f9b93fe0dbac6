import { describe, expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { createParamsParser } from "../../../catalog/params.ts";
import { findMarket, MARKETS, toYahoo } from "../markets/markets.ts";
import { describeSession, getCalendar } from "../markets/session.ts";
import { readROCDate } from "../providers/twse/closes.ts";
import { readVendorNumber, toMajorUnit, type VendorQuote } from "../vendors/vendor-quote.ts";
import { computeWorldQuote } from "./compute.ts";
import { product } from "./product.ts";
import type { WorldQuoteData } from "./schema.ts";

describe("symbols and numbers as the world writes them", () => {
  const parser = createParamsParser(product.params, product.normalise);
  const read = (query: string) => Object.values(parser.fromQuery(query).params).join(" ");

  test("one symbol in every spelling, the suffix names the market", () => {
    expect(["700", "0700", "00700"].map((one) => read(`market=HKEX&symbol=${one}`))).toEqual(Array(3).fill("HKEX 700"));
    expect([read("symbol=0700.HK"), read("symbol=7203.T"), read("symbol=8069.TWO")]).toEqual([
      ...["HKEX 700", "TSE 7203", "TWSE 8069"],
    ]);
    expect(["VOLV-B", "VOLV%20B", "volv.b"].map((one) => read(`market=xsto&symbol=${one}`))).toEqual(
      Array(3).fill("STO VOLV.B"),
    );
    expect(read("market=.L&symbol=bp")).toBe("LSE BP");
    for (const wrong of [
      "market=NYSE",
      "market=LSE&symbol=SAP.DE",
      "market=TSE&symbol=72031",
      "market=KRX&symbol=5930",
    ]) {
      expect(() => read(wrong)).toThrow();
    }
    const sse = findMarket("SSE");
    if (sse) expect([toYahoo(sse, "600519"), toYahoo(sse, "000001")]).toEqual(["600519.SS", "000001.SZ"]);
  });

  test("pence are pounds, dates of the Republic are dates, words for nothing are null", () => {
    const rest = { open: 7_300, high: null, low: 7_290, prev_close: 7_310, volume: 7_345, name: null };
    const quote = toMajorUnit({ currency: "GBp", price: 7_345, at_ms: null, delay_minutes: null, ...rest });
    expect(quote).toMatchObject({ currency: "GBP", price: 73.45, open: 73, high: null, volume: 7_345 });
    expect([readROCDate("1141120"), readROCDate("991231"), readROCDate("1141320")]).toEqual([
      ...["2025-11-20", "2010-12-31", null],
    ]);
    expect(["$227.55", "-1.49", "31,759,188", "(0.11)", "-0.65%", "N/A", "--", ".", ""].map(readVendorNumber)).toEqual([
      ...[227.55, -1.49, 31_759_188, -0.11, -0.65, null, null, null, null],
    ]);
  });

  test("the session's clock: lunch, holidays, half days, both edges of summer time", () => {
    const at = (mic: string, time: string) => describeSession(getCalendar(mic).stateAt(Date.parse(time)));
    expect(at("XTKS", "2026-11-20T03:00Z")).toMatchObject({ status: "lunch", next_close: "2026-11-20T06:30:00Z" });
    expect(at("XTKS", "2026-11-20T06:45Z")).toMatchObject({ status: "closed", next_open: "2026-11-24T00:00:00Z" });
    expect(at("XLON", "2026-10-26T08:30Z")).toMatchObject({ status: "open", next_close: "2026-10-26T16:30:00Z" });
    expect(at("XLON", "2026-12-24T12:45Z")).toMatchObject({ status: "closed", next_open: "2026-12-29T08:00:00Z" });
    expect(at("XASX", "2026-11-20T04:00Z")).toMatchObject({ status: "open", next_open: "2026-11-22T23:00:00Z" });
    expect(at("XETR", "2026-12-30T13:30Z")).toMatchObject({ status: "closed", next_open: "2027-01-04T08:00:00Z" });
    for (const { mic } of MARKETS) expect(getCalendar(mic).mic).toBe(mic);
  });
});

describe("a quote of an exchange", () => {
  const market = findMarket("TSE");
  if (!market) throw new Error("no market");
  const compute = (time: string, change: Partial<VendorQuote> = {}, end_of_day = false) =>
    settled<WorldQuoteData>(
      computeWorldQuote(
        {
          quote: {
            currency: "JPY",
            price: 2_500,
            prev_close: 2_000,
            at_ms: Date.parse("2026-11-20T06:00Z"),
            delay_minutes: 20,
            open: 2_400,
            high: 2_600,
            low: 2_300,
            volume: 9,
            name: "Toyota",
            ...change,
          },
          end_of_day,
          exchange: { mic: "XTKS", own: [] },
          fx: { rate: 160, date: "2026-11-20" },
          warnings: [],
        },
        { market, symbol: "7203", now_ms: Date.parse(time) },
      ),
    );

  test("a holiday is a day without trading outside weekends, by the exchange's clock", () => {
    // Friday, Saturday, Sunday; Monday the 23rd is Labour Thanksgiving Day; Tuesday. 15:00 UTC is midnight in Tokyo.
    const noons = ["20", "21", "22", "23", "24"].map((day) => compute(`2026-11-${day}T03:00Z`).data.holiday_today);
    expect(noons).toEqual([false, false, false, true, false]);
    const edges = ["22T14:59", "22T15:00", "23T14:59", "23T15:00"].map(
      (time) => compute(`2026-11-${time}Z`).data.holiday_today,
    );
    expect(edges).toEqual([false, true, true, false]);
  });

  test("the change and the price in dollars", () => {
    // 2,500 after 2,000 yen: 500, a quarter; at 160 yen a dollar 15.625 dollars.
    expect(compute("2026-11-20T06:20Z").data).toMatchObject({ change: 500, change_pct: 25, price_usd: 15.625 });
    const alone = compute("2026-11-20T06:20Z", { prev_close: null });
    expect(alone.data).toMatchObject({ change: null, change_pct: null });
    expect(alone.warnings).toEqual([
      "prev_close: the source states none",
      "change, change_pct: there is no prev_close",
    ]);
  });

  test("a price outside the source's own range is reported with its distance", () => {
    const told = (high: number) => compute("2026-11-20T06:20Z", { high }).warnings;
    // 2,500 over 2,400 is 400 basis points of the price; over 2,498 it is 8, which an auction makes.
    expect(told(2_400)).toContain("price: it lies 400 basis points outside the source's own low and high");
    expect(told(2_498)).toEqual([]);
  });

  test("a price of a day without trading is reported, and so are unstated figures", () => {
    const told = (at: string | null, change: Partial<VendorQuote> = {}, end_of_day = false) =>
      compute("2026-11-24T03:00Z", { ...change, at_ms: at === null ? null : Date.parse(at) }, end_of_day).warnings;
    const mismatch = "session: calendar_mismatch, the source has a price of a day without trading";
    expect([told("2026-11-24T02:40Z"), told("2026-11-23T02:40Z")]).toEqual([[], [mismatch]]);
    expect(told(null)).toEqual(["quote_time: the source states none, it is the time of the call"]);
    const none = { delay_minutes: null, volume: null };
    const no_volume = "volume: the source states none";
    expect(told("2026-11-24T02:40Z", none)).toEqual(["volume, delay_minutes: the source states none"]);
    const whole_day = "delay_minutes: this is a close of a whole day, not a delayed price";
    expect(told("2026-11-24T02:40Z", none, true)).toEqual([no_volume, whole_day]);
  });
});
