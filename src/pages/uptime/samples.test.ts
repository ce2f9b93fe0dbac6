import { describe, expect, test } from "bun:test";
import { readAtom } from "../../../test/helpers/atom-rules.ts";
import { createTestModel } from "../../../test/helpers/surface-model.ts";
import { ENGLISH } from "../words.ts";
import { renderIncidentFeed } from "./feed.ts";
import { renderLatency } from "./latency.ts";
import { renderStatusPage } from "./page.ts";
import { countDays, findIncidents, rateUptime, SAMPLE_EVERY_MS, sumUp, type TimedSample } from "./samples.ts";

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 7, 1);
const NOW_MS = START_MS + 90 * DAY_MS - 1;
const at = (day: number, hour: number) => START_MS + day * DAY_MS + hour * 3_600_000;

/** Three outages of 90 days: six hours, fifteen minutes, and one over midnight; and two days without the node. */
const OUTAGES = [
  [at(10, 6), at(10, 12)],
  [at(40, 1), at(40, 1.25)],
  [at(70, 23), at(71, 2)],
] as const;
const isOff = (ms: number) => ms >= at(50, 0) && ms < at(52, 0);

const SAMPLES: readonly TimedSample[] = Array.from({ length: (90 * DAY_MS) / SAMPLE_EVERY_MS }, (_, index) => {
  const at_ms = START_MS + index * SAMPLE_EVERY_MS;
  const is_out = OUTAGES.some(([from, to]) => at_ms >= from && at_ms < to);
  const state: "ok" | "failing" = is_out ? "failing" : "ok";
  const reasons = is_out ? ["ledger: <disk> full"] : [];
  const calls = { mempool: [2, is_out ? 1 : 0] as const };
  return { at_ms, value: { state, reasons, latency_ms: 12, calls, sources: { kraken: calls.mempool } } };
}).filter(({ at_ms }) => !isOff(at_ms));

describe("90 simulated days with three outages", () => {
  const days = countDays(SAMPLES, NOW_MS);

  test("have the share of each day that was up, and gaps without samples", () => {
    expect(days).toHaveLength(90);
    const troubled = days.flatMap(({ up }, day) => (up !== null && up < 1 ? [[day, Number(up.toFixed(4))]] : []));
    expect(troubled).toEqual([
      [10, 0.75],
      [40, 0.9896],
      [70, 0.9583],
      [71, 0.9167],
    ]);
    expect(days.flatMap(({ up, sampled }, day) => (up === null ? [[day, sampled]] : []))).toEqual([
      [50, 0],
      [51, 0],
    ]);
  });

  test("are up as often as the samples say, gaps aside", () => {
    // 72 + 3 + 36 of 88 x 288 samples were failing.
    expect(rateUptime(SAMPLES)).toBeCloseTo(1 - 111 / (88 * 288), 12);
    expect(rateUptime([])).toBeNull();
  });

  test("have three incidents, newest first, each from its first bad sample to the first good one", () => {
    const found = findIncidents(SAMPLES).map(({ from_ms, to_ms }) => [from_ms, to_ms]);
    expect(found).toEqual(OUTAGES.map(([from, to]) => [from, to]).reverse());
  });

  test("an incident whose end was not sampled has no end", () => {
    const failing = SAMPLES.filter(({ at_ms }) => at_ms < at(10, 8));
    expect(findIncidents(failing)[0]).toMatchObject({ from_ms: at(10, 6), to_ms: null });
    const gap = [...failing, ...SAMPLES.filter(({ at_ms }) => at_ms >= at(11, 0))];
    expect(findIncidents(gap).at(-1)).toMatchObject({ from_ms: at(10, 6), to_ms: null });
  });

  test("make a valid feed: one entry per outage, with stable ids", () => {
    const feed = renderIncidentFeed(createTestModel().node, findIncidents(SAMPLES), START_MS);
    const read = readAtom(feed);
    expect(read.id).toBe("https://node.example.com/status.atom");
    expect(Date.parse(read.updated)).toBe(at(71, 2));
    expect(read.entry.map(({ id }) => id)).toEqual(
      OUTAGES.map(([from]) => `https://node.example.com/status#${from}`).reverse(),
    );
  });

  test("make a page with a bar per day, gaps, and each incident", () => {
    const health = {
      ok: true,
      reasons: [],
      started_at_ms: START_MS,
      paid_24h: 0,
      networks: [],
      upstreams: [
        { provider: "kraken", ok: false },
        { provider: "gemini", ok: true },
      ],
      latency_ms: { key: null, x402: null },
    };
    const model = createTestModel();
    const past = sumUp(SAMPLES, NOW_MS);
    const latency = renderLatency(past.days, ENGLISH);
    const lists = {
      answered_ms: new Map([["mempool", NOW_MS - 7_000]]),
      unavailable: new Map([["/mempool", "mempool_space does not answer"]]),
      sources: [
        { id: "kraken", title: "Kraken <x>", ok: false },
        { id: "never", title: "Never asked", ok: true },
      ],
      withheld: [{ path: "/llm", for_buyers: "it needs a language model, and this node runs none for it" }],
    };
    const text = renderStatusPage({ model, health, past, latency, lists, now_ms: NOW_MS, words: ENGLISH });
    expect(text.match(/<rect class="good"/g)).toHaveLength(84);
    expect(text.match(/<rect class="bad"/g)).toHaveLength(4);
    expect(text.match(/<rect class="none"/g)).toHaveLength(2);
    expect(text).toContain("Sampled on 88 of 90 days; not up throughout on 4.");
    for (const [from] of OUTAGES) expect(text).toContain(`id="${from}"`);
    expect(text).toContain("ledger: &lt;disk&gt; full");
    expect(text).toContain("1 of 2 answering · not: kraken");
    // 88 days of 288 samples with two answers each; one failure in each sample of an outage.
    expect(text).toContain("<td>50,688</td><td>111</td>");
    expect(text).toContain(">7 s</time></td>");
    // One product and one source by day: good until the outages, gaps as gaps; the newest cause in words.
    expect(text.match(/<path class="good" d="M0 5h10M11 5h/g)).toHaveLength(2);
    expect(text).toContain("Called on 88 of 90 days; failing on 1.");
    expect(text).toContain("mempool_space does not answer");
    for (const part of ["Kraken &lt;x&gt;", "does not answer now", "<code>/llm</code>", "this node runs none"]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("Never asked");
    // The line has a gap where samples are missing.
    expect(text.match(/<path class="l0" d="(M[^"]+)"\/><\/g>/)?.[1]?.match(/M/g)).toHaveLength(2);
  });
});
