import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createBrazilNode } from "../../../../test/helpers/brazil-parts.ts";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { listUntraceable } from "../../../../test/helpers/stranger-reads.ts";
import { NodeError } from "../../../core/errors.ts";
import { canonicalJSON, sha256Hex } from "../../../core/hash.ts";
import { type BrazilParts, fetchBrazilParts, relayWarnings } from "../written/parts.ts";
import { computeBrBrief, planBrBrief, readFigures } from "./compute.ts";
import { product } from "./product.ts";
import { changeOfPrice, moveOfRate, shiftAt } from "./scenarios.ts";

let node: SimulatedNode;
let parts: BrazilParts;
beforeAll(async () => {
  node = await createBrazilNode();
  parts = await fetchBrazilParts(node.createContext());
});
afterAll(() => node.close());

const FAILED = { ok: false, error: new NodeError("upstream_unavailable", "gone") } as const;

/** The parts with a survey of one meeting, by default of the first of the path. */
function surveyed(meeting = "R1/2026"): BrazilParts {
  const { macro } = parts;
  if (!macro.ok) throw new Error("no macro");
  const focus_selic = [{ meeting, median: 14.5, survey_date: "2026-01-09" }];
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
    expect(warnings).toEqual(relayWarnings(parts));
    expect(data.blocks).toHaveLength(10);
    const [gap] = data.policy_gap;
    expect(gap).toMatchObject({ meeting_date: "2026-01-28", survey_median: 14.5 });
    expect(gap?.gap_bps).toBeCloseTo(100 * ((gap?.implied_rate ?? 0) - (gap?.survey_median ?? 0)), 9);
    const five = data.breakeven_gap.find(({ tenor }) => tenor === "5y");
    expect(five?.minus_target_pp).toBeCloseTo(5.1332 - 3, 4);
  });

  test("every block can be traced with nothing but the answer: its days and figures are facts it cites", () => {
    const { data } = computeBrBrief(surveyed());
    expect(listUntraceable(data, "en")).toEqual([]);
    expect(data.facts.some(({ id, unit }) => unit === "day" && data.blocks.some((one) => one.facts.includes(id)))).toBe(
      true,
    );
  });

  test("the text keeps to its facts, and follows each of them", () => {
    expect(expectGrounded(planBrBrief(surveyed(), readFigures(surveyed())))).toBeGreaterThan(35);
  });

  test("meetings the survey does not name have no gap, and that is said", () => {
    const { data, warnings } = computeBrBrief(surveyed("R8/2031"));
    expect(data.policy_gap).toEqual([]);
    expect(warnings).toContain("policy_gap: path or survey of its meetings is not known");
  });

  test("only facts the text shows are listed, and hashed", () => {
    const { blocks, facts, citations, pack_hash } = computeBrBrief(parts).data;
    expect(new Set(facts.map(({ id }) => id))).toEqual(new Set(blocks.flatMap((block) => block.facts)));
    expect(pack_hash).toBe(sha256Hex(canonicalJSON({ facts, citations })));
  });

  test("what a part says of its members is handed on by their full names, one line a reason", () => {
    const told = (name: "macro" | "curve", warnings: readonly string[]): BrazilParts => {
      const part = parts[name];
      if (!part.ok) throw new Error(`no ${name}`);
      return { ...parts, [name]: { ok: true, value: { ...part.value, warnings } } };
    };
    const { warnings } = computeBrBrief(
      told("macro", ["focus: gone", "a.b, c: gone", "Nothing is named.", "d: no: e"]),
    );
    expect(warnings).toContain("macro.focus, macro.a.b, macro.c: gone");
    expect(warnings).toContain("macro: Nothing is named.");
    expect(warnings).toContain("macro.d: no: e");
    const many = told(
      "curve",
      Array.from({ length: 25 }, (_, n) => `f${n}: reason ${n}`),
    );
    const of_curve = relayWarnings(many).filter((text) => text.startsWith("curve"));
    expect(of_curve).toHaveLength(21);
    expect(of_curve.at(-1)).toBe("curve: 5 more warnings of this part");
  });

  test("without equities and agro their objects are null, with warnings", () => {
    const { data, warnings } = computeBrBrief({ ...parts, equity: FAILED, agro: FAILED });
    expect(data).toMatchObject({ equity: null, agro: null });
    expect(warnings).toContain("equity: upstream_unavailable");
    expect(() => computeBrBrief({ ...parts, macro: FAILED })).toThrow(NodeError);
  });
});
