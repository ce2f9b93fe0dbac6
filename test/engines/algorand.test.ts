import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { toClientAvmSigner } from "@x402/avm";
import { ExactAvmScheme } from "@x402/avm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { type AlgorandTestPayer, createAlgorandTestPayer } from "../../src/sandbox/test-payer-algorand.ts";
import { startEngineNode } from "../helpers/engine-node.ts";
import { ALGORAND, startFakeAlgod } from "../helpers/fake-algod.ts";
import { startAlgorandFacilitator } from "../helpers/fake-algod-facilitator.ts";
import { payFor } from "../helpers/payers.ts";

/** The official client on one side, the official facilitator on a strict network on the other, the node between. */
const LONG = "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=";
const SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
const TOKEN = "algod-token-of-the-test";

const algod = startFakeAlgod();
algod.hold(SELLER, 0n);
const facilitator = await startAlgorandFacilitator(algod);
const old = await startAlgorandFacilitator(algod, LONG, "label-of-the-facilitator");
const start = (url: string, more = "") =>
  startEngineNode(`
[wallets.algorand]
pay_to = "${SELLER}"
[chains.algorand]
rpc = ["${algod.url}"]
indexer = ["${algod.indexer_url}"]
headers = { x-algo-api-token = "${TOKEN}" }
[[facilitators]]
kind = "remote"
url = "${url}"
${more}
`);
const seller = await start(facilitator.url);
afterAll(async () => {
  await Promise.all([seller.stop(), facilitator.stop(), old.stop()]);
  await algod.stop();
});
beforeEach(() => {
  facilitator.script.settle = (forward) => forward();
  if (algod.balanceOf(SELLER) === null) algod.hold(SELLER, 0n);
});

async function newPayer(amount: bigint | null = 1_000_000n): Promise<AlgorandTestPayer> {
  const payer = await createAlgorandTestPayer(crypto.getRandomValues(new Uint8Array(32)));
  if (amount !== null) algod.hold(payer.address, amount);
  return payer;
}
const clientOf = ({ secret }: AlgorandTestPayer): x402Client => {
  const signer = toClientAvmSigner(Buffer.from(secret).toString("base64"));
  return new x402Client().register("algorand:*", new ExactAvmScheme(signer, { algodUrl: algod.url }));
};
const pay = (payer: AlgorandTestPayer, url: string): Promise<Response> =>
  wrapFetchWithPayment(fetch, clientOf(payer))(url);
const sign = async (payer: AlgorandTestPayer, url = seller.url, network = ALGORAND) =>
  payFor(`${url}/one`, { network, client: clientOf(payer) }, 2);
const get = (headers: Record<string, string>, url = seller.url) => fetch(`${url}/one`, { headers });
const settlementOf = (response: Response) => JSON.parse(atob(response.headers.get("PAYMENT-RESPONSE") ?? ""));
const offered = async (url: string) =>
  JSON.parse(atob((await fetch(`${url}/one`)).headers.get("PAYMENT-REQUIRED") ?? "")).accepts;

test("a paid call works with the official client, and moves exactly the price", async () => {
  const payer = await newPayer();
  const before = algod.balanceOf(SELLER) ?? 0n;
  const response = await pay(payer, `${seller.url}/one`);
  expect(response.status).toBe(200);
  const settled = settlementOf(response);
  expect(settled).toMatchObject({ success: true, network: ALGORAND, payer: payer.address });
  expect(algod.bank.find(settled.transaction)?.transfers).toEqual([
    { transaction: settled.transaction, from: payer.address, to: SELLER, amount: "10000" },
  ]);
  expect(algod.balanceOf(SELLER)).toBe(before + 10_000n);
  expect(algod.balanceOf(payer.address)).toBe(990_000n);
});

test.each([
  ["that has not opted in to USDC", null],
  ["that does not hold enough", 9_999n],
])("a payer %s is refused and gets nothing", async (_, amount) => {
  const payer = await newPayer(amount);
  const { settle } = facilitator.calls;
  const response = await pay(payer, `${seller.url}/one`);
  expect(response.status).toBe(402);
  expect(await response.json()).toMatchObject({ charged: false });
  expect(facilitator.calls.settle).toBe(settle);
  expect(algod.balanceOf(payer.address)).toBe(amount);
});

describe("the id of the network", () => {
  test("is advertised and forwarded as the facilitator spells it; both spellings are taken of buyers", async () => {
    const node = await start(old.url);
    const [requirement] = await offered(node.url);
    expect(requirement).toMatchObject({ network: LONG, extra: { feePayer: old.address } });
    const payer = await newPayer();
    const response = await pay(payer, `${node.url}/one`);
    expect(response.status).toBe(200);
    expect(new Set(old.networks)).toEqual(new Set([LONG]));
    const header = (await sign(await newPayer(), node.url, LONG))["PAYMENT-SIGNATURE"] ?? "";
    const whole = JSON.parse(atob(header));
    whole.accepted.network = ALGORAND;
    const other = await get({ "PAYMENT-SIGNATURE": btoa(JSON.stringify(whole)) }, node.url);
    expect(other.status).toBe(200);
    expect(new Set(old.networks)).toEqual(new Set([LONG]));
    await node.stop();
  });

  test("is ours when the facilitator says it so", async () => {
    expect(await offered(seller.url)).toMatchObject([{ network: ALGORAND }]);
    const header = (await sign(await newPayer()))["PAYMENT-SIGNATURE"] ?? "";
    const whole = JSON.parse(atob(header));
    whole.accepted.network = LONG;
    expect((await get({ "PAYMENT-SIGNATURE": btoa(JSON.stringify(whole)) })).status).toBe(200);
    expect(new Set(facilitator.networks)).toEqual(new Set([ALGORAND]));
  });
});

describe("the tag", () => {
  test("is the facilitator's own where the operator set none, and the operator's where he did", async () => {
    const plain = await start(old.url);
    expect(await offered(plain.url)).toMatchObject([{ extra: { tag: "label-of-the-facilitator" } }]);
    await plain.stop();
    const labelled = await start(old.url, '[payments]\nalgorand_tag = "ours"');
    expect(await offered(labelled.url)).toMatchObject([{ extra: { tag: "ours" } }]);
    expect((await pay(await newPayer(), `${labelled.url}/one`)).status).toBe(200);
    await labelled.stop();
  });

  test("is left out where nobody names one", async () => {
    const [requirement] = await offered(seller.url);
    expect(Object.keys(requirement.extra)).toEqual(["feePayer"]);
  });
});

describe("a settlement whose answer is lost", () => {
  test("is found on the chain, with the operator's token, and its buyer gets what he paid for", async () => {
    const payer = await newPayer();
    facilitator.script.settle = async (forward) => {
      await forward();
      return new Response("bad gateway", { status: 502 });
    };
    const headers = await sign(payer);
    algod.state.token = "";
    const first = await get(headers);
    expect(first.status).toBe(503);
    expect(await first.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
    algod.state.token = TOKEN;
    const again = await get(headers);
    algod.state.token = "";
    expect(again.status).toBe(200);
    expect(settlementOf(again).transaction).toBe(algod.bank.booked.at(-1)?.members[1]?.id ?? "none");
    expect(algod.balanceOf(payer.address)).toBe(990_000n);
  });

  test("that never reached the chain ends uncharged once its last round is over, not before", async () => {
    const payer = await newPayer();
    facilitator.script.settle = () => new Response("bad gateway", { status: 502 });
    const headers = await sign(payer);
    expect((await get(headers)).status).toBe(503);
    seller.clock.set(seller.clock.now() + 3_000);
    expect((await get(headers)).status).toBe(503);
    algod.skipRounds(15);
    seller.clock.set(seller.clock.now() + 3_000);
    const late = await get(headers);
    expect(late.status).toBe(402);
    expect(await late.json()).toMatchObject({ charged: false });
    expect(algod.balanceOf(payer.address)).toBe(1_000_000n);
  });
});
