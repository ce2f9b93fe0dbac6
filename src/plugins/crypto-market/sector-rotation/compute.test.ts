import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { toDailySeries } from "../../../../test/helpers/daily-series.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import { NodeError } from "../../../core/errors.ts";
import type { BarSeries } from "../../../upstream/series/bar-series.ts";
import { SECTOR_MEMBERS, SECTORS } from "../universe/universe.ts";
import { computeSectorRotation as draft, redactSectorRotation, rewindSectorRotation } from "./compute.ts";
import type { SectorRotationInputs } from "./fetch.ts";
import { SectorRotationSchema } from "./schema.ts";
import { vector } from "./vector.ts";

const computeSectorRotation = asSold(SectorRotationSchema, draft);

const DAY_MS = 86_400_000;
const LAST_MS = Date.UTC(2026, 8, 26);

/** A separate random walk for each symbol. */
function walk(symbol: string, days = 93, daily = 0): BarSeries {
  const next = parkMiller(1 + SECTOR_MEMBERS.indexOf(symbol) * 7_919);
  let close = 100;
  const bars = Array.from({ length: days }, () => {
    const open = close;
    close *= Math.exp(daily + 0.06 * (next() - 0.5));
    return { open, high: Math.max(open, close), low: Math.min(open, close), close, volume: 1 };
  });
  return toDailySeries(symbol, bars, { last_ms: LAST_MS });
}
const SERIES = SECTOR_MEMBERS.map((symbol) => walk(symbol));
const CAPS = new Map(SECTOR_MEMBERS.map((symbol, index) => [symbol, 1e12 / (index + 1)]));

const capsOf = (caps: ReadonlyMap<string, number>): SectorRotationInputs["caps"] => ({
  ok: true,
  value: {
    source: "coinmarketcap",
    caps,
    total_usd: 3e12,
    total_of: "market",
    total_change_24h_pct: null,
    btc_dominance_pct: 50,
    at_ms: LAST_MS,
  },
});
const NO_CAPS = { ok: false, error: new NodeError("upstream_unavailable", "down") } as const;
const compute = (series: readonly BarSeries[] = SERIES, caps = capsOf(CAPS) as SectorRotationInputs["caps"]) =>
  computeSectorRotation({ series, caps });
const without = (map: ReadonlyMap<string, number>, ...symbols: string[]) =>
  new Map([...map].filter(([symbol]) => !symbols.includes(symbol)));

const closesOf = (symbol: string) => SERIES.find((one) => one.symbol === symbol)?.bars.map(({ close }) => close) ?? [];
const returnOf = (symbol: string, days: number) =>
  (closesOf(symbol).at(-1) ?? 0) / (closesOf(symbol).at(-1 - days) ?? 0) - 1;

describe("sectors", () => {
  test("all twelve, ranked by strength, matching the published shape", () => {
    const { data, as_of_ms, warnings } = compute();
    expect([...Value.Errors(SectorRotationSchema, data)]).toEqual([]);
    expect(data.sectors.map(({ id }) => id).sort()).toEqual(SECTORS.map(({ id }) => id).sort());
    expect(data.sectors.map(({ rank }) => rank)).toEqual(SECTORS.map((_, index) => index + 1));
    const strengths = data.sectors.map(({ rs30_pct }) => rs30_pct ?? Number.NaN);
    expect(strengths).toEqual([...strengths].sort((a, b) => b - a));
    expect([data.caps_source, data.weights, data.dropped, warnings]).toEqual(["coinmarketcap", "market_cap", [], []]);
    expect(as_of_ms).toBe(LAST_MS + DAY_MS);
  });

  test("a sector's figures follow from its members' closes and capitalisations", () => {
    const { data } = compute();
    const majors = data.sectors.find(({ id }) => id === "majors");
    const [btc, eth] = [CAPS.get("BTC") ?? 0, CAPS.get("ETH") ?? 0];
    const weighted = (days: number) => (btc * returnOf("BTC", days) + eth * returnOf("ETH", days)) / (btc + eth);
    expect(majors?.r7_pct).toBeCloseTo(100 * weighted(7), 2);
    expect(majors?.r90_pct).toBeCloseTo(100 * weighted(90), 2);
    expect(majors?.equal_weight_r30_pct).toBeCloseTo(50 * (returnOf("BTC", 30) + returnOf("ETH", 30)), 2);
    expect(majors?.concentration_frac).toBeCloseTo(2 / 3, 4);
    expect(majors?.members?.map(({ symbol, weight_frac }) => [symbol, weight_frac])).toEqual([
      ["BTC", 0.6667],
      ["ETH", 0.3333],
    ]);
    const above = ["BTC", "ETH"].filter((symbol) => {
      const closes = closesOf(symbol);
      return (closes.at(-1) ?? 0) > closes.slice(-50).reduce((sum, close) => sum + close, 0) / 50;
    });
    expect(majors?.breadth_frac).toBe(above.length / 2);
  });

  test("changes are against the quadrants of seven days ago", () => {
    const ago = SERIES.map((one) => ({ ...one, bars: one.bars.slice(0, -7) }));
    // The returns over 90 days need more bars than those over 30 that quadrants are made of.
    const longer = ago.map((one) => {
      const first = one.bars[0];
      const earlier = Array.from({ length: 10 }, (_, index) => ({
        close: 1,
        t_ms: (first?.t_ms ?? 0) - (10 - index) * DAY_MS,
      }));
      return {
        ...one,
        bars: [...earlier.map((bar) => ({ ...bar, open: 1, high: 1, low: 1, volume: 1 })), ...one.bars],
      };
    });
    const [now, then] = [compute().data.sectors, compute(longer).data.sectors];
    const expected = SECTORS.flatMap(({ id }) => {
      const [from, to] = [then, now].map((sectors) => sectors.find((one) => one.id === id)?.quadrant);
      return from === to || !from || !to ? [] : [{ id, from, to }];
    });
    expect(expected.length).toBeGreaterThan(0);
    expect(compute().data.changes).toEqual(expected);
  });

  test("prices in another unit make no difference (a thousand coins as one)", () => {
    const scaled = SERIES.map((one) =>
      one.symbol === "PEPE" ? { ...one, bars: one.bars.map((bar) => ({ ...bar, close: bar.close * 1024 })) } : one,
    );
    expect(compute(scaled)).toEqual(compute());
  });

  test("the order of the series makes no difference", () => {
    expect(compute([...SERIES].reverse())).toEqual(compute());
  });

  test("constant prices give no strength, and no z score", () => {
    const flat = SERIES.map((one) => ({ ...one, bars: one.bars.map((bar) => ({ ...bar, close: 100 })) }));
    const { data } = compute(flat);
    for (const sector of data.sectors) {
      expect(sector).toMatchObject({ rs30_pct: 0, momentum_pct: 0, momentum_z: null, quadrant: "lagging" });
      expect(sector.breadth_frac).toBe(0);
    }
    expect(data.changes).toEqual([]);
  });
});

describe("members", () => {
  test("without bars are left out and named; a sector of one goes with them", () => {
    const { data, warnings } = compute(SERIES.filter(({ symbol }) => symbol !== "HYPE" && symbol !== "TIA"));
    expect(data.dropped).toEqual([
      { symbol: "TIA", sector: "infra", reason: "nobody has 92 daily bars of it" },
      { symbol: "HYPE", sector: "exchange", reason: "nobody has 92 daily bars of it" },
      { symbol: "BNB", sector: "exchange", reason: "no other member of its sector is left" },
    ]);
    expect(data.sectors.some(({ id }) => id === "exchange")).toBe(false);
    expect(warnings).toEqual(["sectors: 3 members are left out, see dropped"]);
  });

  test("with too few bars, or without the newest one, are left out", () => {
    const changed = SERIES.map((one) => {
      if (one.symbol === "SUI") return { ...one, bars: one.bars.slice(-90) };
      return one.symbol === "APT" ? { ...one, bars: one.bars.slice(0, -1) } : one;
    });
    expect(compute(changed).data.dropped?.map(({ symbol }) => symbol)).toEqual(["SUI", "APT"]);
  });

  test("with a missing day or a close that is not a number are left out", () => {
    const changed = SERIES.map((one) => {
      if (one.symbol === "SUI") return { ...one, bars: one.bars.filter((_, index) => index !== 70) };
      const broken = one.symbol === "APT" ? Number.NaN : one.symbol === "ADA" ? 0 : null;
      return broken === null
        ? one
        : { ...one, bars: one.bars.map((bar, index) => (index === 60 ? { ...bar, close: broken } : bar)) };
    });
    const { data } = compute(changed);
    expect(data.dropped?.map(({ symbol }) => symbol)).toEqual(["ADA", "SUI", "APT"]);
    expect([...Value.Errors(SectorRotationSchema, data)]).toEqual([]);
  });

  test("while most still lack the newest day, all are taken as of the day before", () => {
    const early = SERIES.map((one, index) => (index % 2 === 0 ? one : { ...one, bars: one.bars.slice(0, -1) }));
    const before = SERIES.map((one) => ({ ...one, bars: one.bars.slice(0, -1) }));
    expect(compute(early)).toEqual(compute(before));
    expect(compute(early).as_of_ms).toBe(LAST_MS);
  });

  test("that are too few give no answer", () => {
    expect(() => compute(SERIES.slice(0, 25))).toThrow(NodeError);
    const stale = SERIES.map((one, index) => (index < 30 ? one : { ...one, bars: one.bars.slice(0, 60) }));
    expect(() => compute(stale)).toThrow(NodeError);
  });
});

describe("weights", () => {
  test("without capitalisations all members weigh the same, and the answer says so", () => {
    const { data, warnings } = compute(SERIES, NO_CAPS);
    expect([data.caps_source, data.weights]).toEqual([null, "equal"]);
    expect(warnings).toEqual(["caps_source: no market capitalisations could be read; all members weigh the same"]);
    for (const sector of data.sectors) {
      expect(sector.concentration_frac).toBeCloseTo(1 / (sector.members?.length ?? 0), 4);
      expect(sector.r30_pct).toBe(sector.equal_weight_r30_pct);
    }
  });

  test("a member without a capitalisation is left out, never given one", () => {
    const { data } = compute(SERIES, capsOf(without(CAPS, "VIRTUAL", "MNT")));
    expect(data.dropped?.map(({ symbol, reason }) => `${symbol} ${reason}`)).toEqual([
      "MNT no market capitalisation",
      "VIRTUAL no market capitalisation",
    ]);
    expect(data.weights).toBe("market_cap");
  });

  test("capitalisations of too few members are not used at all", () => {
    const { data, warnings } = compute(SERIES, capsOf(without(CAPS, ...SECTOR_MEMBERS.slice(10, 22))));
    expect([data.weights, data.caps_source, data.dropped]).toEqual(["equal", null, []]);
    expect(warnings[0]).toContain(`coinmarketcap knows ${SECTOR_MEMBERS.length - 12} of ${SECTOR_MEMBERS.length}`);
  });
});

describe("the preview", () => {
  test("is a day older and shows quadrants only", () => {
    const rewound = rewindSectorRotation({ series: SERIES, caps: capsOf(CAPS) });
    const { data, as_of_ms } = computeSectorRotation(rewound);
    expect(as_of_ms).toBe(LAST_MS);
    expect(data).toEqual(compute(SERIES.map((one) => ({ ...one, bars: one.bars.slice(0, -1) }))).data);
    const shown = redactSectorRotation(data);
    expect(Value.Check(SectorRotationSchema, shown)).toBe(true);
    expect(shown.sectors.map(({ id, quadrant }) => [id, quadrant])).toEqual(
      data.sectors.map(({ id, quadrant }) => [id, quadrant]),
    );
    expect(JSON.stringify(shown)).not.toContain("BTC");
  });
});

test("the published example's quadrants follow from its figures", () => {
  for (const { rs30_pct, momentum_pct, quadrant } of vector.data.sectors) {
    const [strong, rising] = [(rs30_pct ?? 0) > 0, (momentum_pct ?? 0) > 0];
    expect(quadrant).toBe(strong ? (rising ? "leading" : "weakening") : rising ? "improving" : "lagging");
  }
});
