import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createProductRig } from "../../../../test/helpers/product-rig.ts";
import { refusalOf } from "../../../../test/helpers/refusal.ts";
import { job as dailySeries } from "../jobs/daily-series.ts";
import { job as events } from "../jobs/gdelt-events.ts";
import { job as advisories } from "../jobs/travel-advisories.ts";
import { product } from "./product.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const { createNode, run } = createProductRig(product, { now_ms: NOW_MS });

describe("GET /geo-alpha", () => {
  test("sixty days of files, markets and regions; what is not known is named", async () => {
    const node = createNode();
    await events.run(node.createContext());
    await dailySeries.run(node.createContext());
    await advisories.run(node.createContext());
    const { data, sources, warnings } = await run(node);
    expect(data.components.map(({ score }) => score !== null)).toEqual([true, false, false, true]);
    expect(data.coverage).toBeCloseTo(0.65, 6);
    expect(data.regions?.length).toBe(10);
    expect(data.regions?.[0]?.top_urls).toHaveLength(1);
    expect(data.text).toContain(data.band);
    const asked = new Set(sources.map(({ provider }) => provider));
    for (const id of ["gdelt_events", "state_advisories", "ecb", "fred", "kraken"]) expect(asked).toContain(id);
    const figuresOf = (name: string) =>
      ["value", "z", "score", "as_of"].map((figure) => `components[${name}].${figure}`).join(", ");
    expect(warnings.map((text) => text.split(":")[0])).toEqual([
      ...["regions", "history_response", figuresOf("gpr"), figuresOf("advisory"), "change_1d", "change_7d"],
    ]);
    expect(Value.Check(product.data, product.preview.redact?.(data))).toBe(true);
  });

  test("the past comes in three runs, and what is there is not fetched again", async () => {
    const node = createNode();
    const counts: number[] = [];
    for (let run_of = 0; run_of < 4; run_of += 1) {
      const before = node.upstreams.status().gdelt_events?.calls ?? 0;
      await events.run(node.createContext());
      counts.push((node.upstreams.status().gdelt_events?.calls ?? 0) - before);
    }
    expect(counts).toEqual([97, 96, 52, 0]);
  });

  test("no score without files, nor with old ones", async () => {
    const node = createNode();
    expect((await refusalOf(run(node))).status).toBe(503);
    await events.run(node.createContext());
    node.clock.advance(7 * 3_600_000);
    expect((await refusalOf(run(node))).status).toBe(503);
  });
});
