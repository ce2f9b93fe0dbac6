import { expect, test } from "bun:test";
import { annualise } from "../yields/protocol.ts";
import { YIELD_READERS } from "../yields/readers.ts";
import { drawDefiYield } from "./charts.ts";
import { getLocked, renderUnits } from "./earnings.ts";
import { getDrawdown, getGrowth } from "./growth.ts";

const DAY_MS = 86_400_000;

test("shares: growth over the days there really were, and the largest fall", () => {
  const sample = (days_ago: number, share_price: number) => ({
    at_ms: 0,
    rate_apy_pct: null,
    share_price,
    is_paused: null,
    block_at_ms: 1e12 - days_ago * DAY_MS,
  });
  const samples = [sample(8, 1), sample(1, 1.0006), sample(0, 1.0008)];
  expect(getGrowth({ samples }, 7)).toBeCloseTo(annualise(1.0008, 1, 8), 9);
  expect(getGrowth({ samples }, 30)).toBeNull();
  expect(getDrawdown([1, 1.1, 0.99, 1.2])).toBeCloseTo(10, 9);
  expect(getDrawdown([])).toBeNull();
});

const priced = (hours_ago: number, share_price: number | null, rate_apy_pct: number | null) => {
  const block_at_ms = 1e12 - hours_ago * 3_600_000;
  return { at_ms: block_at_ms, block_at_ms, share_price, rate_apy_pct, is_paused: null };
};

test("charts: what lending pays by the hour, and what shares had grown in seven days at each hour", () => {
  const [market, share, young] = YIELD_READERS;
  if (!market || !share || !young) throw new Error("no readers");
  const hours = Array.from({ length: 9 * 24 }, (_, index) => 9 * 24 - index);
  const histories = [
    { reader: market, samples: hours.map((hour) => priced(hour, null, hour / 100)) },
    { reader: share, samples: hours.map((hour) => priced(hour, 1 - hour / 1e5, null)) },
    { reader: young, samples: hours.slice(-48).map((hour) => priced(hour, 1, null)) },
  ];
  const [rates, grown, ...others] = drawDefiYield({ histories });
  expect(others).toEqual([]);
  if (rates?.kind !== "time" || grown?.kind !== "time") throw new Error("no lines");
  expect(rates.lines.map(({ points }) => [points.length, points[0]?.[1]])).toEqual([[216, 2.16]]);
  expect(grown.lines.length).toBe(1);
  // From three quarters of seven days on; the last one is over all seven.
  const points = grown.lines[0]?.points ?? [];
  expect(points.length).toBe(216 - 126);
  expect(points.at(-1)?.[1]).toBeCloseTo(annualise(1 - 1 / 1e5, 1 - 169 / 1e5, 7), 9);
  expect(drawDefiYield({ histories: [] })).toEqual([]);
});

test("units: exactly the digits of the contract", () => {
  expect(renderUnits("123456789012345678901234567890", 18)).toBe("123456789012.34567890123456789");
  expect(renderUnits("1", 6)).toBe("0.000001");
  expect([renderUnits("0", 18), renderUnits("5000000", 6), renderUnits("42", 0)]).toEqual(["0", "5", "42"]);
  const [reader] = YIELD_READERS;
  if (!reader) throw new Error("no reader");
  expect(getLocked({ reader, samples: [] }, new Map())).toEqual({ locked: null, locked_usd: null });
});
