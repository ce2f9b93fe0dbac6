import { describe, expect, test } from "bun:test";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { fc } from "../../../../test/helpers/properties.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { toInstant } from "../../../calendars/zone-time.ts";
import { parseCharts } from "../../../catalog/chart.ts";
import { job } from "../jobs/daily-series.ts";
import { job as releases } from "../jobs/release-dates.ts";
import { computeEventPlaybook, labelEdge } from "./compute.ts";
import { EVENTS, getEventTime, listEvents } from "./events.ts";
import type { EventPlaybookInputs } from "./fetch.ts";
import { estimateNext } from "./next-event.ts";
import { product } from "./product.ts";
import { locateEvents } from "./study.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 9, 1, 22, 34, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

/** d0 of every event, found a second way: the last value up to it and the first after it. */
function studyAgain({ series, events }: EventPlaybookInputs, id: string, now_ms: number): readonly number[] {
  const one = series.find((candidate) => candidate.id === id);
  const points = (one?.points ?? []).filter(({ at_ms }) => at_ms <= now_ms);
  return events.flatMap(({ at_ms }) => {
    const before = points.findLast((point) => point.at_ms <= at_ms);
    const after = points.find((point) => point.at_ms > at_ms);
    if (!before || !after || at_ms >= now_ms || at_ms - before.at_ms > 4 * 86_400_000) return [];
    return [100 * (one?.move === "bp" ? after.value - before.value : Math.log(after.value / before.value))];
  });
}

describe("GET /event-playbook", () => {
  test("stored histories, every number sourced; in a market without edges it claims no edge", async () => {
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
    expect(warnings).toContain("events: what is known of them ends on 2026-09-04; later ones are no sample");
  });

  const RELEASES = ["ppi", "gdp", "pce", "retail", "claims"] as const;

  test("releases without a table: days come from calendars, and a second study finds the same moves", async () => {
    const node = createNode({ api_keys: { fred_api: "k" } });
    await Promise.all([job, releases].map((one) => one.run(node.createContext())));
    for (const event of RELEASES) {
      const { data, inputs, sources } = await run(node, `event=${event}&detail=full`);
      expect(data.next_occurrence?.status).toBe("scheduled");
      expect([event, data.n_events > 100, data.first.slice(0, 4)]).toEqual([event, true, "2015"]);
      expect(sources.map(({ provider }) => provider)).toContain("fred_api");
      for (const { id, windows } of data.assets) {
        const again = studyAgain(inputs, id, NOW_MS);
        const row = windows.find(({ window }) => window === "d0");
        expect(row?.n).toBe(again.length);
        expect(row?.mean).toBeCloseTo(again.reduce((sum, one) => sum + one, 0) / again.length, 5);
        expect(row?.max).toBeCloseTo(Math.max(...again), 5);
      }
    }
  });

  test("08:30 in New York, also in the weeks between two summer times; a delayed one at its own hour", () => {
    const at = (text: string) => Date.parse(text);
    const stored = (...times: string[]) => ({
      releases: times.map((text): [number, string] => [at(text), "bea"]),
      read_ms: at("2026-11-20T04:40Z"),
    });
    const now_ms = at("2026-11-22T12:00Z");
    const told = listEvents("gdp", stored("2026-01-22T15:00Z", "2026-03-13T12:30Z", "2026-11-25T13:30Z"), now_ms);
    expect(told.map(({ date }) => date)).toEqual(["2026-01-22", "2026-03-13", "2026-11-25"]);
    expect(estimateNext("gdp", told, now_ms)).toEqual({ at_ms: at("2026-11-25T13:30Z"), status: "scheduled" });
    // Due after the last reading of the calendars: it may have been put off.
    const unsure = listEvents("gdp", stored("2026-10-29T12:30Z", "2026-11-21T21:00Z"), now_ms);
    expect(unsure.map(({ date }) => date)).toEqual(["2026-10-29"]);
    // A calendar corrects a table within three days, continues it, and adds nothing within it.
    const cpi = listEvents("cpi", stored("2026-09-10T12:30Z", "2026-08-20T12:30Z", "2026-10-14T12:30Z"), now_ms);
    expect(cpi.slice(-3).map(({ date }) => date)).toEqual(["2026-08-12", "2026-09-10", "2026-10-14"]);
  });

  test("an event without known days is listed nowhere, and one with too few is not sold", async () => {
    const whyNone = (providers: readonly { id: string }[]) =>
      providers.some(({ id }) => id !== "fred_api") ? null : "a key of fred_api is missing";
    const sold = EVENTS.filter((event) => product.offers?.event?.whyNot(event, { whyNone } as never) === null);
    expect(sold).toEqual(["fomc", "cpi", "nfp", "ecb", "ppi", "gdp", "pce"]);
    const node = createNode();
    await Promise.all([job, releases].map((one) => one.run(node.createContext())));
    expect((await refusalOf(run(node, "event=ppi"))).message).toContain("9 past days");
    const { data } = await run(node, "event=nfp");
    expect(data).toMatchObject({ last: "2026-09-04", next_occurrence: { status: "scheduled" } });
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

  test("a planted reaction is an edge on its own days, but not on shuffled days", async () => {
    const node = createNode();
    await job.run(node.createContext());
    const { inputs } = await run(node, "detail=full");
    const past = inputs.events.filter(({ at_ms }) => at_ms < NOW_MS - 30 * DAY_MS && at_ms > NOW_MS - 4_000 * DAY_MS);
    const noise = fc.sample(fc.double({ min: -0.004, max: 0.004, noNaN: true }), { numRuns: 4_000, seed: 17 });
    let value = 100;
    const [first] = past;
    const points = noise.map((step, day) => {
      const at_ms = (first?.at_ms ?? 0) + (day - 20) * DAY_MS + 3_600_000;
      const is_event = past.some((event) => at_ms > event.at_ms && at_ms - event.at_ms <= DAY_MS);
      value *= Math.exp(step + (is_event ? 0.01 : 0));
      return { at_ms, value };
    });
    const series = inputs.series.slice(0, 2).map((one) => ({ ...one, move: "log" as const, points }));
    const edgesOn = (events: typeof past): readonly string[] =>
      computeEventPlaybook({ ...inputs, series, events }, { event: "fomc", now_ms: NOW_MS })
        .data.assets.flatMap(({ windows }) => windows)
        .filter(({ window }) => window === "d0")
        .map(({ edge }) => edge);
    expect(edgesOn(past)).toEqual(["up", "up"]);
    const moved = fc.sample(fc.integer({ min: 5, max: 35 }), { numRuns: past.length, seed: 17 });
    const shuffled = past.map((event, index) => ({ ...event, at_ms: event.at_ms + (moved[index] ?? 9) * DAY_MS }));
    expect(edgesOn(shuffled)).toEqual(["none", "none"]);
  });

  test("an edge takes a direction beyond chance, or sizes beyond ordinary ones", () => {
    const row = {
      window: "d0" as const,
      n: 30,
      mean: 1,
      median: 1,
      sd: 1,
      t: 5,
      p: 0.001,
      p_adj: 0.01,
      hit_rate: 0.8,
      wilson_low: 0.6,
      wilson_high: 0.9,
      min: 0,
      max: 2,
      mean_abs: 1,
      baseline_n: 9,
      baseline_mean: 0,
      baseline_mean_abs: 1,
      vol_ratio: 1,
      welch_p: 0.5,
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
