import { afterAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import { wrapFetchWithPayment as wrapFetchV1 } from "x402-fetch";
import { startEngineNode } from "../helpers/engine-node.ts";
import { MINT, startSolanaEngine } from "../helpers/litesvm-engine.ts";
import { startSolanaFacilitator } from "../helpers/litesvm-facilitator.ts";
import { payFor } from "../helpers/payers.ts";

/** Official clients on one side, the official facilitator on the real runtime on the other, the node between. */
const NETWORK = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const SELLER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const SELLER_ACCOUNT = "DNDTCnZkNk358qDFZd9unHtnrc73SsXcpVWtwJJMrR4B";

// The official facilitator writes every failed settlement there.
const quiet = spyOn(console, "error").mockImplementation(() => undefined);
const engine = startSolanaEngine();
const facilitator = await startSolanaFacilitator(engine);
await engine.hold(SELLER, 0n);
const seller = await startEngineNode(`
[wallets.solana]
pay_to = "${SELLER}"
[chains.solana]
rpc = ["${engine.url}"]
[[facilitators]]
kind = "remote"
url = "${facilitator.url}"
`);
afterAll(async () => {
  quiet.mockRestore();
  await seller.stop();
  await facilitator.stop();
  await engine.stop();
});
beforeEach(async () => {
  facilitator.script.settle = (forward) => forward();
  expect(await engine.hold(SELLER, 0n)).toBe(SELLER_ACCOUNT);
});

async function newSigner(amount = 1_000_000n) {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
  await engine.hold(signer.address, amount);
  return signer;
}
type Signer = Awaited<ReturnType<typeof newSigner>>;
const clientOf = (signer: Signer) =>
  new x402Client().register("solana:*", new ExactSvmScheme(signer, { rpcUrl: engine.url }));
const pay = (signer: Signer): typeof fetch => wrapFetchWithPayment(fetch, clientOf(signer)) as typeof fetch;
const sign = async (signer: Signer, protocol: 1 | 2 = 2) =>
  payFor(`${seller.url}/one`, { network: NETWORK, client: clientOf(signer) }, protocol);
const get = (path: string, headers: Record<string, string>) => fetch(`${seller.url}${path}`, { headers });

describe("a paid call works", () => {
  test("with the official client of version 2", async () => {
    const signer = await newSigner();
    const response = await pay(signer)(`${seller.url}/one`);
    expect(response.status).toBe(200);
    const settled = JSON.parse(atob(response.headers.get("PAYMENT-RESPONSE") ?? ""));
    expect(settled).toMatchObject({ success: true, network: NETWORK, payer: signer.address });
    expect(engine.rows.at(-1)?.signature).toBe(settled.transaction);
    expect(await engine.balanceOf(SELLER)).toBe(10_000n);
    expect(await engine.balanceOf(signer.address)).toBe(990_000n);
  });

  test("with the official client of version 1", async () => {
    const signer = await newSigner();
    const wrapped = wrapFetchV1(fetch, signer, undefined, undefined, { svmConfig: { rpcUrl: engine.url } });
    const response = await wrapped(`${seller.url}/one?x402Version=1`);
    expect(response.status).toBe(200);
    const settled = JSON.parse(atob(response.headers.get("X-PAYMENT-RESPONSE") ?? ""));
    expect(settled).toMatchObject({ success: true, network: "solana" });
    expect(engine.rows.at(-1)?.memo).toBeNull();
    expect(await engine.balanceOf(SELLER)).toBe(10_000n);
  });

  test("once for all copies of a payment, in both versions and with any junk in the empty slot", async () => {
    const signer = await newSigner();
    const [[name = "", header = ""] = []] = Object.entries(await sign(signer));
    const whole = JSON.parse(atob(header));
    const bytes = Buffer.from(whole.payload.transaction, "base64");
    const copies = [0, 7, 255].map((junk) => {
      const transaction = bytes.fill(junk, 1, 65).toString("base64");
      return { [name]: btoa(JSON.stringify({ ...whole, payload: { transaction } })) };
    });
    const { payload } = whole;
    copies.push({ "X-PAYMENT": btoa(JSON.stringify({ x402Version: 1, scheme: "exact", network: "solana", payload })) });
    const landed = engine.rows.length;
    const answers = await Promise.all(copies.map((copy) => get("/one", copy)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(engine.rows.length).toBe(landed + 1);
    expect((await get("/two", copies[0] ?? {})).status).toBe(402);
    expect(await engine.balanceOf(SELLER)).toBe(10_000n);
  });
});

describe("nothing is sold", () => {
  test("to a wallet that holds too little, with that reason, before anything is settled", async () => {
    const asked = facilitator.calls.settle;
    const response = await pay(await newSigner(9_999n))(`${seller.url}/one`);
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ charged: false });
    expect(facilitator.calls.settle).toBe(asked);
  });

  test("for a block hash that is over", async () => {
    const signer = await newSigner();
    const headers = await sign(signer);
    engine.expire(90_000);
    const response = await get("/one", headers);
    expect(response.status).toBe(402);
    expect(await engine.balanceOf(signer.address)).toBe(1_000_000n);
  });
});

describe("a settlement whose answer is lost", () => {
  test.each([1, 2] as const)("is found on the chain and sold (version %d)", async (protocol) => {
    const signer = await newSigner();
    facilitator.script.settle = async (forward) => {
      await forward();
      return new Response("bad gateway", { status: 502 });
    };
    const headers = await sign(signer, protocol);
    const first = await get("/one", headers);
    expect(first.status).toBe(503);
    expect(await first.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
    const again = await get("/one", headers);
    expect(again.status).toBe(200);
    const name = protocol === 2 ? "PAYMENT-RESPONSE" : "X-PAYMENT-RESPONSE";
    expect(JSON.parse(atob(again.headers.get(name) ?? ""))).toMatchObject({
      transaction: engine.rows.at(-1)?.signature ?? "",
    });
    expect(await engine.balanceOf(SELLER)).toBe(10_000n);
    expect(await seller.node.audit()).toMatchObject({ ok: true });
  });

  test("between the facilitator and its chain is found all the same, though it says that it failed", async () => {
    const signer = await newSigner();
    const headers = await sign(signer);
    engine.lost.add("sendTransaction");
    const first = await get("/one", headers);
    engine.lost.clear();
    expect(await engine.balanceOf(SELLER)).toBe(10_000n);
    expect(first.status).toBe(503);
    expect(await first.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
    expect((await get("/one", headers)).status).toBe(200);
    expect(await engine.balanceOf(SELLER)).toBe(10_000n);
  });

  test("that never landed is never charged, as soon as it can land no more", async () => {
    const signer = await newSigner();
    facilitator.script.settle = () => new Response("bad gateway", { status: 502 });
    const headers = await sign(signer);
    expect((await get("/one", headers)).status).toBe(503);
    seller.clock.advance(5_000);
    expect((await get("/one", headers)).status).toBe(503);
    engine.expire(400_000);
    seller.clock.advance(400_000);
    const late = await get("/one", headers);
    expect(late.status).toBe(402);
    expect(await late.json()).toMatchObject({ charged: false });
    expect(await engine.balanceOf(signer.address)).toBe(1_000_000n);
    expect(await seller.node.audit()).toMatchObject({ ok: true });
  });
});

test("the mint of the test is the real one", () => {
  expect(MINT).toBe("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
});
