import { expect, test } from "bun:test";
import { addDays } from "intel-node";
import { settled } from "../../../../test/helpers/settled.ts";
import { adjustCloses } from "../../../upstream/series/adjust-closes.ts";
import { computeEquity, describeMembers, describeSession, kindOf, regress } from "./compute.ts";
import type { EquityInputs, StoredClose } from "./fetch.ts";
import { findNear, normaliseSymbol } from "./normalise-symbol.ts";
import type { EquityData } from "./schema.ts";

/** Closes of consecutive days, each with the change B3 would state. */
const closesOf = (values: readonly number[]): StoredClose[] =>
  values.map((close, index) => {
    const before = values[index - 1];
    const change_pct = before === undefined ? null : (close / before - 1) * 100;
    return { date: addDays("2026-01-01", index), close, change_pct };
  });
const WAVE = closesOf(Array.from({ length: 31 }, (_, i) => 100 * (1 + 0.01 * Math.sin(i))));

const compute = (history: readonly StoredClose[], change: Partial<EquityInputs> = {}) => {
  const close = history.at(-1);
  if (!close) throw new Error("no close");
  const nothing = { isin: "BRX", average: null, low: null, high: null, trades: 1, shares: 1, turnover: 1 };
  const session = { open: "10:00", close: "17:55" };
  return settled<EquityData>(
    computeEquity(
      {
        symbol: "ABCD3",
        last: { ...nothing, ...close },
        history,
        index: [],
        weight_pct: null,
        members: null,
        session,
        warnings: [],
        ...change,
      },
      { now_ms: Date.UTC(2026, 5, 1) },
    ),
  ).data;
};

test("the published example: a wave of 31 closes", () => {
  const data = compute(WAVE);
  expect(data.close).toBeCloseTo(99.011968, 6);
  expect(data.change_pct).toBeCloseTo(-0.3266, 4);
  expect(data.returns.d5).toBeCloseTo(-0.8568, 4);
  expect(data.sma20).toBeCloseTo(99.943443, 6);
  expect(data.vol30_pct).toBeCloseTo(10.8987, 4);
  // The published largest drawdown is that of the whole path; ours is today's.
  const path = WAVE.map(
    ({ close }, index) => close / Math.max(...WAVE.slice(0, index + 1).map((row) => row.close)) - 1,
  );
  expect(100 * Math.min(...path)).toBeCloseTo(-1.9699, 4);
  expect(data.drawdown_pct).toBeCloseTo(100 * (path.at(-1) ?? 0), 6);
  expect(data.rsi14).toBeCloseTo(43.9108, 4);
  expect([data.sma50, data.returns.d252, data.high_252d, data.beta_ibov_252d]).toEqual([null, null, null, null]);
});

test("a return near B3's own change is not a corporate action: ITSA4 at 12.95, up 0.85 %", () => {
  const rows = [
    { date: "2026-08-27", close: 12.84, change_pct: 0.2 },
    { date: "2026-08-28", close: 12.95, change_pct: 0.85 },
  ];
  expect(adjustCloses(rows).adjusted_days).toBe(0);
});

test("a split of two adjusts all closes before it, once", () => {
  const rows = closesOf([40, 41, 42, 21.21, 21.5]).map((row, index) => (index === 3 ? { ...row, change_pct: 1 } : row));
  const { closes, adjusted_days } = adjustCloses(rows);
  expect(adjusted_days).toBe(1);
  expect(closes.map(({ close }) => Number(close.toFixed(6)))).toEqual([20, 20.5, 21, 21.21, 21.5]);
  expect(compute(rows).previous_close).toBeCloseTo(21.21, 6);
});

test("beta and correlation against a second way: a share that moves twice as far", () => {
  const steps = Array.from({ length: 200 }, (_, i) => 0.01 * Math.sin(i * i));
  const walk = (scale: number) => {
    let level = 100;
    return closesOf([level, ...steps.map((step) => (level *= Math.exp(scale * step)))]);
  };
  const { beta, corr } = regress(walk(2), walk(1));
  expect(beta).toBeCloseTo(2, 8);
  expect(corr).toBeCloseTo(1, 8);
  expect(regress(walk(2).slice(0, 100), walk(1)).beta).toBeNull();
});

test("breadth: 52 of 78 rose", () => {
  const members = Array.from({ length: 78 }, (_, index) => ({
    symbol: `A${index}`,
    weight_pct: 1,
    closes: [{ date: "2026-01-02", close: 10, change_pct: index < 52 ? 1 + index / 100 : -1 }],
  }));
  const described = describeMembers(members, "2026-01-02");
  expect(described.breadth_pct).toBeCloseTo(66.67, 2);
  expect([described.advancers, described.decliners, described.best[0]?.symbol]).toEqual([52, 26, "A51"]);
});

test("sessions: Ash Wednesday's late opening, 20 November before and after 2024, a year beyond the table", () => {
  const at = (time: string) => describeSession(Date.parse(time), { open: "10:00", close: "17:55" });
  expect(at("2026-10-01T13:00:00Z")).toMatchObject({ is_open: true, open_utc: "2026-10-01T13:00:00.000Z" });
  expect(at("2026-10-01T20:55:00Z").is_open).toBe(false);
  expect(at("2026-02-18T14:00:00Z")).toMatchObject({
    is_trading_day: true,
    is_open: false,
    open_utc: "2026-02-18T16:00:00.000Z",
  });
  expect([at("2023-11-20T15:00:00Z").is_trading_day, at("2026-11-20T15:00:00Z").is_trading_day]).toEqual([true, false]);
  expect(at("2026-12-24T15:00:00Z").is_trading_day).toBe(false);
  expect(at("2026-12-31T15:00:00Z")).toEqual({
    is_trading_day: false,
    is_open: false,
    open_utc: null,
    close_utc: null,
  });
  expect(at("2027-02-10T15:00:00Z")).toMatchObject({ is_trading_day: true, is_open: false });
  // New York's summer time does not move São Paulo's clocks.
  expect([at("2026-03-09T13:00:00Z").is_open, at("2026-11-03T13:00:00Z").is_open]).toEqual([true, true]);
});

test("tickers as people write them", () => {
  expect(["petr4.sa", " ^bvsp", "Ibovespa", "m1ta34", "B3SA3"].map(normaliseSymbol)).toEqual([
    ...["PETR4", "IBOV", "IBOV", "M1TA34", "B3SA3"],
  ]);
  expect(() => normaliseSymbol("PETRO")).toThrow("near: PETR3, PETR4");
  expect(findNear("VALE5", ["VALE3", "VIVT3", "PETR4"])).toEqual(["VALE3", "VIVT3"]);
  expect(["PETR4", "BOVA11", "AAPL34", "IBOV"].map(kindOf)).toEqual(["share", "unit_or_fund", "bdr", "index"]);
});
