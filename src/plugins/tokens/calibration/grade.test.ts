import { afterEach, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { job as judge } from "../jobs/launches.ts";
import { job } from "../jobs/verdict-grades.ts";
import { answerRecord } from "../routes/launch-risk-record.ts";
import { judgeOutcome } from "./grade.ts";
import { DAY_MS, GRADES_CHAIN, VERDICTS_CHAIN, verdictGrades } from "./verdict-records.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});

test("a tenth of the price, no pool or no liquidity is rugged; half is fallen; a day too late is missed", () => {
  const row = { price_usd: 1, due_ms: NOW_MS };
  const outcomeOf = (price_usd: number | null, liquidity_usd: number | null, pools = 1, late_ms = 0) =>
    judgeOutcome(row, { price_usd, liquidity_usd, pools }, NOW_MS + late_ms);
  expect(outcomeOf(0.1, 50_000)).toBe("rugged");
  expect(outcomeOf(0.11, 50_000)).toBe("fell");
  expect(outcomeOf(0.51, null)).toBe("held");
  expect(outcomeOf(3, 999)).toBe("rugged");
  expect(outcomeOf(null, null, 0)).toBe("rugged");
  expect(outcomeOf(1, 50_000, 1, DAY_MS + 1)).toBe("missed");
});

test("verdicts are chained when given and graded once each; before a hundred grades nothing is claimed", async () => {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  await judge.run(node.createContext());
  await job.run(node.createContext());
  const taken = await node.records.read(VERDICTS_CHAIN);
  expect(taken.length).toBeGreaterThan(0);
  expect(await node.table(verdictGrades).count({ outcome: null })).toBe(3 * taken.length);
  // The same verdicts are neither added again nor graded before their day.
  await job.run(node.createContext());
  expect((await node.records.head(VERDICTS_CHAIN)).length).toBe(taken.length);
  expect((await node.records.head(GRADES_CHAIN)).length).toBe(0);

  node.clock.advance(DAY_MS + 3_600_000);
  node.upstreams.setFault("dexscreener", "http500");
  await job.run(node.createContext());
  expect((await node.records.head(GRADES_CHAIN)).length).toBe(0);
  node.upstreams.setFault("dexscreener", "none");
  await job.run(node.createContext());
  await job.run(node.createContext());
  const grades = await node.records.read(GRADES_CHAIN);
  expect(grades.map(({ record }) => record.verdict_hash).sort()).toEqual(
    taken.map(({ record_hash }) => record_hash).sort(),
  );

  const told = JSON.parse(JSON.stringify(await answerRecord(node.createContext())));
  expect(told).toMatchObject({ graded: taken.length, claim: expect.stringContaining("none: ") });
  expect(told.chains[VERDICTS_CHAIN].length).toBe(taken.length);
});

test("a crash between the chain and the table is mended, and grades nothing twice", async () => {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  await judge.run(node.createContext());
  await job.run(node.createContext());
  const [row] = await node.table(verdictGrades).find({ limit: 1 });
  if (!row) throw new Error("nothing was taken up");
  await node.table(verdictGrades).remove({ token: row.token });
  const before = await node.records.head(VERDICTS_CHAIN);
  await job.run(node.createContext());
  expect(await node.records.head(VERDICTS_CHAIN)).toEqual(before);
  expect(await node.table(verdictGrades).count({ token: row.token })).toBe(3);
});
