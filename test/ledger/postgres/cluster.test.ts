import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openLedgerInPostgres } from "../../../src/ledger/ledger.ts";
import { readAddress } from "../../../src/ledger/postgres/address.ts";
import { noteSkipped } from "../../helpers/debian-package.ts";
import { until } from "../../helpers/hang-limit.ts";
import { type MoneyNode, startMoneyNode } from "../../helpers/money-node.ts";
import { failureOf } from "../../helpers/open-books.ts";
import { PAYERS, type Payer, payFor } from "../../helpers/payers.ts";
import { type PostgresServer, startPostgres, whyNoPostgres } from "../../helpers/postgres-server.ts";
import { createStillClock } from "../../helpers/still-clock.ts";

/** Three nodes of one cluster, each with its own connections, memory and listener, on one database and one chain. */
const why = whyNoPostgres();
if (why !== null) noteSkipped("several nodes on one PostgreSQL", why);
const COPIES = process.env.TEST_FULL ? 1_000 : 60;
/** A process makes 256 calls at once; of these, the nodes' own to the facilitator must find room. */
const AT_ONCE = 180;
const CALLS = 45;

let server: PostgresServer;
let nodes: readonly MoneyNode[];
let payer: Payer;
const PUBLIC = "https://node.example.com";
const toml = (instance: string, more = "") => `
[ledger]
url = "${server.url}?schema=cluster"
[node]
cluster = true
instance = "${instance}"
public_url = "${PUBLIC}"
${more}`;

beforeAll(async () => {
  if (why !== null) return;
  server = await startPostgres();
  const first = await startMoneyNode(toml("node-a"), undefined, { timeout: "60s" });
  const start = (name: string) => startMoneyNode(toml(name), undefined, { timeout: "60s", beside: first });
  nodes = [first, await start("node-b"), await start("node-c")];
  const made = await PAYERS[0]?.newPayer(first.sandbox.facilitatorUrl());
  if (made === undefined) throw new Error("nobody pays");
  payer = made;
});
afterAll(async () => {
  if (why !== null) return;
  for (const node of [...nodes].reverse()) await node.stop();
  await server.stop();
});

const of = (n: number): MoneyNode => {
  const node = nodes[n % nodes.length];
  if (node === undefined) throw new Error("no such node");
  return node;
};
const receipts = async (node: MoneyNode) =>
  (await (await fetch(`${node.url}/receipts`)).json()) as { items: { node?: string; id: string }[] };

describe.skipIf(why !== null)("three nodes on one ledger", () => {
  test("take a payment once, and all its copies get the same bytes", async () => {
    const path = "/one?q=copies";
    const headers = {
      ...(await payFor(`${of(0).url}${path}`, payer, 2)),
      "idempotency-key": "one-payment-and-its-copies",
    };
    const before = { settled: of(0).settlements(), verified: of(0).facilitator.calls.verify };
    // The first one is settled only when every node has been asked.
    const all_asked = Promise.withResolvers<void>();
    const asked = new Set<number>();
    of(0).facilitator.script.settle = async (forward) => {
      await all_asked.promise;
      return forward();
    };
    const copies = Array.from({ length: COPIES }, (_, n) => n);
    const told: { status: number; receipt: string | null; body: string }[] = [];
    const send = async (n: number) => {
      const call = fetch(`${of(n).url}${path}`, { headers });
      asked.add(n % nodes.length);
      const answer = await call;
      const receipt = answer.headers.get("x-receipt-id");
      told.push({ status: answer.status, receipt, body: await answer.text() });
    };
    const answers = Array.from({ length: Math.min(COPIES, AT_ONCE) }, async () => {
      for (let n = copies.shift(); n !== undefined; n = copies.shift()) await send(n);
    });
    await until(() => of(0).facilitator.calls.settle > 0 && asked.size === nodes.length, "a settlement");
    all_asked.resolve();
    await Promise.all(answers);
    expect(told.length).toBe(COPIES);
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(told.map(({ body }) => body)).size).toBe(1);
    expect(new Set(told.map(({ receipt }) => receipt)).size).toBe(1);
    expect(of(0).settlements()).toBe(before.settled + 1);
    expect(of(0).facilitator.calls.verify).toBe(before.verified + 1);
    const [sold] = (await receipts(of(1))).items;
    expect(["node-a", "node-b", "node-c"]).toContain(sold?.node ?? "");
    const shown = (await (await fetch(`${of(2).url}/receipts/${sold?.id}`)).json()) as { node: string };
    expect(shown.node).toBe(sold?.node ?? "");
    expect((await of(0).node.audit()).findings).toEqual([]);
  });

  test("answer a newly signed payment for the same request from the one another node works on", async () => {
    const path = "/one?q=twins";
    const [first, second] = [
      await payFor(`${of(0).url}${path}`, payer, 2),
      await payFor(`${of(1).url}${path}`, payer, 2),
    ];
    const before = of(0).settlements();
    const held = Promise.withResolvers<void>();
    let settling = false;
    of(0).facilitator.script.settle = async (forward) => {
      settling = true;
      await held.promise;
      return forward();
    };
    const one = fetch(`${of(0).url}${path}`, { headers: first });
    await until(() => settling, "the first to be settled");
    const verified = of(1).facilitator.calls.verify;
    const two = fetch(`${of(1).url}${path}`, { headers: second });
    // It is taken in, and waits: nothing of it goes further.
    held.resolve();
    const [sold, avoided] = await Promise.all([one, two]);
    expect([sold.status, avoided.status]).toEqual([200, 200]);
    expect(avoided.headers.get("x-duplicate-payment-avoided")).toBe("true");
    expect(await avoided.text()).toBe(await sold.text());
    expect(of(0).settlements()).toBe(before + 1);
    expect(of(1).facilitator.calls.verify).toBeLessThanOrEqual(verified + 1);
  });

  test("never take more from a balance than it holds, and hear of a key's changes", async () => {
    const asOperator = async (node: MoneyNode, command: object) => {
      const answer = await fetch(`${node.url}/admin/keys`, {
        method: "POST",
        headers: { authorization: `Bearer ${node.node.operator_token}`, "content-type": "application/json" },
        body: JSON.stringify(command),
      });
      return (await answer.json()) as { api_key: string; key_id: string };
    };
    const { api_key, key_id } = await asOperator(of(0), { command: "issue", credit_usd: "0.30" });
    const call = async (node: MoneyNode, n: number) => {
      const answer = await fetch(`${node.url}/one?q=key${n}`, { headers: { "x-api-key": api_key } });
      return { status: answer.status, code: ((await answer.json()) as { code?: string }).code };
    };
    const told = await Promise.all(Array.from({ length: CALLS }, (_, n) => call(of(n), n)));
    expect(told.filter(({ status }) => status === 200).length).toBe(30);
    expect(told.filter(({ code }) => code === "insufficient_credits").length).toBe(CALLS - 30);

    await asOperator(of(1), { command: "top-up", key_id, credit_usd: "1" });
    expect((await call(of(2), 0)).status).toBe(200);
    await asOperator(of(1), { command: "revoke", key_id });
    // Here at once, on the others when they look at it again (2 s).
    expect((await call(of(1), 0)).code).toBe("api_key_revoked");
    await until(async () => (await call(of(2), 0)).code === "api_key_revoked", "the other node to hear of it");
    expect((await of(0).node.audit()).findings).toEqual([]);
  });

  test("are joined only by a node with their key, which sells what they sell under a name of its own", async () => {
    const [first] = nodes;
    if (first === undefined) throw new Error("no node");
    const refusal = async (more: string, beside?: MoneyNode) =>
      (await failureOf(startMoneyNode(more, undefined, beside ? { beside } : {}))).message;
    expect(await refusal(toml("node-d"))).toMatch(/node-a: node key; node-b: node key/);
    expect(await refusal(toml("node-d", '[prices]\n"/two" = "0.02"'), first)).toMatch(/node-a: product \/two/);
    expect(await refusal(toml("node-b"), first)).toContain('another one called "node-b"');
    expect(await refusal(`[ledger]\nurl = "${server.url}?schema=cluster"`, first)).toContain("[node] cluster");
  });
});

test.skipIf(why !== null)(
  "nodes never spend more of a budget than there is, and give back what was not needed",
  async () => {
    const address = readAddress({ url: `${server.url}?schema=budgets` });
    const clock = createStillClock();
    const open = (name: string) => openLedgerInPostgres({ address, clock, owner: name, seat: { name }, readers: 1 });
    const ledgers = await Promise.all(["one", "two", "three"].map(open));
    const clusters = ledgers.map(({ cluster }) => cluster).filter((cluster) => cluster !== null);
    const part = (name: string, amount: number, limit: number) => ({ name, amount, limit, until_ms: clock.now() + 1 });
    const asked = Array.from({ length: 45 }, async (_, n) => {
      const parts = [part("wide", 1, 1_000), part("tight", 1, 30)];
      return clusters[n % 3]?.spend(n % 2 === 0 ? parts : parts.reverse());
    });
    const told = await Promise.all(asked);
    expect(told.filter((answer) => answer?.over === null).length).toBe(30);
    expect(told.filter((answer) => answer?.over === "tight").length).toBe(15);
    expect(await clusters[0]?.spend([part("tight", -10, 30)])).toMatchObject({ over: null });
    expect(await clusters[1]?.spend([part("tight", 10, 30), part("wide", 0, 30)])).toMatchObject({ over: null });
    expect(await clusters[2]?.spend([part("wide", 0, 1_000)])).toMatchObject({ spent: [{ name: "wide", spent: 30 }] });
    expect(clusters.filter((cluster) => cluster.leads()).length).toBe(1);
    for (const ledger of ledgers) await ledger.close();
  },
);
