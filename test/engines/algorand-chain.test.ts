import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { algorandFamily } from "../../src/payments/networks/algorand/index.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { createAlgorandTestPayer, signAlgorandTransfer } from "../../src/sandbox/test-payer-algorand.ts";
import { ALGORAND, RULES, startFakeAlgod } from "../helpers/fake-algod.ts";
import { startAlgorandFacilitator } from "../helpers/fake-algod-facilitator.ts";

/** What the node reads from the chain of a payment whose settlement is not known. */
const SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
const network = networkById(ALGORAND);
if (!network) throw new Error("not in the network table");
const algod = startFakeAlgod();
/** Another node of another, empty network: it has seen nothing. */
const blind = startFakeAlgod();
const facilitator = await startAlgorandFacilitator(algod);
afterAll(async () => {
  await facilitator.stop();
  await Promise.all([algod.stop(), blind.stop()]);
});
const payer = await createAlgorandTestPayer("chain");
algod.hold(payer.address, 1_000_000n);
algod.hold(SELLER, 0n);
beforeEach(() => {
  for (const { state } of [algod, blind]) Object.assign(state, { archive: false, token: "", indexer_lag: 0 });
});

const requirement = {
  scheme: "exact" as const,
  network: ALGORAND as `${string}:${string}`,
  amount: "10000",
  asset: network.asset,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { feePayer: facilitator.address },
};
const sign = (last_round = algod.lastRound() + 10) =>
  signAlgorandTransfer(payer, {
    genesis_hash: RULES.genesis_hash,
    asset: RULES.asset,
    to: SELLER,
    amount: 10_000n,
    first_round: algod.lastRound(),
    last_round,
    fee_payer: facilitator.address,
  });
type Payload = Awaited<ReturnType<typeof sign>>;
async function settle(payload: Payload): Promise<string> {
  const whole = { x402Version: 2 as const, accepted: requirement, payload: { ...payload } };
  const { success, transaction } = await facilitator.settle(whole, requirement);
  if (!success) throw new Error("not settled");
  return transaction;
}
type Question = Parameters<typeof algorandFamily.askChain>[0];
const ask = (payload: Payload, more: Partial<Question> = {}) =>
  algorandFamily.askChain({
    network,
    payload: { ...payload },
    amount: 10_000n,
    pay_to: SELLER,
    since_ms: 0,
    rpc_urls: [algod.url],
    ...more,
  });
/** Both networks go on. */
const skipRounds = (count: number) => {
  for (const one of [algod, blind]) one.skipRounds(count);
};
const over = { paid: false, final: true, reason: "expired_unused" } as const;
const open = (reason: string) => ({ paid: false, final: false, reason }) as const;
const paramsAt = (round: number) => ({ "last-round": round, "genesis-hash": RULES.genesis_hash });

describe("a payment that landed", () => {
  test("is paid, whatever transaction a facilitator names", async () => {
    const payload = await sign();
    const transaction = await settle(payload);
    expect(await ask(payload)).toEqual({ paid: true, transaction });
    expect(await ask(payload, { hint_transaction: "A".repeat(52) })).toEqual({ paid: true, transaction });
  });

  test("is paid long after algod forgot it: an indexer knows, and so do the blocks of an archive", async () => {
    const payload = await sign();
    const transaction = await settle(payload);
    skipRounds(1_100);
    expect(await ask(payload)).toEqual(open("too_old_without_an_indexer"));
    expect(await ask(payload, { indexer_urls: [algod.indexer_url] })).toEqual({ paid: true, transaction });
    algod.state.archive = true;
    expect(await ask(payload)).toEqual({ paid: true, transaction });
  });

  test("is paid when the first endpoint is down, and unknown when all are", async () => {
    const payload = await sign();
    const transaction = await settle(payload);
    blind.state.token = "not ours";
    expect(await ask(payload, { rpc_urls: [blind.url, algod.url] })).toEqual({ paid: true, transaction });
    await expect(ask(payload, { rpc_urls: [blind.url] })).rejects.toThrow("401");
  });

  test("is not called unpaid because one endpoint has not seen it", async () => {
    const payload = await sign();
    const transaction = await settle(payload);
    skipRounds(20);
    expect(await ask(payload, { rpc_urls: [blind.url, algod.url] })).toEqual({ paid: true, transaction });
  });
});

describe("a payment that did not land", () => {
  test("is open until the chain is past its last round, then never paid, however long ago", async () => {
    const payload = await sign();
    expect(await ask(payload)).toEqual(open("not_landed_yet"));
    skipRounds(13);
    expect(await ask(payload)).toEqual(open("not_landed_yet"));
    skipRounds(1);
    expect(await ask(payload)).toEqual(over);
    skipRounds(1_100);
    algod.state.archive = true;
    expect(await ask(payload)).toEqual(over);
  });

  test("is open for as long as its buyer made it valid", async () => {
    const payload = await sign(algod.lastRound() + 1_000);
    skipRounds(900);
    expect(await ask(payload)).toEqual(open("not_landed_yet"));
    skipRounds(104);
    // Too long for the blocks, and algod no longer finds what landed in the first rounds.
    algod.state.archive = true;
    expect(await ask(payload)).toEqual(open("too_old_without_an_indexer"));
    expect(await ask(payload, { indexer_urls: [algod.indexer_url] })).toEqual(over);
  });

  test("is not over while the indexer has not read that far", async () => {
    const payload = await sign();
    skipRounds(1_100);
    algod.state.indexer_lag = 1_095;
    const indexer_urls = [algod.indexer_url];
    expect(await ask(payload, { indexer_urls })).toEqual(open("too_old_without_an_indexer"));
    algod.state.indexer_lag = 0;
    expect(await ask(payload, { indexer_urls })).toEqual(over);
  });

  test("is looked for twice, at two endpoints where there are two", async () => {
    const payload = await sign();
    skipRounds(20);
    const looks = (one: typeof algod) => one.asked.filter((path) => path.includes("/pending/")).length;
    const before = [looks(algod), looks(blind)];
    expect(await ask(payload, { rpc_urls: [algod.url, blind.url] })).toEqual(over);
    expect([looks(algod), looks(blind)]).toEqual(before.map((count) => count + 1));
  });
});

test("an endpoint that shows another transaction, or nonsense, under the payment's id is not believed", async () => {
  const payload = await sign();
  const transaction = await settle(payload);
  const shown = (more: object) => ({
    "confirmed-round": 1,
    "pool-error": "",
    txn: { txn: { type: "axfer", snd: payer.address, arcv: SELLER, aamt: 10_000, xaid: 31_566_704, ...more } },
  });
  for (const answer of [shown({ aamt: 1 }), shown({ snd: SELLER }), shown({ xaid: 1 }), {}, [], null, "no"]) {
    const liar = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) => Response.json(url.endsWith("/params") ? paramsAt(algod.lastRound()) : answer),
    });
    const url = `http://127.0.0.1:${liar.port}`;
    await expect(ask(payload, { rpc_urls: [url] })).rejects.toThrow();
    expect(await ask(payload, { rpc_urls: [url, algod.url] })).toEqual({ paid: true, transaction });
    await liar.stop(true);
  }
});

test.each([
  ["waiting in the pool", "", "used_and_waiting_for_a_block"],
  ["thrown out of the pool", "overspend", "used_and_dropped_by_the_pool"],
])("a payment that is %s is open, and others have seen it", async (_, error, reason) => {
  const payload = await sign();
  const txn = { type: "axfer", snd: payer.address, arcv: SELLER, aamt: 10_000, xaid: 31_566_704 };
  const state = { round: algod.lastRound() };
  const node = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) =>
      Response.json(url.endsWith("/params") ? paramsAt(state.round) : { "pool-error": error, txn: { txn } }),
  });
  const rpc_urls = [`http://127.0.0.1:${node.port}`];
  expect(await ask(payload, { rpc_urls })).toEqual(open(reason));
  // Past its last round it cannot land any more, wherever it still lies.
  state.round += 14;
  expect(await ask(payload, { rpc_urls })).toEqual(over);
  await node.stop(true);
});

test("a node of another network never says that a payment is over, however far it is", async () => {
  const payload = await sign();
  const stranger = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      if (!url.endsWith("/params")) return Response.json({ message: "not found" }, { status: 404 });
      return Response.json({
        ...paramsAt(1_000_000_000),
        "genesis-hash": "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=",
      });
    },
  });
  await expect(ask(payload, { rpc_urls: [`http://127.0.0.1:${stranger.port}`] })).rejects.toThrow("another network");
  await stranger.stop(true);
});

test("a seller that has not opted in is told so, and one that has is not; a dead node says nothing", async () => {
  const stranger = await createAlgorandTestPayer("has not opted in");
  const check = (pay_to: string) => algorandFamily.checkSeller?.({ network, pay_to, rpc_urls: [algod.url] });
  expect(await check(SELLER)).toBeNull();
  expect(await check(stranger.address)).toContain("has not opted in");
  algod.state.token = "not ours";
  await expect(check(SELLER) ?? Promise.resolve()).rejects.toThrow("401");
});
