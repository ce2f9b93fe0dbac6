import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createChainReader } from "../../src/payments/landing/chain-reader.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { createEvmChain } from "../../src/sandbox/chains/evm/index.ts";
import { createJournal } from "../../src/sandbox/journal.ts";
import { createTestPayer, signTestTransfer } from "../../src/sandbox/test-payer.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const found = networkById("eip155:84532");
if (!found) throw new Error("not in the network table");
const NETWORK = found;
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const VALID_S = 300;

const clock = createStillClock();
const chain = createEvmChain({ clock, journal: createJournal(null) });
const payer = await createTestPayer("chain reader");

type Behaviour = "honest" | "blind" | "behind" | "dead";
const servers: { stop(force: boolean): Promise<void> }[] = [];

/** One endpoint of the chain, as honest as a test wants it. */
function startEndpoint() {
  const state = { behaviour: "honest" as Behaviour, looks: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = (await request.json()) as { method: string };
      // Every look begins with the newest block.
      if (body.method === "eth_getBlockByNumber") state.looks += 1;
      const now_ms = state.behaviour === "behind" ? () => clock.now() - 3_600_000 : clock.now;
      if (state.behaviour === "dead") return new Response("gone", { status: 503 });
      const view = { now_ms, sees: () => false };
      return Response.json(await chain.rpc(body, state.behaviour === "honest" ? undefined : view));
    },
  });
  servers.push(server);
  return Object.assign(state, { url: `http://127.0.0.1:${server.port}/key-${servers.length}` });
}
const endpoints = [startEndpoint(), startEndpoint(), startEndpoint()] as const;
const [one, two, three] = endpoints;
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop(true)));
});

let log: Readonly<Record<string, unknown>>[] = [];
beforeEach(() => {
  log = [];
  for (const endpoint of endpoints) Object.assign(endpoint, { behaviour: "honest", looks: 0 });
});
const readerOf = (...used: readonly { url: string }[]) =>
  createChainReader({ rpc_urls: () => used.map(({ url }) => url), log: (event) => log.push(event), second_look_ms: 0 });

let payments = 0;
/** A payment that is dead by now, settled in its time or not. */
async function deadPayment(settled: boolean) {
  payments += 1;
  const since_ms = clock.now();
  const payload = await signTestTransfer(payer, {
    domain: { name: "USDC", version: "2", chainId: 84532 },
    asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    to: SELLER,
    value: 10_000n,
    valid_after_s: 0n,
    valid_before_s: BigInt(Math.floor(since_ms / 1000) + VALID_S),
    nonce: `0x${payments.toString(16).padStart(64, "0")}` as const,
  });
  const extra = { name: "USDC", version: "2" };
  const { id, asset } = NETWORK;
  const requirement = { scheme: "exact", network: id, amount: "10000", asset, payTo: SELLER, extra };
  if (settled) {
    const result = await chain.settle({ x402Version: 2, accepted: requirement, payload }, requirement);
    expect(result.success).toBe(true);
  }
  clock.advance((VALID_S + 60) * 1000);
  return { network: NETWORK, payload, amount: 10_000n, pay_to: SELLER, since_ms };
}
const over = { paid: false as const, final: true, reason: "expired_unused" };

describe("a payment was never taken", () => {
  test("when two endpoints say so", async () => {
    expect(await readerOf(one, two).ask(await deadPayment(false))).toEqual(over);
    expect([one.looks, two.looks]).toEqual([1, 1]);
  });

  test("when the only endpoint says so twice", async () => {
    expect(await readerOf(one).ask(await deadPayment(false))).toEqual(over);
    expect(one.looks).toBe(2);
  });

  test("not while only one of two says so, and the other does not answer", async () => {
    two.behaviour = "dead";
    const verdict = await readerOf(one, two).ask(await deadPayment(false));
    expect(verdict).toEqual({ paid: false, final: false, reason: "expired_unused, by one look only" });
    // What is logged names no path: there may be a key in it.
    expect(JSON.stringify(log)).toContain(new URL(two.url).host);
    expect(JSON.stringify(log)).not.toContain("key-");
  });

  test("not while the other of two is still before its end", async () => {
    two.behaviour = "behind";
    expect(await readerOf(one, two).ask(await deadPayment(false))).toMatchObject({ final: false });
  });

  test("when a third endpoint stands in for a dead second one", async () => {
    two.behaviour = "dead";
    expect(await readerOf(one, two, three).ask(await deadPayment(false))).toEqual(over);
  });

  test("not by one endpoint that is written down twice", async () => {
    expect(await readerOf(one, one).ask(await deadPayment(false))).toEqual(over);
    expect(one.looks).toBe(2);
  });
});

describe("an endpoint that denies what was settled", () => {
  test("is overruled by the other, and said to disagree", async () => {
    one.behaviour = "blind";
    expect(await readerOf(one, two).ask(await deadPayment(true))).toMatchObject({ paid: true });
    expect(log).toContainEqual({
      event: "endpoints_disagree",
      paid: new URL(two.url).host,
      not_paid: new URL(one.url).host,
    });
  });

  test("is overruled at any position of the list", async () => {
    three.behaviour = "blind";
    expect(await readerOf(three, one, two).ask(await deadPayment(true))).toMatchObject({ paid: true });
  });

  test("settles nothing alone when the others are dead", async () => {
    Object.assign(one, { behaviour: "blind" });
    Object.assign(two, { behaviour: "dead" });
    Object.assign(three, { behaviour: "dead" });
    expect(await readerOf(one, two, three).ask(await deadPayment(true))).toMatchObject({ paid: false, final: false });
  });
});

describe("endpoints that do not answer", () => {
  test("are passed over, and asked last from then on", async () => {
    one.behaviour = "dead";
    const reader = readerOf(one, two);
    expect(await reader.ask(await deadPayment(true))).toMatchObject({ paid: true });
    expect([one.looks, two.looks]).toEqual([1, 1]);
    expect(await reader.ask(await deadPayment(true))).toMatchObject({ paid: true });
    expect([one.looks, two.looks]).toEqual([1, 2]);
  });

  test("give no verdict when there is no other", async () => {
    for (const endpoint of endpoints) endpoint.behaviour = "dead";
    await expect(readerOf(one, two, three).ask(await deadPayment(true))).rejects.toThrow();
    await expect(readerOf().ask(await deadPayment(true))).rejects.toThrow("no [chains.base_sepolia] rpc");
    expect([readerOf().canRead(NETWORK), readerOf(one).canRead(NETWORK)]).toEqual([false, true]);
  });
});
