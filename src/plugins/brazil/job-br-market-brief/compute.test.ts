import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createBrazilNode } from "../../../../test/helpers/brazil-parts.ts";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { NodeError } from "../../../core/errors.ts";
import { type BrazilParts, fetchBrazilParts } from "../shared/written/parts.ts";
import { computeBrazilBrief, planBrazilBrief, toDirection } from "./compute.ts";
import { product } from "./product.ts";

let node: SimulatedNode;
let parts: BrazilParts;
beforeAll(async () => {
  node = await createBrazilNode();
  parts = await fetchBrazilParts(node.createContext());
}, 60_000);
afterAll(() => node.close());

const FAILED = { ok: false, error: new NodeError("upstream_unavailable", "gone") } as const;

describe("GET /job/br-market-brief", () => {
  test("has every number, and no sentence without its facts", () => {
    const { data, warnings } = computeBrazilBrief(parts);
    expect([...Value.Errors(product.data, data)]).toEqual([]);
    expect(data.numbers).toMatchObject({ selic_target_pct: 15, di_1y_pct: 13.6935, slope_2s10s_bps: 45.7 });
    expect(Object.values(data.numbers)).not.toContain(null);
    expect(data.blocks.map(({ id }) => id)).toEqual(["rates", "inflation", "fx_equity", "agro", "watch"]);
    expect(warnings).toEqual([]);
  });

  test("the text keeps to its facts, and follows each of them", () => {
    expect(expectGrounded(planBrazilBrief(parts))).toBeGreaterThan(25);
  });

  test("directions are flat within their noise, and unknown without a change", () => {
    expect([6, 5, -5, -6, null].map((change) => toDirection(change, 5))).toEqual(["up", "flat", "flat", "down", null]);
  });

  test("without agro its sentences are left out, and said to be", () => {
    const { data, warnings } = computeBrazilBrief({ ...parts, agro: FAILED });
    expect(data.blocks.some(({ id }) => id === "agro")).toBe(false);
    expect(data.numbers.corn_brl_sack).toBeNull();
    expect(warnings).toContain("blocks.agro: its facts are missing");
  });

  test("without the curve nothing is sold", () => {
    expect(() => computeBrazilBrief({ ...parts, curve: FAILED })).toThrow(NodeError);
  });
});
