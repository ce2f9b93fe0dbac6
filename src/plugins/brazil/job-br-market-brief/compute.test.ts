import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { createBrazilNode } from "../../../../test/helpers/brazil-parts.ts";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import type { SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { listUntraceable } from "../../../../test/helpers/stranger-reads.ts";
import { NodeError } from "../../../core/errors.ts";
import { type BrazilParts, fetchBrazilParts } from "../written/parts.ts";
import { computeBrazilBrief, planBrazilBrief, toDirection } from "./compute.ts";
import { product } from "./product.ts";

let node: SimulatedNode;
let parts: BrazilParts;
beforeAll(async () => {
  node = await createBrazilNode();
  parts = await fetchBrazilParts(node.createContext());
});
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

  test("every block can be traced with nothing but the answer: its days and figures are facts it cites", () => {
    const { data } = computeBrazilBrief(parts);
    expect(listUntraceable(data, "en")).toEqual([]);
    expect(data.facts.some(({ id, unit }) => unit === "day" && data.blocks.some((one) => one.facts.includes(id)))).toBe(
      true,
    );
  });

  test("the text keeps to its facts, and follows each of them", () => {
    expect(expectGrounded(planBrazilBrief(parts))).toBeGreaterThan(25);
  });

  test("directions are flat within their noise, and unknown without a change", () => {
    expect([6, 5, -5, -6, null].map((change) => toDirection(change, 5))).toEqual(["up", "flat", "flat", "down", null]);
  });

  test("noise is 5 bps of the 1-year rate, 1 % of the dollar and the median farm future, 1.5 % of the index", () => {
    const { macro, curve, equity, agro } = parts;
    if (!(macro.ok && curve.ok && equity.ok && agro.ok)) throw new Error("a part is missing");
    const [future] = agro.value.data.futures;
    if (!future) throw new Error("no future");
    const withData = <T extends { readonly value: { readonly data: object } }>(part: T, data: object) =>
      ({ ...part, value: { ...part.value, data: { ...part.value.data, ...data } } }) as T;
    /** Everything moves by so many times its noise; a future other than the front does not count. */
    const directionsAt = (times: number) => {
      const { data } = computeBrazilBrief({
        macro: withData(macro, { fx: { ...macro.value.data.fx, change_5d_pct: times } }),
        curve: withData(curve, {
          curve: curve.value.data.curve.map((one) => ({
            ...one,
            change_5d_bps: one.tenor === "1y" ? 5 * times : -99,
          })),
        }),
        equity: withData(equity, { returns: { ...equity.value.data.returns, d5: 1.5 * times } }),
        agro: withData(agro, {
          futures: [
            ...[99, times, -99].map((change_pct) => ({ ...future, front: true, change_pct })),
            { ...future, front: true, change_pct: null },
            ...[77, 78].map((change_pct) => ({ ...future, front: false, change_pct })),
          ],
        }),
      });
      return data.directions;
    };
    const all = (direction: "up" | "down" | "flat") => ({
      rates: direction,
      fx: direction,
      equity: direction,
      agro: direction,
    });
    expect([-1.01, -1, 0, 1, 1.01].map(directionsAt)).toEqual([
      ...[all("down"), all("flat"), all("flat"), all("flat"), all("up")],
    ]);
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
