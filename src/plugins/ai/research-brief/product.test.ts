import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import { createPlayedWriter } from "../../../../test/helpers/played-writer.ts";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { listUntraceable } from "../../../../test/helpers/stranger-reads.ts";
import { createRounder } from "../../../catalog/round-data.ts";
import { computeResearch } from "./compute.ts";
import { fetchResearch, type ResearchInputs } from "./fetch.ts";
import { editions, product } from "./product.ts";
import { planResearch } from "./prose.ts";

let node: SimulatedNode;
let inputs: ResearchInputs;
beforeAll(async () => {
  node = createSimulatedNode({ now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });
  inputs = await fetchResearch(node.createContext(), async () => []);
});
afterAll(() => node.close());

const dataOf = (of: ResearchInputs) => {
  const made = computeResearch(of).data;
  const data = (createRounder(product.data)?.(made) ?? made) as typeof made;
  expect([...Value.Errors(product.data, data)]).toEqual([]);
  return data;
};

describe("GET /research-brief", () => {
  test("matches its schema, written by templates", () => {
    const data = dataOf(inputs);
    expect(data).toMatchObject({ written_by: "template" });
    expect(data.scanned).toBeGreaterThanOrEqual(21);
    expect(Math.abs(data.topic.z) >= 2).toBe(data.kind === "unusual");
  });

  test("the text keeps to its facts, and follows each of them, in an unusual and in a quiet market", () => {
    expect(expectGrounded(planResearch(inputs))).toBeGreaterThan(8);
    expect(expectGrounded(planResearch({ ...inputs, kind: "quiet", runners_up: [] }))).toBeGreaterThan(8);
  });

  test("every block can be traced with nothing but the answer, with its days; a single day is one", () => {
    const quiet = dataOf({ ...inputs, kind: "quiet", runners_up: [] });
    for (const data of [dataOf(inputs), quiet]) {
      expect(listUntraceable(data, "en")).toEqual([]);
      expect(data.blocks.map(({ text }) => text).join(" ")).not.toContain("1 days");
    }
  });

  test("an edition is written by a model that keeps to the facts, and sold as it was", async () => {
    const model = createPlayedWriter(() => "none");
    expect(await editions.makeDue({ ...node.createContext(), model })).toBe(true);
    const issued = await product.fetch(node.createContext(), {});
    const { data } = product.compute(issued, { params: {}, now_ms: node.clock.now() });
    expect(data.written_by).not.toBe("template");
    expect(data.writer.model).toBe("m");
    // The next edition has another topic, unless this one has grown.
    const again = await fetchResearch(node.createContext(), async () => [inputs.topic]);
    if (inputs.kind === "unusual") expect(again.topic.id).not.toBe(inputs.topic.id);
  });

  test("without a year of bars nothing is sold", async () => {
    const young = createSimulatedNode({ now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });
    young.upstreams.setFault("*", "http500");
    const refused = await fetchResearch(young.createContext(), async () => []).catch((error) => error);
    young.close();
    expect(refused.code).toBe("upstream_unavailable");
  });
});
