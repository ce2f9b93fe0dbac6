import { afterEach, describe, expect, test } from "bun:test";
import { createSimulatedNode, type SimulatedNode } from "../../../../test/helpers/simulated-node.ts";
import type { PeerStatement, SignedStatement, StatementRequest } from "../../../records/peer-statements.ts";
import { readRound } from "../votes/peer-votes.ts";
import { job } from "./votes-peers.ts";

const NOW_MS = Date.UTC(2026, 9, 2, 12);
const HOUR_MS = 3_600_000;

const nodes: SimulatedNode[] = [];
afterEach(() => {
  for (const node of nodes.splice(0)) node.close();
});

const textOf = (change: object = {}) =>
  JSON.stringify({
    v: 1,
    kind: "swarm-votes",
    node_id: "in1peer",
    model_id: "swarm-v1",
    bar_close_at: "2026-10-01T00:00:00Z",
    rows: [
      { symbol: "BTC", verdict: "long", votes: {}, record_hash: "a" },
      { symbol: "XYZ", verdict: "short", votes: {}, record_hash: "b" },
    ],
    ...change,
  });

/** Runs the job against peers whose signatures were found good. */
async function runJob(texts: readonly string[], requests: StatementRequest[] = []): Promise<SimulatedNode> {
  const node = createSimulatedNode({ now_ms: NOW_MS });
  nodes.push(node);
  const said = texts.map(
    (text, index): PeerStatement => ({ url: `https://${index}.example`, node_id: "in1peer", text }),
  );
  const ask = async (request: StatementRequest) => {
    requests.push(request);
    return said;
  };
  await job.run({ ...node.createContext(), peers: { count: texts.length, ask } });
  return node;
}

describe("job votes-peers", () => {
  test("keeps verified votes on the coins this node votes on", async () => {
    const requests: StatementRequest[] = [];
    const node = await runJob([textOf()], requests);
    const bar_close_at = "2026-10-01T00:00:00Z";
    const rows = [{ symbol: "BTC", verdict: "long" }];
    const counted = [{ url: "https://0.example", node_id: "in1peer", bar_close_at, rows }];
    expect(await readRound(node.createContext())).toEqual({ asked: 1, counted, refused: [] } as never);
    expect(requests[0]).toMatchObject({ path: "/swarm-vote?preview=1", kind: "swarm-votes" });
  });

  test.each([
    ["of another kind", textOf({ kind: "receipt" }), "are not votes"],
    ["in another node's name", textOf({ node_id: "in1other" }), "another node's name"],
    ["of four days ago", textOf({ bar_close_at: "2026-09-29T00:00:00Z" }), "last three days"],
    ["of tomorrow", textOf({ bar_close_at: "2026-10-03T00:00:00Z" }), "last three days"],
    ["of no day", textOf({ bar_close_at: "2026-13-01T00:00:00Z" }), "last three days"],
    ["with an unknown verdict", textOf({ rows: [{ symbol: "BTC", verdict: "moon" }] }), "are not votes"],
    ["that is not JSON", "votes", "not JSON"],
  ])("a statement %s does not count", async (_, text, why) => {
    const round = await readRound((await runJob([text])).createContext());
    expect(round?.counted).toEqual([]);
    expect(round?.refused[0]?.why).toContain(why);
  });

  test("votes read three hours ago are no longer shown", async () => {
    const node = await runJob([textOf()]);
    node.clock.advance(3 * HOUR_MS);
    expect((await readRound(node.createContext()))?.counted).toHaveLength(1);
    node.clock.advance(1);
    expect(await readRound(node.createContext())).toBeNull();
  });

  test("without peers nothing is asked and nothing stored", async () => {
    const requests: StatementRequest[] = [];
    const node = await runJob([], requests);
    expect([requests, await readRound(node.createContext())]).toEqual([[], null]);
  });

  test("finds the statement in an answer, and none in others", async () => {
    const requests: StatementRequest[] = [];
    await runJob([textOf()], requests);
    const pick = requests[0]?.pick ?? (() => null);
    const signed: SignedStatement = { text: "t", signature: "s", public_key: "k" };
    expect(pick({ data: { signed: { ...signed, algorithm: "ed25519" } } })).toEqual(signed);
    for (const body of [null, {}, { data: { signed: null } }, { data: { signed: { ...signed, text: 5 } } }]) {
      expect(pick(body)).toBeNull();
    }
  });
});
