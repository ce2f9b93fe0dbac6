import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { encodeFunctionData, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { SellerAnswer } from "../../src/buyer/own-channels/own-channels.ts";
import { tryPeer } from "../../src/commands/peers.ts";
import { type ChannelBounds, renderChannel } from "../../src/commands/try-channel.ts";
import { CHANNEL_ABI } from "../../src/payments/channels/abi.ts";
import type { AskPeer } from "../../src/trust/peer-types.ts";
import { fetchPeer } from "../../src/upstream/fetch-peer.ts";
import {
  buyAt,
  type Door,
  type StandInNode,
  type StandInNodeOptions,
  type StandInNodes,
  startStandInNodes,
} from "../helpers/stand-in-nodes.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const KEY_NAME = "STAND_IN_CHANNELS_TEST_KEY";
const CONTRACT = "0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003";
const PRICE = 8_000n;

const OPTIONS: Readonly<Record<"a" | "b", StandInNodeOptions>> = {
  a: {
    prices: { "/rate-a": "0.01" },
    peers: ["b"],
    products: ["/rate-a"],
    wallet_key_env: KEY_NAME,
    peer_channels: 'deposit_calls = 25, deposit_max = "0.5"',
  },
  b: { prices: { "/rate-a": "0.008" }, peers: [], products: [], sells_by_channel: true },
};

let named = 0;
const newCall = (): string => {
  named += 1;
  return `/rate-a?base=C${named}`;
};
const readPayload = (request: Request): { readonly type?: string; readonly voucher?: { maxClaimableAmount: string } } =>
  JSON.parse(atob(request.headers.get("payment-signature") ?? "e30=")).payload ?? {};
/** What was signed at a peer's door, in order. */
const listSigned = ({ calls }: StandInNode): readonly string[] =>
  calls.flatMap((request) => {
    const { type = "exact", voucher } = readPayload(request);
    return request.headers.has("payment-signature") ? [`${type} ${voucher?.maxClaimableAmount ?? ""}`.trim()] : [];
  });

interface World {
  readonly nodes: StandInNodes;
  readonly a: StandInNode;
  readonly b: StandInNode;
  readonly payer: string;
  balance(address: string): bigint;
}

async function startWorld(change: Partial<StandInNodeOptions> = {}): Promise<World> {
  const key = generatePrivateKey();
  process.env[KEY_NAME] = key;
  const nodes = await startStandInNodes({ ...OPTIONS, a: { ...OPTIONS.a, ...change } }, createStillClock(Date.now()));
  const { a, b } = nodes.nodes as Record<"a" | "b", StandInNode>;
  a.dead.add("/rate-a");
  const balance = (address: string): bigint => BigInt(nodes.sandbox.readChain().balance(address));
  return { nodes, a, b, payer: privateKeyToAccount(key).address.toLowerCase(), balance };
}
/** A 402 with a least deposit, as a seller announces it who uses the official package. */
function announce({ headers: given, text }: Pick<SellerAnswer, "headers" | "text">, least: bigint) {
  const say = (one: string) => one.replaceAll('"withdrawDelay":86400', `"minDeposit":"${least}","withdrawDelay":86400`);
  const headers = new Headers(given);
  const challenge = headers.get("PAYMENT-REQUIRED");
  if (challenge !== null) headers.set("PAYMENT-REQUIRED", btoa(say(atob(challenge))));
  return { headers, text: say(text) };
}
/** A peer that announces it at its own door. */
const announcing =
  (least: bigint): Door =>
  async (request, forward) => {
    const response = await forward(request);
    // What it has signed, such as its documents, stays as it is.
    if (response.status !== 402) return response;
    const { headers, text } = announce({ headers: response.headers, text: await response.text() }, least);
    for (const name of ["content-length", "content-encoding"]) headers.delete(name);
    return new Response(text, { status: response.status, headers });
  };
const audit = async ({ nodes }: World): Promise<void> => {
  for (const { node } of Object.values(nodes.nodes)) expect((await node.audit()).findings).toEqual([]);
};

describe("a node whose source is dead, and a peer that offers channels", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.nodes.stop());

  test("20 calls are one deposit and 20 vouchers, and every balance is exact", async () => {
    const { a, b, payer, balance } = world;
    const before = balance(payer);
    for (let n = 0; n < 20; n += 1) {
      const { status, text } = await buyAt(a, newCall());
      expect([n, status]).toEqual([n, 200]);
      const { via } = JSON.parse(text);
      expect(via).toMatchObject({ node_id: b.node.identity.node_id, receipt_id: expect.stringMatching(/^voucher_/) });
      expect(JSON.parse(Buffer.from(via.receipt.split(".")[1], "base64url").toString())).toMatchObject({
        product: "rate-a",
        amount_atomic: PRICE.toString(),
        payer,
        response_sha256: via.response_sha256,
      });
    }
    expect(listSigned(b)).toEqual([
      "deposit 8000",
      ...Array.from({ length: 19 }, (_, n) => `voucher ${PRICE * BigInt(n + 2)}`),
    ]);
    expect(balance(CONTRACT)).toBe(25n * PRICE);
    expect(before - balance(payer)).toBe(25n * PRICE);
    const [totals] = await b.node.channelTotals();
    expect(totals).toMatchObject({ channels: 1, earned: 20n * PRICE, owed: 5n * PRICE });
    await audit(world);
    expect(a.lines.filter((line) => line.includes("own_channel"))).toEqual([]);
  });

  test("a peer's call that fails changes nothing: the next one signs the same sum", async () => {
    const { a, b, nodes, balance } = world;
    const signed = listSigned(b).length;
    b.dead.add("/rate-a");
    expect((await buyAt(a, newCall())).status).toBe(503);
    b.dead.delete("/rate-a");
    // A product nobody stood in for counts as dead for half a minute.
    nodes.clock.advance(30_001);
    expect((await buyAt(a, newCall())).status).toBe(200);
    expect(listSigned(b).slice(signed)).toEqual([`voucher ${21n * PRICE}`, `voucher ${21n * PRICE}`]);
    expect(balance(CONTRACT)).toBe(25n * PRICE);
    expect((await b.node.channelTotals())[0]).toMatchObject({ earned: 21n * PRICE });
    await audit(world);
  });

  test("after a restart the same channel goes on; an answer that was lost is charged once", async () => {
    const { a, b } = world;
    const usual = b.door;
    b.door = async (request, forward) => {
      const response = await forward(request);
      return request.headers.has("payment-signature") ? new Response(null, { status: 502 }) : response;
    };
    expect((await buyAt(a, newCall())).status).toBe(503);
    b.door = usual;
    await a.stop();
    await a.start();
    const signed = listSigned(b).length;
    expect((await buyAt(a, newCall())).status).toBe(200);
    // The peer's books were a step further: it showed this node's own signature for it.
    expect(listSigned(b).slice(signed)).toEqual([`voucher ${22n * PRICE}`, `voucher ${23n * PRICE}`]);
    expect((await b.node.channelTotals())[0]).toMatchObject({ channels: 1, earned: 23n * PRICE, owed: 2n * PRICE });
    await audit(world);
  });

  test("what is left is asked back once nothing was bought for a month, and comes home", async () => {
    const { a, b, payer, nodes, balance } = world;
    const before = balance(payer);
    nodes.clock.advance(31 * 86_400_000);
    await a.node.refundPeerChannels();
    expect(balance(payer) - before).toBe(2n * PRICE);
    expect(a.lines.some((line) => line.includes('"own_channel_refunded"'))).toBe(true);
    expect((await b.node.channelTotals())[0]).toMatchObject({ owed: 0n, unclaimed: 0n });
    const signed = listSigned(b).length;
    await a.node.refundPeerChannels();
    expect(listSigned(b)).toHaveLength(signed);
    await audit(world);
  });
});

test("trying a peer shows the channel it offers, on what terms, and why none would be opened", async () => {
  const world = await startWorld();
  const { b, payer, balance } = world;
  const before = balance(payer);
  const LIMITS = { deposit_max: 500_000n, withdraw_delay_s_max: 604_800 };
  const wanted = [{ path: "/rate-a", price_max: PRICE, why: null }];
  const tryWith = async (channels: ChannelBounds | null, ask: AskPeer = fetchPeer) => {
    const [product] = (await tryPeer(b.url, wanted, { ask, sandbox: true, channels })).products;
    return { channel: product?.channel, line: renderChannel(product?.channel ?? null) };
  };
  const terms = { network: "eip155:84532", min_deposit_atomic: null, withdraw_delay_s: 86_400 };
  const usual = await tryWith(LIMITS);
  expect(usual.channel).toEqual({ ...terms, would_open: true, why: null });
  expect(usual.line).toBe(
    "payment channel (batch-settlement) on eip155:84532: no least deposit, withdraw delay 86400 s: would be opened",
  );
  const off = await tryWith(null);
  expect(off.channel).toEqual({ ...terms, would_open: false, why: "[peers.channels] is off" });
  const late = await tryWith({ ...LIMITS, withdraw_delay_s_max: 86_399 });
  expect(late.channel).toMatchObject({ would_open: false, why: "what is withdrawn from it would come too late" });
  const small = await tryWith({ ...LIMITS, deposit_max: 2n * PRICE - 1n });
  expect(small.channel).toMatchObject({ would_open: false, why: expect.stringContaining("no two calls") });
  const tryAnnounced = (least: bigint, channels: ChannelBounds = LIMITS) =>
    tryWith(channels, async (url) => {
      const answer = await fetchPeer(url);
      return "failed" in answer ? answer : { ...answer, ...announce(answer, least) };
    });
  const announced = await tryAnnounced(40_000n);
  expect(announced.channel).toEqual({ ...terms, min_deposit_atomic: "40000", would_open: true, why: null });
  expect(announced.line).toContain("deposit from 0.04 USDC, withdraw delay 86400 s");
  const dear = await tryAnnounced(500_001n);
  expect(dear.channel).toMatchObject({ min_deposit_atomic: "500001", would_open: false });
  expect(dear.line).toContain("NOT OPENED: its least deposit is 0.500001, more than the 0.50 that a deposit may be");
  expect(listSigned(b)).toEqual([]);
  expect(balance(payer)).toBe(before);
  await world.nodes.stop();
});

test("the receipt of a voucher is shown to a caller who names its channel", async () => {
  const world = await startWorld();
  const { a, b } = world;
  const { via } = JSON.parse((await buyAt(a, newCall())).text);
  const shown = await fetch(via.seal_url);
  expect(shown.status).toBe(200);
  const receipt = (await shown.json()) as Record<string, unknown>;
  expect(receipt).toMatchObject({ id: via.receipt_id, product: "rate-a", amount_atomic: "8000" });
  expect(receipt.response_sha256).toBe(via.response_sha256);
  for (const query of ["", "?channel=1", `?channel=0x${"1".repeat(64)}`]) {
    expect((await fetch(`${b.url}/receipts/${via.receipt_id}${query}`)).status).toBe(404);
  }
  await world.nodes.stop();
});

test("a peer whose snapshot does not add up gets no further voucher, and is paid call by call", async () => {
  const world = await startWorld();
  const { a, b } = world;
  const lie: Door = async (request, forward) => {
    const response = await forward(request);
    const told = response.headers.get("PAYMENT-RESPONSE");
    if (told === null || readPayload(request).type !== "voucher") return response;
    const settlement = JSON.parse(atob(told));
    settlement.extra.channelState.balance = "100000";
    const headers = new Headers(response.headers);
    headers.set("PAYMENT-RESPONSE", btoa(JSON.stringify(settlement)));
    return new Response(await response.text(), { headers });
  };
  expect((await buyAt(a, newCall())).status).toBe(200);
  b.door = lie;
  // Its answer is what it signed for: it is sold.
  expect((await buyAt(a, newCall())).status).toBe(200);
  expect(a.lines.some((line) => line.includes('"own_channel_stopped"'))).toBe(true);
  await a.stop();
  await a.start();
  expect((await buyAt(a, newCall())).status).toBe(200);
  expect(listSigned(b)).toEqual(["deposit 8000", "voucher 16000", "exact"]);
  await audit(world);
  // The operator withdraws it by hand, and the node sees that nothing lies there any more.
  const stopped = a.lines.find((line) => line.includes('"own_channel_stopped"')) ?? "";
  const config = JSON.parse((JSON.parse(stopped) as { readonly config: string }).config);
  const withdraw = async (functionName: "initiateWithdraw" | "finalizeWithdraw", ...more: readonly bigint[]) => {
    const args = [config, ...more];
    const data = encodeFunctionData({ abi: parseAbi(CHANNEL_ABI), functionName, args: args as never });
    const body = JSON.stringify({ network: "eip155:84532", data, sender: world.payer });
    expect((await fetch(`${a.node.url}/__sandbox/contract`, { method: "POST", body })).status).toBe(200);
  };
  const isEmptied = () => a.lines.some((line) => line.includes('"own_channel_emptied"'));
  const showsAlert = async (): Promise<boolean> => {
    await a.node.checkAlerts();
    const body = new URLSearchParams({ token: a.node.operator_token });
    const login = { method: "POST", body, redirect: "manual" } as const;
    const cookie = (await fetch(`${a.node.url}/admin/login`, login)).headers.get("set-cookie")?.split(";")[0] ?? "";
    const page = await fetch(`${a.node.url}/admin/alerts`, { headers: { cookie } });
    return (await page.text()).includes("paid from no more");
  };
  await a.node.refundPeerChannels();
  expect([isEmptied(), await showsAlert()]).toEqual([false, true]);
  await b.node.runChannels({ all: true });
  await withdraw("initiateWithdraw", 200_000n - 2n * PRICE);
  world.nodes.clock.advance(25 * 3_600_000);
  await withdraw("finalizeWithdraw");
  await a.node.refundPeerChannels();
  expect(isEmptied()).toBe(true);
  await world.nodes.stop();
});

test("a peer that only says that it gave money back is asked again a day later", async () => {
  const world = await startWorld();
  const { a, b, nodes, payer, balance } = world;
  let told = "";
  const lie: Door = async (request, forward) => {
    if (readPayload(request).type === "refund") {
      const settlement = JSON.parse(atob(told));
      settlement.extra.channelState.balance = settlement.extra.channelState.chargedCumulativeAmount;
      return new Response("{}", { headers: { "PAYMENT-RESPONSE": btoa(JSON.stringify(settlement)) } });
    }
    const response = await forward(request);
    told = response.headers.get("PAYMENT-RESPONSE") ?? told;
    return response;
  };
  const usual = b.door;
  b.door = lie;
  expect((await buyAt(a, newCall())).status).toBe(200);
  const before = balance(payer);
  nodes.clock.advance(31 * 86_400_000);
  const refund = async (): Promise<void> => {
    const asked = listSigned(b).length;
    await a.node.refundPeerChannels();
    expect(listSigned(b).slice(asked)).toEqual(["refund 8000"]);
  };
  await refund();
  expect(a.lines.filter((line) => line.includes('"own_channel_not_refunded"')).at(-1)).toContain("still holds");
  await a.node.refundPeerChannels();
  b.door = usual;
  nodes.clock.advance(86_400_000);
  await refund();
  expect(balance(payer) - before).toBe(24n * PRICE);
  expect(a.lines.some((line) => line.includes('"own_channel_refunded"'))).toBe(true);
  await audit(world);
  await nodes.stop();
});

test("a deposit that the day's sum has no room for is not signed", async () => {
  const world = await startWorld({ daily_usd: "0.009" });
  const { a, b } = world;
  expect((await buyAt(a, newCall())).status).toBe(200);
  expect((await buyAt(a, newCall())).status).toBe(503);
  expect(listSigned(b)).toEqual(["exact"]);
  await world.nodes.stop();
  // With room for a deposit of three calls, three calls are paid from it, and then the day is over.
  const small = await startWorld({ daily_usd: "0.024" });
  for (const status of [200, 200, 200, 503]) expect((await buyAt(small.a, newCall())).status).toBe(status);
  expect(listSigned(small.b)).toEqual(["deposit 8000", "voucher 16000", "voucher 24000"]);
  await small.nodes.stop();
});

test("a deposit is at least what a peer announces, and a channel beyond the budget is not opened", async () => {
  const world = await startWorld();
  const { a, b, balance } = world;
  // More than deposit_calls would be, and within deposit_max.
  b.door = announcing(240_000n);
  for (let n = 0; n < 2; n += 1) expect((await buyAt(a, newCall())).status).toBe(200);
  expect(listSigned(b)).toEqual(["deposit 8000", "voucher 16000"]);
  expect(balance(CONTRACT)).toBe(240_000n);
  await audit(world);
  await world.nodes.stop();

  const dear = await startWorld();
  const before = dear.balance(CONTRACT);
  dear.b.door = announcing(500_001n);
  for (let n = 0; n < 2; n += 1) expect((await buyAt(dear.a, newCall())).status).toBe(200);
  expect(listSigned(dear.b)).toEqual(["exact", "exact"]);
  expect(dear.balance(CONTRACT)).toBe(before);
  const told = dear.a.lines.find((line) => line.includes('"own_channel_budget"')) ?? "{}";
  expect(JSON.parse(told)).toMatchObject({ room: "500000", least: "500001", needed: "8000" });
  await audit(dear);
  await dear.nodes.stop();
});
