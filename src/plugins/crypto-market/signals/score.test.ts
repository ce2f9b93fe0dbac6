import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { createPublishedLedger } from "../../../../test/helpers/signal-ledger.ts";
import { getResult, getSpan, scoreSignal } from "./score.ts";
import { readSignal, renderDecimal, renderPrice } from "./signal-records.ts";

describe("grading", () => {
  test("the published signals get the published results", async () => {
    const signals = (await (await createPublishedLedger({ scored: true })).read("signals")).map(readSignal);
    for (const { record, outcome } of signals) {
      if (outcome?.status !== "scored") throw new Error("not scored");
      const { entry_price, exit_price, gross_bps, net_bps, hit } = outcome;
      const { side, cost_bps } = record;
      expect(getResult({ side, entry_price, exit_price, cost_bps })).toEqual({ gross_bps, net_bps, hit });
      const span = getSpan(record);
      expect([span.entry_ms, span.exit_ms]).toEqual([Date.parse(outcome.entry_at), Date.parse(outcome.exit_at)]);
    }
  });

  test("entry is the first hour that starts strictly after the signal was written", () => {
    const at = (emitted_at: string) => new Date(getSpan({ emitted_at, horizon_h: 24 }).entry_ms).toISOString();
    expect(at("2026-11-01T00:59:59Z")).toBe("2026-11-01T01:00:00.000Z");
    expect(at("2026-11-01T01:00:00Z")).toBe("2026-11-01T02:00:00.000Z");
  });

  test("a series that lacks one of the two bars grades nothing", async () => {
    const [signal] = (await (await createPublishedLedger({ scored: false })).read("signals")).map(readSignal);
    if (!signal) throw new Error("no signal");
    const { entry_ms, exit_ms } = getSpan(signal.record);
    const bar = (t_ms: number, open: number) => ({ t_ms, open, high: open, low: open, close: open, volume: 1 });
    const [entry, exit] = [bar(entry_ms, 64_010), bar(exit_ms, 64_960)];
    const scoreWith = (bars: readonly (typeof entry)[]) => scoreSignal(signal, { provider: "kraken", bars });
    expect(scoreWith([entry])).toBeNull();
    expect(scoreWith([exit])).toBeNull();
    expect(scoreWith([entry, exit])?.outcome).toMatchObject({
      gross_bps: "148.4",
      net_bps: "128.4",
      hit: true,
      price_source: "kraken:BTC:1h",
    });
  });

  test("long and short of the same prices lose twice the cost together", () => {
    const price = fc.integer({ min: 1, max: 10_000_000 }).map((n) => String(n / 100));
    fc.assert(
      fc.property(price, price, (entry_price, exit_price) => {
        const prices = { entry_price, exit_price, cost_bps: "20.0" };
        const [long, short] = [getResult({ ...prices, side: "long" }), getResult({ ...prices, side: "short" })];
        expect(Number(long.net_bps) + Number(short.net_bps)).toBeCloseTo(-40, 6);
        expect(long.hit).toBe(Number(long.net_bps) > 0);
      }),
    );
  });
});

test("decimals have no exponent and no negative zero", () => {
  expect(renderDecimal(-0.04, 1)).toBe("0.0");
  expect(renderDecimal(-0.06, 1)).toBe("-0.1");
  expect(renderPrice(0.00000012)).toBe("0.00000012");
  expect(renderPrice(64000.5)).toBe("64000.5");
});
