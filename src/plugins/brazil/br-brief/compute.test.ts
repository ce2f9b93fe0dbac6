import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createBrazilNode } from "../../../../test/helpers/brazil-parts.ts";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { NodeError } from "../../../core/errors.ts";
import type { BrazilParts } from "../shared/written/parts.ts";
import { computeBrBrief, planBrBrief, readFigures } from "./compute.ts";
import { product } from "./product.ts";
import { changeOfPrice, moveOfRate, shiftAt } from "./scenarios.ts";

let node: SimulatedNode;
let parts: BrazilParts;
beforeAll(async () => {
  node = await createBrazilNode();
  parts = await product.fetch(node.createContext(), {});
}, 60_000);
afterAll(() => node.close());

const FAILED = { ok: false, error: new NodeError("upstream_unavailable", "gone") } as const;

/** The parts with a survey of the first meeting of the path. */
function surveyed(): BrazilParts {
  const { macro } = parts;
  if (!macro.ok) throw new Error("no macro");
  const focus_selic = [{ meeting: "R1/2026", median: 14.5, survey_date: "2026-01-09" }];
  return { ...parts, macro: { ok: true, value: { ...macro.value, data: { ...macro.value.data, focus_selic } } } };
}

describe("scenarios", () => {
  test("give the published figures", () => {
    expect(shiftAt(1_260, 25, 100)).toBeCloseTo(58.3333, 4);
    expect(moveOfRate(5.1273, 12, -1)).toBeCloseTo(4.9527, 4);
    expect(moveOfRate(5.1273, 12, 1)).toBeCloseTo(5.308, 4);
  });

  test("a price of F29 moves as published: -1786.72 and +1850.19 on 69,771.74", () => {
    expect((69_771.74 * changeOfPrice(13.003, 742, 100)) / 100).toBeCloseTo(-1786.72, 1);
    expect((69_771.74 * changeOfPrice(13.003, 742, -100)) / 100).toBeCloseTo(1850.19, 1);
  });
});

describe("GET /br-brief", () => {
  test("is whole, and matches its schema", () => {
    const { data, warnings } = computeBrBrief(surveyed());
    expect([...Value.Errors(product.data, data)]).toEqual([]);
    expect(warnings).toEqual([]);
    expect(data.blocks).toHaveLength(10);
    const [gap] = data.policy_gap;
    expect(gap).toMatchObject({ meeting_date: "2026-01-28", survey_median: 14.5 });
    expect(gap?.gap_bps).toBeCloseTo(100 * ((gap?.implied_rate ?? 0) - (gap?.survey_median ?? 0)), 9);
    const five = data.breakeven_gap.find(({ tenor }) => tenor === "5y");
    expect(five?.minus_target_pp).toBeCloseTo(5.1332 - 3, 4);
  });

  test("the text keeps to its facts, and follows each of them", () => {
    expect(expectGrounded(planBrBrief(surveyed(), readFigures(surveyed())))).toBeGreaterThan(35);
  });

  test("meetings the survey does not name have no gap, and that is said", () => {
    const { data, warnings } = computeBrBrief(parts);
    expect(data.policy_gap).toEqual([]);
    expect(warnings).toContain("policy_gap: path or survey of its meetings is not known");
  });

  test("without equities and agro their objects are null, with warnings", () => {
    const { data, warnings } = computeBrBrief({ ...parts, equity: FAILED, agro: FAILED });
    expect(data).toMatchObject({ equity: null, agro: null });
    expect(warnings).toContain("equity: upstream_unavailable");
    expect(() => computeBrBrief({ ...parts, macro: FAILED })).toThrow(NodeError);
  });
});
