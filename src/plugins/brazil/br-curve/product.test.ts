import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { job as backfill } from "../jobs/b3-backfill.ts";
import { job as tradeFile } from "../jobs/b3-trade-file.ts";
import { job as focus } from "../jobs/focus.ts";
import { job as sgs } from "../jobs/sgs.ts";
import { table as b3Days } from "../tables/b3-days.ts";
import { product } from "./product.ts";

/** A Thursday morning in São Paulo. */
const NOW_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const DAY_MS = 86_400_000;
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

/** Runs jobs as often as they are named; failures are returned. */
async function live(node: SimulatedNode, ...jobs: readonly (typeof backfill)[]): Promise<void> {
  for (const job of jobs) await job.run(node.createContext());
}

describe("GET /br-curve", () => {
  test("is made of what jobs stored: yesterday's settlements, changes over a day, week and month", async () => {
    const node = createNode();
    await live(node, tradeFile, backfill, sgs, focus);
    const calls = JSON.stringify(node.upstreams.status());
    const { data, sources, warnings, as_of_ms } = await run(node);
    expect(JSON.stringify(node.upstreams.status())).toBe(calls);
    expect(data).toMatchObject({ reference_date: "2026-09-30", source_kind: "di_futures", selic_target_pct: 13.75 });
    expect(data.curve.find(({ tenor }) => tenor === "10y")?.change_21d_bps).not.toBeNull();
    expect(data.futures).toHaveLength(16);
    const all = (await run(node, "futures=200")).data;
    expect(all.futures?.length).toBeGreaterThan(60);
    expect(all.curve).toEqual(data.curve);
    expect(data.pca_like.level_21d).not.toBeNull();
    expect(data.copom_path?.[0]).toMatchObject({ meeting_date: "2026-11-04", effective_date: "2026-11-05" });
    expect(as_of_ms).toBe(Date.UTC(2026, 8, 30, 21, 30));
    expect(new Set(sources.map(({ provider }) => provider))).toEqual(new Set(["b3_files", "bcb_sgs", "bcb_olinda"]));
    expect(warnings.filter((text) => !text.startsWith("real"))).toEqual([
      "futures[].open_interest (16 of them): B3's file does not say",
    ]);
  });

  test.each(["2026-12-29", "2027-01-05", "2027-02-11"])(
    "changes are against B3's own sessions, which some bank days are not: the morning of %s",
    async (day) => {
      // Banks work on 24 and 31 December, B3 does not; before Ash Wednesday both are closed for two days.
      const node = createNode({ now_ms: Date.parse(`${day}T13:24:56Z`) });
      await live(node, tradeFile, backfill, sgs, focus);
      const { data, warnings } = await run(node);
      const of = data.curve.find(({ tenor }) => tenor === "5y");
      expect([of?.change_1d_bps, of?.change_5d_bps, of?.change_21d_bps]).not.toContain(null);
      expect(warnings.filter((text) => text.includes("no settlements of that day"))).toEqual([]);
    },
  );

  test("a file that is not final is not read: the report takes its place until it is", async () => {
    // The file is there at 18:00 in São Paulo, and final from 18:30 on: in between nothing is due.
    const node = createNode({ now_ms: Date.UTC(2026, 9, 1, 21, 15) });
    await live(node, tradeFile);
    expect((await run(node)).data.reference_date).toBe("2026-09-30");
    node.clock.set(Date.UTC(2026, 9, 1, 23, 30));
    node.upstreams.setFault("b3_files", "html");
    await live(node, tradeFile);
    const before = await run(node);
    expect(before.data.reference_date).toBe("2026-10-01");
    expect(before.data.futures?.[0]?.open_interest).toBeGreaterThan(0);
    expect(before.sources.map(({ provider, ok }) => [provider, ok])).toContainEqual(["b3_files", false]);
    node.upstreams.setFault("b3_files", "none");
    await live(node, tradeFile);
    const after = await run(node);
    expect(after.data.futures?.[0]?.open_interest).toBeNull();
    expect(after.data.curve).toEqual(before.data.curve);
  });

  test("a report without a file is an empty ZIP of 22 bytes, and nothing is stored of it", async () => {
    const node = createNode({ now_ms: Date.UTC(2026, 9, 1, 22, 0) });
    node.upstreams.setFault("b3_files", "http500");
    expect((await refusalOf(tradeFile.run(node.createContext()))).status).toBe(503);
    expect((await refusalOf(run(node))).code).toBe("upstream_unavailable");
  });

  test("without B3 the curve is made of bonds, and says so; without these nothing is sold", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).code).toBe("upstream_unavailable");
    expect(await node.takeInDatasets("brazil/tesouro")).toEqual([]);
    const { data, warnings } = await run(node);
    expect(data).toMatchObject({ source_kind: "treasury_bonds", futures: null });
    expect(data.curve.find(({ tenor }) => tenor === "5y")?.nominal).toBeGreaterThan(5);
    expect(warnings.join("\n")).toContain("coarse");
  });

  test("a curve of more than 3 bank days is not sold", async () => {
    const node = createNode();
    await live(node, tradeFile);
    node.clock.advance(5 * DAY_MS);
    expect((await run(node)).warnings.join("\n")).toContain("reference_date: B3's file of 2026-10-05 is not there yet");
    node.clock.advance(2 * DAY_MS);
    expect((await refusalOf(run(node))).status).toBe(503);
  });

  test("the preview gives four nominal rates away and matches the schema", async () => {
    const node = createNode();
    await live(node, tradeFile, backfill);
    const { data, inputs } = await run(node);
    const shown = product.preview.redact?.(data);
    expect(shown?.curve.map(({ tenor }) => tenor)).toEqual(["3m", "1y", "5y", "10y"]);
    expect(shown?.curve.every(({ real, change_1d_bps }) => real === null && change_1d_bps === null)).toBe(true);
    expect(Value.Check(product.data, shown)).toBe(true);
    const [rates, inflation] = product.preview.charts?.({ data, inputs }) ?? [];
    expect(rates?.kind === "time" && rates.lines.map(({ name }) => name)).toEqual([
      ...["2026-09-30", "trading day before", "5 business days before", "21 business days before"],
    ]);
    expect(inflation?.title).toContain("breakeven");
  });
});

describe("job brazil-b3-backfill", () => {
  const daysOf = async (node: SimulatedNode) =>
    (
      await node
        .createContext()
        .table(b3Days)
        .find({ order: ["date"] })
    ).map(({ date }) => date);

  test("continues where it was: a day counts only when all of it is stored", async () => {
    const node = createNode();
    await live(node, backfill);
    const first = await daysOf(node);
    expect(first).toHaveLength(24);
    // What a kill -9 leaves behind: the day's rows, without its mark.
    await node
      .createContext()
      .table(b3Days)
      .remove({ date: first[3] ?? "" });
    await live(node, backfill);
    const second = await daysOf(node);
    expect(second).toHaveLength(47);
    expect(second).toContain(first[3] ?? "");
    expect(new Set(second).size).toBe(47);
  });

  test("stops at an error and keeps what it has", async () => {
    const node = createNode();
    node.upstreams.setFault("b3_files", "html");
    expect(await backfill.run(node.createContext()).catch(() => "failed")).toBe("failed");
    expect(await daysOf(node)).toEqual([]);
  });
});
