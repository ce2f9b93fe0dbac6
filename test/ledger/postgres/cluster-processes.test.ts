import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { auditAt } from "../../../src/commands/ask-ledger.ts";
import { readAddress } from "../../../src/ledger/postgres/address.ts";
import { type ClusterProcess, createClusterProcess, dataOf } from "../../helpers/cluster-process.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { until } from "../../helpers/hang-limit.ts";
import { PAYERS, payFor } from "../../helpers/payers.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";

/** Three whole nodes in processes of their own, of which one is killed, or paused while it leads the jobs. */
const why = whyNoPostgres();
if (why !== null) noteSkipped("processes of several nodes on one PostgreSQL", why);
const KILLS = process.env.TEST_FULL ? 100 : 1;
const BUYERS = 6;
/** Much longer than a busy machine stops a process for; a pause of the test is longer. */
const LEASE_MS = process.env.TEST_FULL ? 20_000 : 5_000;

/** A facilitator that settles what was signed once, as a chain does. */
function startFacilitator() {
  const kinds = [{ x402Version: 2, scheme: "exact", network: "eip155:84532" }];
  const settled = new Map<string, string>();
  const nonceOf = async (request: Request): Promise<{ nonce: string; payer: string }> => {
    const { paymentPayload } = (await request.json()) as {
      paymentPayload: { payload: { authorization: { nonce: string; from: string } } };
    };
    const { nonce, from } = paymentPayload.payload.authorization;
    return { nonce, payer: from };
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      if (path === "/supported") return Response.json({ kinds, extensions: [], signers: {} });
      const { nonce, payer } = await nonceOf(request);
      if (path === "/verify") return Response.json({ isValid: true, payer });
      if (settled.has(nonce)) return Response.json({ success: false, errorReason: "invalid_exact_evm_nonce_used" });
      const transaction = `0x${crypto.randomUUID().replaceAll("-", "")}${crypto.randomUUID().replaceAll("-", "")}`;
      settled.set(nonce, transaction);
      return Response.json({ success: true, transaction, network: "eip155:84532", payer });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, settled, stop: () => server.stop(true) };
}

let server: PostgresServer;
let facilitator: ReturnType<typeof startFacilitator>;
let nodes: readonly ClusterProcess[] = [];
let admin: SQL;
const folder = mkdtempSync(join(tmpdir(), "cluster-"));

beforeAll(async () => {
  if (why !== null) return;
  [server, facilitator] = [await startPostgres(), startFacilitator()];
  admin = new SQL(server.url, { max: 1 });
  const shared = { folder, ledger: `${server.url}?schema=processes`, facilitator: facilitator.url };
  const create = (name: string, more = {}) =>
    createClusterProcess({ ...shared, name, lease: `${LEASE_MS / 1000}s`, ...more });
  const key_of = dataOf(folder, "node-a");
  nodes = [create("node-a"), create("node-b", { key_of }), create("node-c", { key_of })];
  for (const node of nodes) await node.start();
});
afterAll(async () => {
  for (const node of nodes) await node.kill();
  rmSync(folder, { recursive: true, force: true });
  if (why !== null) return;
  await admin.close();
  await facilitator.stop();
  await server.stop();
});

const of = (n: number): ClusterProcess => {
  const node = nodes[n % nodes.length];
  if (node === undefined) throw new Error("no such node");
  return node;
};

interface Tally {
  readonly sold: Map<string, string>;
  unknown: number;
  broken: number;
}

/** Buys with one payment, at whichever node answers, until somebody says how it ended. */
async function buy(n: number, q: string, tally: Tally): Promise<void> {
  const path = `/number?q=${q}`;
  // Each has a wallet of his own: one that has three payments open gets no fourth, and there is no chain to ask.
  const payer = await PAYERS[0]?.newPayer("");
  if (payer === undefined) throw new Error("nobody pays");
  let headers: Record<string, string> | null = null;
  for (let at = n; ; at++) {
    const url = of(at).url();
    if (url === "") continue;
    try {
      headers ??= { ...(await payFor(`${url}${path}`, payer, 2)), "idempotency-key": `one-order-of-many-${q}` };
      const answer = await fetch(`${url}${path}`, { headers });
      const body = await answer.text();
      if (answer.status === 200) {
        // Another node hands out the very same answer.
        const again = await fetch(`${of(at + 1).url()}${path}`, { headers }).catch(() => null);
        if (again?.status === 200) expect(await again.text()).toBe(body);
        tally.sold.set(q, answer.headers.get("x-receipt-id") ?? "");
        return;
      }
      const { code } = JSON.parse(body) as { code: string };
      if (code === "settlement_unknown") {
        tally.unknown += 1;
        return;
      }
    } catch {
      // The node is gone, or was while it answered: the next one is asked with the same payment.
      tally.broken += 1;
    }
    await Bun.sleep(50);
  }
}

const count = async (sql: string): Promise<number> => Number((await admin.unsafe(sql))[0].n);

describe.skipIf(why !== null)("three processes on one ledger", () => {
  test("lose nothing and take nothing twice when one of them is killed", async () => {
    const tally: Tally = { sold: new Map(), unknown: 0, broken: 0 };
    let sales = 0;
    for (let round = 0; round < KILLS; round++) {
      // The first one leads the jobs until it is killed.
      const victim = of(round + 2);
      const settled = facilitator.settled.size;
      const buying = Array.from({ length: BUYERS * 2 }, (_, n) => buy(n, `r${round}n${n}`, tally));
      sales += buying.length;
      await until(() => facilitator.settled.size > settled, "a settlement");
      await victim.kill();
      await Promise.all(buying);
      // Two are enough for what follows.
      if (KILLS > 1) await victim.start();
    }
    expect(tally.sold.size + tally.unknown).toBe(sales);
    expect(tally.broken).toBeGreaterThan(0);
    // What a buyer was told is in the books, once; what was settled and not acknowledged is looked up on the chain.
    expect(new Set(tally.sold.values()).size).toBe(tally.sold.size);
    const receipts = await count("SELECT count(*) AS n FROM processes.receipts");
    const open = await count("SELECT count(*) AS n FROM processes.payments WHERE state IN ('unknown', 'settling')");
    expect(receipts).toBeGreaterThanOrEqual(tally.sold.size);
    expect(receipts + open).toBeGreaterThanOrEqual(facilitator.settled.size);
    expect(receipts).toBeLessThanOrEqual(facilitator.settled.size);
    const address = readAddress({ url: `${server.url}?schema=processes` });
    expect((await auditAt({ file: null, address })).findings).toEqual([]);
  });

  test("have one runner of jobs, and one that was paused while it led changes nothing when it wakes up", async () => {
    const leaderOf = async (): Promise<string> =>
      (
        await admin.unsafe(
          "SELECT s.name FROM processes.leader l JOIN processes.seats s ON s.owner = l.owner WHERE NOT s.ended",
        )
      )[0]?.name ?? "";
    const ticks = () => count("SELECT count(*) AS n FROM processes.records WHERE chain = 'ticks'");
    let leader = "";
    await until(async () => {
      leader = await leaderOf();
      return leader !== "" && (await ticks()) > 0;
    }, "the leader's first record");
    const paused = nodes.find(({ name }) => name === leader);
    if (paused === undefined) throw new Error(`no node is called ${leader}`);
    paused.signal("SIGSTOP");
    await until(async () => ![leader, ""].includes(await leaderOf()), "another one to lead");
    const before = await ticks();
    await until(async () => (await ticks()) > before + 1, "records of the new leader");
    paused.signal("SIGCONT");
    // It finds out by itself, and ends so that it is started anew.
    await until(() => paused.exitCode() !== null, "the one that was paused to end");
    expect(paused.exitCode()).toBe(1);
    const after = await ticks();
    await until(async () => (await ticks()) > after, "one more record");

    const rows = (await admin.unsafe(
      "SELECT record_json FROM processes.records WHERE chain = 'ticks' ORDER BY seq",
    )) as { record_json: string }[];
    const written = rows.map(({ record_json }) => JSON.parse(record_json) as { pid: number });
    // Whoever stopped leading never writes again: no two nodes ever led at one time.
    const runs = written.map(({ pid }) => pid).filter((pid, n, all) => pid !== all[n - 1]);
    expect(new Set(runs).size).toBe(runs.length);
    expect(written.at(-1)?.pid).not.toBe(paused.pid());
    const left = nodes.find((node) => node.exitCode() === null && node.pid() > 0);
    expect((await fetch(`${left?.url()}/healthz`)).status).toBe(200);
  });
});
