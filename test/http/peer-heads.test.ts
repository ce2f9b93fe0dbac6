import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderTime } from "../../src/core/clock.ts";
import { createIdentity } from "../../src/core/identity.ts";
import { loadPlugins } from "../../src/node/compose-catalog.ts";
import type { RunningNode } from "../../src/node/parts.ts";
import { startNode } from "../../src/node/start-node.ts";
import type { SwarmVoteData } from "../../src/plugins/crypto-market/swarm-vote/schema.ts";
import type { WritableRecords } from "../../src/records/record-chain.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { simulators } from "../../src/sandbox/simulators.gen.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { renderDIDDocument } from "../../src/trust/did.ts";
import { createHistoryHeads } from "../../src/trust/history-heads.ts";
import { createNodeSigner } from "../../src/trust/node-signer.ts";
import { readSignedHead } from "../../src/trust/signed-heads.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { createLongHistory } from "../helpers/long-history.ts";
import { loadSandboxConfig, onlyDomains } from "../helpers/sandbox-config.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const NOW_MS = Date.UTC(2026, 9, 2, 0, 10);
const HOUR_MS = 3_600_000;
const HEADS = "/track-record/heads";

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

interface Heads {
  readonly seen: readonly { url: string; head: { record: { node_id: string; chain_length: number } } }[];
  readonly inconsistencies: readonly { node_id: string; kind: string; heads: readonly unknown[] }[];
}
const readHeads = async ({ url }: RunningNode): Promise<Heads> =>
  (await (await fetch(`${url}${HEADS}`)).json()) as Heads;

/** What the live answer says of the peers' votes. */
async function buyPeers({ url }: RunningNode): Promise<SwarmVoteData["peers"]> {
  const payment = await createPaymentPayload(await fetch(`${url}/swarm-vote`), newPayer());
  const response = await fetch(`${url}/swarm-vote`, { headers: { "PAYMENT-SIGNATURE": payment } });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: SwarmVoteData }).data.peers;
}

test("a peer that rewrites its history is shown with both signed heads, over restarts, and votes no more", async () => {
  const clock = createStillClock(NOW_MS);
  const peer = createIdentity();
  const signer = createNodeSigner(peer);
  let history: WritableRecords = (await createLongHistory(30)).records;
  const votes = JSON.stringify({
    v: 1,
    kind: "swarm-votes",
    node_id: peer.node_id,
    bar_close_at: renderTime(Date.UTC(2026, 9, 1)),
    rows: [{ symbol: "BTC", verdict: "long" }],
  });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, origin, searchParams } = new URL(request.url);
      if (pathname === "/.well-known/did.json") {
        return Response.json(renderDIDDocument(origin, { name: peer.key_name, public_key: peer.public_key }));
      }
      if (pathname === "/swarm-vote") {
        const signature = signer.sign("swarm-votes", votes);
        return Response.json({ data: { signed: { text: votes, signature, public_key: peer.public_key } } });
      }
      const [chain, length] = [searchParams.get("chain") ?? "", searchParams.get("from")];
      if (pathname !== HEADS || length === null) return new Response(null, { status: 404 });
      const outcomes = searchParams.has("from_outcomes") ? Number(searchParams.get("from_outcomes")) : null;
      const heads = createHistoryHeads({ records: history, signer, now_ms: clock.now });
      const joined = await heads.join(chain, { length: Number(length), outcomes });
      return joined === null ? new Response(null, { status: 422 }) : Response.json({ chain, joined });
    },
  });
  closers.push(() => server.stop(true));
  const peer_url = `http://127.0.0.1:${server.port}`;

  const sandbox = await createSandbox({ seed: "test", clock, simulators });
  const data = mkdtempSync(join(tmpdir(), "peer-heads-"));
  closers.push(async () => {
    await sandbox.stop();
    rmSync(data, { recursive: true, force: true });
  });
  const lines: string[] = [];
  const start = async (): Promise<RunningNode> => {
    const more = `${onlyDomains("crypto-market")}[peers]\nurls = ["${peer_url}"]`;
    const config = loadSandboxConfig({ data, facilitator_url: sandbox.facilitatorUrl(), more });
    const built_in = await loadPlugins(config);
    // The day's votes are written as soon as it is up.
    const jobsOf = (plugin: (typeof built_in.plugins)[number]) =>
      plugin.jobs.map((job) => (job.id === "votes-emit" ? { ...job, at_start: true } : job));
    const node = await startNode({
      config,
      plugins: { ...built_in, plugins: built_in.plugins.map((plugin) => ({ ...plugin, jobs: jobsOf(plugin) })) },
      data_dir: data,
      clock,
      version: "0.0.0-test",
      log: createLog({ level: "error", format: "json", secrets: [], write: (text) => void lines.push(text) }),
      sandbox: { world: sandbox, clock, live_data: false, seed_history: false },
    });
    await node.settled;
    return node;
  };
  const told = () => lines.filter((line) => line.includes("peer_history_inconsistent"));

  const first = await start();
  const { seen, inconsistencies } = await readHeads(first);
  expect(seen.map(({ url, head }) => [url, head.record.node_id, head.record.chain_length])).toEqual([
    [peer_url, peer.node_id, 30],
  ]);
  expect([inconsistencies, told()]).toEqual([[], []]);
  expect((await buyPeers(first)).nodes.map(({ node_id }) => node_id)).toEqual([peer.node_id]);
  await first.stop(() => undefined);

  history = (await createLongHistory(40, "61.2")).records;
  clock.set(NOW_MS + HOUR_MS);
  const second = await start();
  await second.stop(() => undefined);
  expect(told()).toHaveLength(1);

  clock.set(NOW_MS + 2 * HOUR_MS);
  const third = await start();
  closers.push(() => third.stop(() => undefined));
  const shown = await readHeads(third);
  expect(shown.inconsistencies.map(({ node_id, kind }) => [node_id, kind])).toEqual([[peer.node_id, "unjoined"]]);
  // Whoever reads it needs nobody's word for the signatures.
  const heads = shown.inconsistencies[0]?.heads.map(readSignedHead) ?? [];
  expect(heads.map((head) => head?.record.chain_length)).toEqual([30, 40]);
  expect(told()).toHaveLength(1);
  const { nodes, refused } = await buyPeers(third);
  expect(nodes).toEqual([]);
  expect(refused).toEqual([{ url: peer_url, why: "it signed two histories: see /track-record/heads" }]);
});
