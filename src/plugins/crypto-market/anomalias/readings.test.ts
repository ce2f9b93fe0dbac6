import { describe, expect, test } from "bun:test";
import { makeInputs, UNTIL_MS } from "../../../../test/helpers/anomalias-inputs.ts";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import type { PythPrice } from "../../../upstream/providers/pyth-price.ts";
import type { AnomaliasInputs } from "./fetch.ts";
import { lookAtReadings } from "./readings.ts";
import type { AnomalyType } from "./schema.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = UNTIL_MS + 60_000;
const HOURS_PER_YEAR = 8_760;

const look = (change: Partial<AnomaliasInputs>, type: AnomalyType) => {
  const { findings, skipped } = lookAtReadings(makeInputs(change));
  return {
    findings: findings.filter((one) => one.type === type),
    reasons: skipped.filter((one) => one.type === type).map(({ symbol, reason }) => `${symbol}: ${reason}`),
  };
};
const ok = <T>(value: T) => ({ ok: true, value }) as const;

describe("funding", () => {
  const perpetual = (apr: number) => ({ rate_1h_frac: apr / HOURS_PER_YEAR, open_interest_coins: 1 });

  test("is odd from 30 % a year and fully so at 150 %, either way", () => {
    const aprs = { BTC: 0.3, ETH: -0.9, SOL: 1.5, XRP: 3, ADA: 0.1 };
    const funding = ok(new Map(Object.entries(aprs).map(([symbol, apr]) => [symbol, perpetual(apr)])));
    const { findings, reasons } = look({ funding }, "funding_extreme");
    const by = Object.fromEntries(findings.map((one) => [one.symbol, one]));
    expect(by.BTC?.severity).toBeCloseTo(0, 12);
    expect(by.ETH?.severity).toBeCloseTo(0.5, 12);
    expect([by.SOL?.severity, by.XRP?.severity, by.ADA?.severity]).toEqual([1, 1, 0]);
    expect(by.ETH?.value).toBeCloseTo(-90, 10);
    expect(by.ETH).toMatchObject({ direction: "down", unit: "apr_pct", rz: null, rarity: null, started_at_ms: NOW_MS });
    expect(reasons).toContain("DOGE: not listed");
    expect(reasons).toHaveLength(15);
  });

  test("is compared with the median of the other venues, the same number of hours each", () => {
    const rates = (HlPerp: number, others: Record<string, number>) =>
      new Map(Object.entries({ HlPerp, ...others }).map(([venue, apr]) => [venue, apr / HOURS_PER_YEAR]));
    const predicted = ok(
      new Map([
        ["BTC", rates(0.7, { BinPerp: 0, BybitPerp: 0.2 })],
        ["ETH", rates(-0.5, { BinPerp: 0.5 })],
        ["SOL", rates(0.5, {})],
      ]),
    );
    const { findings, reasons } = look({ predicted }, "funding_divergence");
    expect(findings.map(({ symbol, direction }) => [symbol, direction])).toEqual([
      ["BTC", "up"],
      ["ETH", "down"],
    ]);
    // 60 % apart in a band of 20 to 100 %.
    expect(findings[0]?.severity).toBeCloseTo(0.5, 10);
    expect(findings[1]?.severity).toBeCloseTo(1, 10);
    expect(reasons).toContain("SOL: not on two venues");
  });
});

describe("open interest", () => {
  const HOUR = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS;
  function interestOf(hours: number, last = 1): AnomaliasInputs["interest"] {
    const next = parkMiller(3);
    const samples = new Map<number, number>();
    for (let left = hours - 1; left >= 0; left -= 1) {
      samples.set(HOUR - left * HOUR_MS, 1_000 * (1 + 0.02 * (next() - 0.5)) * (left === 0 ? last : 1));
    }
    return { by_symbol: new Map([["BTC", samples]]), fetched_at_ms: NOW_MS };
  }

  test("a jump over 24 hours is judged against 200 stored changes or more", () => {
    // 24 hours before the first change, 24 that overlap the present one.
    const { findings } = look({ interest: interestOf(248, 1.5) }, "oi_jump");
    expect(findings[0]).toMatchObject({ symbol: "BTC", direction: "up", window_h: 24, unit: "log_change_pct" });
    expect(findings[0]?.severity).toBeGreaterThan(0.9);
    expect(findings[0]?.value).toBeCloseTo(100 * Math.log(1.5), -1);
    const short = look({ interest: interestOf(247, 1.5) }, "oi_jump");
    expect(short.findings).toEqual([]);
    expect(short.reasons).toContain("BTC: 199 of the 200 stored changes it takes");
    expect(look({ interest: interestOf(300) }, "oi_jump").findings[0]?.severity).toBe(0);
  });

  test("old samples are not judged", () => {
    const old = { ...interestOf(300, 1.5) };
    const { findings, skipped } = lookAtReadings({
      ...makeInputs({ interest: old }),
      read_at_ms: NOW_MS + 3 * HOUR_MS,
    });
    expect(findings.filter(({ type }) => type === "oi_jump")).toEqual([]);
    expect(skipped.some(({ symbol, reason }) => symbol === "BTC" && reason.startsWith("no recent sample"))).toBe(true);
  });
});

describe("stablecoins", () => {
  const price = (value: number, age_s = 10): PythPrice => ({
    feed_id: "",
    price: value,
    conf: 0.0001,
    exponent: -8,
    publish_time_ms: NOW_MS - age_s * 1000,
    ema_price: null,
    ema_conf: null,
    verification: "full",
    path: "solana_push_feed",
    account: null,
    publish_slot: null,
    slot_kind: null,
    context_slot: null,
  });

  test("are odd from 25 basis points off their peg, fully so at 200", () => {
    const stables = { USDC: ok(price(0.98875)), USDT: ok(price(1.0025)) };
    const { findings } = look({ stables }, "stable_depeg");
    expect(findings[0]?.severity).toBeCloseTo(0.5, 8);
    expect(findings[0]?.value).toBeCloseTo(-112.5, 8);
    expect(findings[0]).toMatchObject({ direction: "down", started_at_ms: NOW_MS - 10_000 });
    expect(findings[1]?.severity).toBeCloseTo(0, 8);
  });

  test("an old price is not judged", () => {
    const stables = { USDC: ok(price(0.9, 901)), USDT: ok(price(0.9, 900)) };
    const { findings, reasons } = look({ stables }, "stable_depeg");
    expect(findings.map(({ symbol }) => symbol)).toEqual(["USDT"]);
    expect(reasons).toEqual(["USDC: the price is old"]);
  });
});

describe("oracles", () => {
  const inputsOf = (prices: readonly number[]) =>
    ok({
      read_at_ms: NOW_MS,
      usdt_usd: 1,
      readings: prices.map((value, index) => ({
        source: `s${index}`,
        kind: "usd" as const,
        age_max_ms: 30_000,
        outcome: ok({ price: value, at_ms: NOW_MS - 1_000 }),
      })),
    });

  test("that lie 115 basis points apart are half odd, too few of them are not judged", () => {
    const consensus = [
      { symbol: "BTC" as const, inputs: inputsOf([10_000, 10_057.5, 10_115]) },
      { symbol: "ETH" as const, inputs: inputsOf([100, 101]) },
      { symbol: "SOL" as const, inputs: inputsOf([]) },
    ];
    const { findings, reasons } = look({ consensus }, "oracle_split");
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ symbol: "BTC", direction: null, unit: "bps" });
    // 115 of the 10,057.5 in the middle: 114.34 in a band of 30 to 200.
    expect(findings[0]?.severity).toBeCloseTo((114.34 - 30) / 170, 3);
    expect(reasons).toEqual(["ETH: too few sources", "SOL: no usable answer (upstream_unavailable)"]);
  });
});

describe("fees", () => {
  const feesOf = (fastest: number, samples: readonly number[]) =>
    ok({
      provider: "mempool_space",
      fees: { fastest, half_hour: 1, hour: 1, economy: 1, minimum: 1 },
      tip: { height: 900_000 },
      samples,
    });

  test("are odd from three times their median of 30 days, fully so at twenty times", () => {
    const samples = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 1 : 3));
    const { findings } = look({ fees: feesOf(23, samples) }, "fee_spike");
    // 11.5 times the median of 2.
    expect(findings[0]).toMatchObject({ symbol: "BTC", value: 11.5, severity: 0.5, direction: "up", rarity: 0 });
    expect(look({ fees: feesOf(2, samples) }, "fee_spike").findings[0]?.severity).toBe(0);
    const few = look({ fees: feesOf(23, samples.slice(1)) }, "fee_spike");
    expect(few).toEqual({ findings: [], reasons: ["BTC: 99 of the 100 hourly samples it takes"] });
  });
});

test("what fails is skipped with the kind of failure, without the upstream's words", () => {
  const { skipped } = lookAtReadings(makeInputs());
  expect(skipped.map(({ reason }) => reason)).toContain("no usable answer (upstream_timeout)");
  expect(JSON.stringify(skipped)).not.toContain("secret");
});
