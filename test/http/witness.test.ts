import { afterAll, beforeAll, expect, test } from "bun:test";
import { sha256Hex } from "../../src/core/hash.ts";
import { createIdentity } from "../../src/core/identity.ts";
import { readHistoryTrees } from "../../src/records/history-trees.ts";
import type { WritableRecords } from "../../src/records/record-chain.ts";
import { renderDIDDocument } from "../../src/trust/did.ts";
import { createHistoryHeads } from "../../src/trust/history-heads.ts";
import { createHistoryLogs } from "../../src/trust/history-logs.ts";
import { createNodeSigner } from "../../src/trust/node-signer.ts";
import { createLongHistory } from "../helpers/long-history.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";
import { onlyDomains } from "../helpers/sandbox-config.ts";

/** A node cosigns the logs of its operator's peers, as witnesses of other logs do, and of nobody else. */
const NOW_MS = Date.UTC(2026, 9, 2, 0, 10);
const identity = createIdentity();
const [SHORT, LONG] = [12, 20];

let peer: ReturnType<typeof Bun.serve>;
let node: ProductNode;
let records: WritableRecords;
beforeAll(async () => {
  ({ records } = await createLongHistory(SHORT));
  const heads = createHistoryHeads({ records, signer: createNodeSigner(identity), now_ms: () => NOW_MS });
  peer = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, origin, searchParams } = new URL(request.url);
      if (pathname === "/.well-known/did.json") {
        return Response.json(renderDIDDocument(origin, { name: identity.key_name, public_key: identity.public_key }));
      }
      const length = Number(searchParams.get("from"));
      if (pathname !== "/track-record/heads" || length === 0) return new Response(null, { status: 404 });
      const joined = await heads.join(searchParams.get("chain") ?? "", { length, outcomes: null });
      return joined === null ? new Response(null, { status: 422 }) : Response.json({ joined });
    },
  });
  const config = `${onlyDomains("crypto-market")}[peers]\nurls = ["http://127.0.0.1:${peer.port}"]\n`;
  node = await startProductNode({ seed_history: false, runs_jobs: true, now_ms: NOW_MS, config });
});
afterAll(async () => {
  await node.stop();
  await peer.stop(true);
});

const readCheckpoint = (of: WritableRecords, by = identity): Promise<string> =>
  createHistoryLogs({ records: of, identity: by, now_ms: () => NOW_MS }).checkpoints.read("signals");
async function send(old_size: number, proof: readonly string[], checkpoint: string) {
  const body = `${[`old ${old_size}`, ...proof].join("\n")}\n\n${checkpoint}`;
  const answer = await fetch(`${node.url}/add-checkpoint`, { method: "POST", body });
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
}

test("a peer's log is cosigned as it grows, and shown with what was cosigned", async () => {
  const first = await readCheckpoint(records);
  const { status, type, text } = await send(0, [], first);
  expect({ status, type }).toEqual({ status: 200, type: "text/plain; charset=utf-8" });
  expect(text).toStartWith(`— intel-node/${node.node.identity.node_id} `);
  expect(await send(0, [], first)).toEqual({ status: 409, type: "text/x.tlog.size", text: `${SHORT}\n` });

  const { records: longer } = await createLongHistory(LONG);
  const { records: tree } = await readHistoryTrees(longer, "signals");
  const proof = tree.consistencyProof(SHORT, LONG).map((hash) => Buffer.from(hash, "hex").toString("base64"));
  const checkpoint = await readCheckpoint(longer);
  expect(await send(SHORT, [], checkpoint)).toMatchObject({ status: 422 });
  const grown = await send(SHORT, proof, checkpoint);
  expect(grown).toMatchObject({ status: 200 });

  const origin = `intel-node/${identity.node_id}/signals`;
  const shown = await fetch(`${node.url}/witness/${sha256Hex(origin)}/checkpoint`);
  expect(await shown.text()).toBe(`${checkpoint}${grown.text}`);
  const witness = (await (await fetch(`${node.url}/witness`)).json()) as Record<string, unknown>;
  expect(witness).toMatchObject({
    name: `intel-node/${node.node.identity.node_id}`,
    logs: [{ origin, origin_sha256: sha256Hex(origin), size: LONG }],
    forks: [],
  });
});

test("nobody else's log is", async () => {
  expect(await send(0, [], await readCheckpoint(records, createIdentity()))).toMatchObject({ status: 404 });
  expect((await fetch(`${node.url}/witness/${"0".repeat(64)}/checkpoint`)).status).toBe(404);
  expect(await send(0, [], "hello\n")).toMatchObject({ status: 400 });
  expect(await send(0, [], "x".repeat(40_000))).toMatchObject({ status: 413 });
  const { identity: own } = node.node;
  expect(await send(0, [], await readCheckpoint(records, own))).toMatchObject({ status: 404 });
});

test("two checkpoints of one size are shown to everybody, with both signatures", async () => {
  const { records: rewritten } = await createLongHistory(LONG, "61.2");
  const forged = await readCheckpoint(rewritten);
  expect(await send(LONG, [], forged)).toMatchObject({ status: 422 });
  const { forks } = (await (await fetch(`${node.url}/witness`)).json()) as { forks: { checkpoints: string[] }[] };
  expect(forks).toHaveLength(1);
  expect(forks[0]?.checkpoints[1]).toBe(forged);
});
