import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { expectGrounded } from "../../../../test/helpers/grounding.ts";
import { createPlayedWriter } from "../../../../test/helpers/played-writer.ts";
import { asSold } from "../../../../test/helpers/settled.ts";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { listUntraceable } from "../../../../test/helpers/stranger-reads.ts";
import { computeResearch as draft } from "./compute.ts";
import { fetchResearch, type ResearchInputs } from "./fetch.ts";
import { editions, product } from "./product.ts";
import { planResearch } from "./prose.ts";

const computeResearch = asSold(product.data, draft);

let node: SimulatedNode;
let inputs: ResearchInputs;
beforeAll(async () => {
  node = createSimulatedNode({ now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });
  inputs = await fetchResearch(node.createContext(), async () => []);
});
afterAll(() => node.close());

const dataOf = (of: ResearchInputs) => {
  const { data } = computeResearch(of);
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

  test("a question on a coin is answered of that coin, with the facts that are of it", async () => {
    const question = "How does Solana stand?";
    const asked = await fetchResearch(node.createContext(), async () => [], question);
    const data = dataOf(asked);
    expect([data.question, data.kind, data.topic.asset]).toEqual([question, "asked", "SOL"]);
    expect(data.runners_up.every(({ asset }) => asset === "SOL")).toBe(true);
    expect(asked.asked?.told.length).toBeGreaterThan(0);
    expect(data.blocks[0]?.id).toBe("asked");
    expect(expectGrounded(planResearch(asked))).toBeGreaterThan(8);
    expect(listUntraceable(data, "en")).toEqual([]);
  });

  test("questions on different things gather different facts, and no edition answers them", async () => {
    const toldOf = async (question: string) => {
      const issued = await product.fetch(node.createContext(), { question });
      const { data } = product.compute(issued, { params: { question }, now_ms: node.clock.now() });
      return data.blocks.find(({ id }) => id === "asked")?.text ?? "";
    };
    await editions.makeDue({ ...node.createContext(), model: createPlayedWriter(() => "none") });
    const [oil, fear] = [await toldOf("Where is the price of oil and gold?"), await toldOf("Is there fear and greed?")];
    expect(oil).not.toBe(fear);
    expect(oil.toLowerCase()).toMatch(/oil|gold|wti|brent/);
    expect(fear.toLowerCase()).toContain("fear");
  });

  test("a question on nothing the node knows of is not found, at no cost", async () => {
    const asked = fetchResearch(node.createContext(), async () => [], "Which restaurant serves pancakes?");
    const refused = await asked.catch((error) => error);
    expect([refused.status, refused.options?.param]).toEqual([404, "question"]);
  });
});
