import { afterEach, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import { createWorld } from "../../../sandbox/world.ts";
import { listSimulatedLaunches } from "../../../upstream/providers/simulated-tokens/launches.ts";
import { assess, fetchAssessment } from "../judge/assess.ts";
import { launches } from "../launches/tables.ts";
import { describeJudgement } from "../written/describe.ts";
import { listCreators } from "./creators.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);
const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});

/** A launch as the node's watch stored it, then judged. */
async function judgeWatched(creatorOf: (creator: string) => string) {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  const [launch] = listSimulatedLaunches(
    createWorld("test", () => NOW_MS),
    20,
  ).slice(-1);
  if (!launch) throw new Error("no launch");
  const { address } = launch.token;
  const context = node.createContext();
  await context.table(launches).put([
    {
      chain: "solana",
      token: address,
      name: "A",
      symbol: "A",
      creator: creatorOf(launch.creator),
      created_at_ms: launch.at_ms,
      source: "pumpportal",
      initial_buy: null,
      v_sol: null,
      v_tokens: null,
      is_complete: false,
      migrated_at_ms: null,
      pool: null,
      last_trade_at_ms: null,
      seen_at_ms: NOW_MS,
    },
  ]);
  return { launch, assessment: await fetchAssessment(context, { chain: "solana", address }) };
}

test("the launchpad and the report name the same creator of a launch, which is not a conflict", async () => {
  const { launch, assessment } = await judgeWatched((creator) => creator);
  expect(listCreators(assessment.profile)).toEqual([
    { source: "pumpportal", address: launch.creator },
    { source: "rugcheck", address: launch.creator },
  ]);
  expect(assessment.judgement.conflicts.map(({ fact }) => fact)).not.toContain("creator");
});

test("two creators of one token are shown side by side, the launchpad's first", async () => {
  const { launch, assessment } = await judgeWatched(() => "SomebodyElse1111111111111111111111111111111");
  const { conflicts } = describeJudgement(assessment.judgement);
  expect(conflicts.find(({ fact }) => fact === "creator")?.values).toEqual([
    { source: "pumpportal", value: "SomebodyElse1111111111111111111111111111111" },
    { source: "rugcheck", value: launch.creator },
  ]);
  // Without the watch there is one name alone, and nothing to compare.
  const alone = assess({ ...assessment.profile, launch: null });
  expect(alone.judgement.conflicts.map(({ fact }) => fact)).not.toContain("creator");
});
