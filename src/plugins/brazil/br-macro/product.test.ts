import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { job as tradeFile } from "../jobs/b3-trade-file.ts";
import { job as focus } from "../jobs/focus.ts";
import { job as ibge } from "../jobs/ibge.ts";
import { job as ptax } from "../jobs/ptax.ts";
import { job as sgs } from "../jobs/sgs.ts";
import { seriesOf } from "../macro/series.ts";
import { readSeries } from "../providers/bcb-sgs/fetch-series.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const JOBS = [tradeFile, sgs, ptax, focus, ibge];
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });
const live = async (node: SimulatedNode, jobs = JOBS) => {
  for (const job of jobs) await job.run(node.createContext()).catch(() => undefined);
};

describe("GET /br-macro", () => {
  test("is complete when every job ran, without a call", async () => {
    const node = createNode();
    await live(node);
    const calls = JSON.stringify(node.upstreams.status());
    const short = await run(node);
    expect(short.data.indicators).toEqual([]);
    expect(short.data.focus?.every(({ year }) => year === 2026)).toBe(true);
    expect(short.warnings).toEqual([]);
    const { data, warnings, sources } = await run(node, "detail=full");
    const { indicators, focus } = short.data;
    expect({ ...data, indicators, focus }).toEqual(short.data);
    expect(short.sources.length).toBeLessThan(sources.length);
    expect(JSON.stringify(node.upstreams.status())).toBe(calls);
    expect(data.indicators).toHaveLength(28);
    expect(data.selic).toMatchObject({ target_pct: 13.75, since_date: "2026-09-17", last_step_bps: -25 });
    expect(data.selic).toMatchObject({ next_meeting_date: "2026-11-04", days_to_meeting: 34 });
    expect(data.inflation.ipca_period).toBe("2026-08-01");
    expect(data.real_rates.ex_ante).toBeGreaterThan(5);
    expect(data.focus?.filter(({ indicator }) => indicator === "ipca").map(({ year }) => year)).toEqual([
      2026, 2027, 2028,
    ]);
    expect(data.score?.factors).toHaveLength(5);
    expect(data.calendar?.every(({ time_utc }) => Date.parse(time_utc) < NOW_MS + 14 * 86_400_000)).toBe(true);
    expect(warnings).toEqual([]);
  });

  test("the IPCA is IBGE's, and two sources that differ are named", async () => {
    const node = createNode();
    await live(node);
    const whole = await run(node);
    const ipca = whole.inputs.ibge_ipca.map(
      ([date, value], at, all) => [date, at === all.length - 1 ? value + 0.1 : value] as const,
    );
    const { data, warnings } = product.compute(
      { ...whole.inputs, ibge_ipca: ipca },
      { params: { detail: "summary" }, now_ms: NOW_MS },
    );
    expect(data.inflation.ipca_mom).toBeCloseTo(whole.data.inflation.ipca_mom + 0.1, 4);
    expect(warnings.join("\n")).toContain("sources_disagree: the IPCA of 2026-08 is IBGE's");
  });

  test("each source can be missing: its fields are null and named", async () => {
    const node = createNode();
    await live(node, [sgs]);
    const { data, warnings } = await run(node);
    // Series 1 and 10813 replace the PTAX.
    expect(data.fx.ptax_sell).toBeGreaterThan(data.fx.ptax_buy);
    expect(data).toMatchObject({ focus: null, calendar: null, real_rates: { ex_ante: null } });
    for (const name of ["focus", "focus_selic", "calendar", "real_rates.ex_ante"]) {
      expect([name, warnings.some((text) => text.split(": ")[0]?.includes(name))]).toEqual([name, true]);
    }
  });

  test("without Selic, IPCA or PTAX nothing is sold", async () => {
    const node = createNode();
    await live(node, [ptax, focus]);
    expect((await refusalOf(run(node))).message).toContain("the Selic target, the IPCA");
  });

  test("series that were swapped are found by what they can be", () => {
    const rows = [{ data: "01/08/2026", valor: "109.5" }];
    expect(readSeries(rows, seriesOf("unemployment"), "2026-10-01")).toMatchObject({
      why: expect.stringContaining("cannot be series 24369"),
    });
    expect(readSeries(rows, seriesOf("ibc_br"), "2026-10-01")).toEqual([["2026-08-01", 109.5]]);
    expect(readSeries([{ data: "01/08/2026", valor: "5,8" }], seriesOf("unemployment"), "2026-10-01")).toMatchObject({
      why: expect.stringContaining("not a number"),
    });
    // A target of tomorrow is not today's.
    const ahead = [
      { data: "30/09/2026", valor: "13.75" },
      { data: "05/11/2026", valor: "13.50" },
    ];
    expect(readSeries(ahead, seriesOf("selic_target"), "2026-10-01")).toEqual([["2026-09-30", 13.75]]);
  });

  test("a list of meetings that ended is reported, not guessed", async () => {
    const node = createNode({ now_ms: Date.UTC(2028, 0, 12, 12) });
    await live(node);
    const { data, warnings } = await run(node);
    expect(data.selic.next_meeting_date).toBeNull();
    expect(warnings).toContain(
      "selic.next_meeting_date, selic.days_to_meeting: the central bank's list of meetings that is known has ended",
    );
  });

  test("the preview withholds survey and score, and draws inflation in its band", async () => {
    const node = createNode();
    await live(node);
    const { data, inputs } = await run(node);
    expect(Value.Check(product.data, product.preview.redact?.(data))).toBe(true);
    const [chart] = product.preview.charts?.({ data, inputs }) ?? [];
    expect(chart?.kind === "time" && chart.lines).toHaveLength(3);
  });
});
