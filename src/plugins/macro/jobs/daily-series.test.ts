import { expect, test } from "bun:test";
import { createSimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { DAILY_INSTRUMENTS, dailySeries, getObservedAt } from "../../../upstream/series/daily-series.ts";
import { computeUSDX } from "../daily/usdx.ts";
import { job } from "./daily-series.ts";

const instrument = (id: string) => DAILY_INSTRUMENTS.find((one) => one.id === id) ?? DAILY_INSTRUMENTS[0];
const observed = (id: string, date: string) => {
  const one = instrument(id);
  return one ? new Date(getObservedAt(one, date)).toISOString() : "";
};

test("the dollar index by ICE's weights: the published vector", () => {
  const pairs = { EURUSD: 1.146, USDJPY: 157.89, GBPUSD: 1.3344, USDCAD: 1.401, USDSEK: 9.853, USDCHF: 0.8257 };
  expect(computeUSDX(pairs)).toBeCloseTo(100.52004650718112, 10);
});

test("observation times follow each zone's own summer time", () => {
  // 13 March 2026: New York has summer time, Frankfurt has not; 12:30 UTC is the time of a US release.
  expect(observed("EURUSD", "2026-03-13")).toBe("2026-03-13T13:15:00.000Z");
  expect(observed("UST10Y", "2026-03-13")).toBe("2026-03-13T19:30:00.000Z");
  expect(observed("EURUSD", "2026-07-13")).toBe("2026-07-13T12:15:00.000Z");
  expect(observed("NIKKEI", "2026-07-13")).toBe("2026-07-13T06:30:00.000Z");
  expect(observed("GOLD", "2026-07-13")).toBe("2026-07-14T00:00:00.000Z");
});

test("every instrument has its history, and one that fails keeps the one before", async () => {
  const node = createSimulatedNode({ now_ms: Date.UTC(2026, 9, 1, 22, 20) });
  await job.run(node.createContext());
  for (const { id } of DAILY_INSTRUMENTS) {
    const sample = await dailySeries.newest(node.createContext(), { of: id });
    expect([id, (sample?.value.length ?? 0) > 500]).toEqual([id, true]);
  }
  const usd = (await dailySeries.newest(node.createContext(), { of: "USDJPY" }))?.value.at(-1);
  expect(usd?.[0]).toBe("2026-10-01");
  node.clock.advance(86_400_000);
  node.upstreams.setFault("ecb", "http500");
  await expect(job.run(node.createContext())).rejects.toThrow();
  expect((await dailySeries.newest(node.createContext(), { of: "USDJPY" }))?.value.at(-1)).toEqual(usd);
  node.close();
});
