import { afterEach, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { job } from "../jobs/adverse.ts";
import { adverseFindings, rememberAdverse } from "./adverse.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12);
const HOUR_MS = 3_600_000;
const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0).reverse()) node.close();
});
function createNode(earlier?: SimulatedNode): SimulatedNode {
  // A node that was started again has the stores of the earlier one, and nothing of its memory.
  const stores = earlier && { ...earlier, records: { ...earlier.records } };
  const node = createSimulatedNode({ now_ms: NOW_MS, ...(stores ? { stores } : {}) });
  nodes.push(node);
  return node;
}
const sayOf = async (node: SimulatedNode, said: readonly string[] | null, source = "oracle") =>
  (await rememberAdverse(node.createContext(), { subject: "0xa", source, said })).map(({ finding }) => finding);

test("a source's finding survives a restart for a day, and silence refutes nothing", async () => {
  const node = createNode();
  expect(await sayOf(node, ["sanctioned"])).toEqual(["sanctioned"]);
  await job.run(node.createContext());
  const again = createNode(node);
  expect(await sayOf(again, null)).toEqual(["sanctioned"]);
  expect(await sayOf(again, null, "goplus")).toEqual([]);
  again.clock.advance(23 * HOUR_MS);
  expect(await sayOf(again, null)).toEqual(["sanctioned"]);
  again.clock.advance(2 * HOUR_MS);
  expect(await sayOf(again, null)).toEqual([]);
});

test("a fresh reading refutes what was said before a restart, and the table forgets it too", async () => {
  const node = createNode();
  await sayOf(node, ["sanctioned"]);
  await sayOf(node, ["mixer"], "goplus");
  await job.run(node.createContext());
  const again = createNode(node);
  again.clock.advance(HOUR_MS);
  expect(await sayOf(again, [])).toEqual([]);
  expect(await sayOf(again, null)).toEqual([]);
  await job.run(again.createContext());
  const rows = await again.table(adverseFindings).find();
  expect(rows.map(({ source }) => source)).toEqual(["goplus"]);
});
