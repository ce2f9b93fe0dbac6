import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { toInstant } from "../../../calendars/zone-time.ts";
import { parseCharts } from "../../../catalog/chart.ts";
import { job } from "../jobs/daily-series.ts";
import { computeEventPlaybook, labelEdge } from "./compute.ts";
import { getEventTime } from "./events.ts";
import { product } from "./product.ts";
import { locateEvents } from "./study.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 22, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /event-playbook", () => {
  test("of stored histories, every number sourced, in a market without edges none is claimed", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const before = node.upstreams.status().ecb?.calls;
    const { data, inputs, sources, warnings } = await run(node);
    expect(node.upstreams.status().ecb?.calls).toBe(before);
    expect(data.assets.map(({ id }) => id)).toEqual(["EURUSD", "USDJPY", "USDX", "UST2Y", "UST10Y", "WTI", "GOLD"]);
    expect(data).toMatchObject({ n_events: 109, last: "2026-09-16", next_occurrence: { status: "scheduled" } });
    expect(data.assets[0]?.windows.find(({ window }) => window === "d0")?.n).toBe(109);
    expect(data.assets.every(({ windows }) => windows.every(({ window }) => window === "d0"))).toBe(true);
    expect([data.conditional, data.events.length]).toEqual([null, 4]);
    const [chart] = parseCharts(product.preview.charts?.({ data, inputs }));
    const bands = chart?.kind === "time" ? (chart.bands ?? []) : [];
    expect(bands).toHaveLength(8);
    expect(bands.map(({ from_ms }) => new Date(from_ms).toISOString()).at(-1)).toBe("2026-09-16T18:00:00.000Z");
    const full = await run(node, "detail=full");
    expect(full.data.assets[0]?.windows).toHaveLength(5);
    expect(full.data.assets[0]?.windows[2]).toEqual(data.assets[0]?.windows[0]);
    expect(full.data.conditional?.length).toBeGreaterThan(5);
    expect(full.data.events.slice(-4)).toEqual(data.events);
    expect(data.playbook.filter(({ label }) => label === "up" || label === "down")).toEqual([]);
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(["ecb", "fred", "kraken"]));
    expect(warnings).toContain("assets: BTC is left out, its history is not at hand");
  });

  test("jobs means nfp; past the table the next one is an estimate", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const { data, warnings } = await run(node, "event=jobs");
    expect(data).toMatchObject({
      event: "nfp",
      next_occurrence: { time_utc: "2026-10-02T12:30:00Z", status: "estimated" },
    });
    expect(warnings).toContain("events: the table ends on 2026-09-04; later ones are no sample");
    expect(() => run(node, "event=claims")).toThrow();
  });

  test("the ECB's decisions: the fix of 14:15 saw those of 13:45, and none of 14:15", async () => {
    const hourOf = (date: string) => new Date(getEventTime("ecb", date)).toISOString().slice(11, 16);
    expect(["2022-06-09", "2022-07-21", "2024-12-12"].map(hourOf)).toEqual(["11:45", "12:15", "13:15"]);
    const fixes = ["2022-06-08", "2022-06-09", "2022-06-10", "2024-06-05", "2024-06-06", "2024-06-07"].map((date) => ({
      at_ms: toInstant("Europe/Berlin", date, "14:15"),
      value: 1,
    }));
    const places = locateEvents(fixes, [getEventTime("ecb", "2022-06-09"), getEventTime("ecb", "2024-06-06")]);
    expect(places).toEqual([1, 5]);
    const node = createNode();
    await job.run(node.createContext());
    const { data } = await run(node, "event=ecb");
    expect(data).toMatchObject({ n_events: 94, last: "2026-09-10", excluded: [{ date: "2020-03-18" }] });
    expect(data.next_occurrence).toMatchObject({ time_utc: "2026-10-29T13:15:00Z", status: "scheduled" });
  });

  test("the canary: tomorrow's prices change nothing that is said today", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const { inputs, data } = await run(node, "detail=full");
    const tomorrow = inputs.series.map((series) => ({
      ...series,
      points: [...series.points, { at_ms: NOW_MS + 3_600_000, value: (series.points.at(-1)?.value ?? 1) * 3 }],
    }));
    const again = computeEventPlaybook({ ...inputs, series: tomorrow }, { event: "fomc", now_ms: NOW_MS });
    expect(again.data.assets[0]?.windows[2]?.mean).toBeCloseTo(data.assets[0]?.windows[2]?.mean ?? Number.NaN, 5);
    expect(again.data.current_conditions).toEqual(data.current_conditions);
  });

  test("an edge takes a direction beyond chance, or sizes beyond ordinary ones", () => {
    const row = {
      ...{ window: "d0" as const, n: 30, mean: 1, median: 1, sd: 1, t: 5, p: 0.001, p_adj: 0.01, hit_rate: 0.8 },
      ...{ wilson_low: 0.6, wilson_high: 0.9, min: 0, max: 2, mean_abs: 1, baseline_n: 9, baseline_mean: 0 },
      ...{ baseline_mean_abs: 1, vol_ratio: 1, welch_p: 0.5 },
    } as const;
    expect(labelEdge(row)).toBe("up");
    expect(labelEdge({ ...row, n: 19 })).toBe("none");
    expect(labelEdge({ ...row, wilson_low: 0.49 })).toBe("none");
    expect(labelEdge({ ...row, mean: -1, wilson_low: 0.1, wilson_high: 0.4 })).toBe("down");
    expect(labelEdge({ ...row, p_adj: 0.2, vol_ratio: 1.3, welch_p: 0.01 })).toBe("volatile");
  });

  test("without stored histories nothing is sold", async () => {
    expect((await refusalOf(run(createNode()))).status).toBe(503);
  });
});
