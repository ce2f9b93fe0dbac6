import { afterAll, describe, expect, test } from "bun:test";
import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from "@solana/kit";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import { wrapFetchWithPayment as wrapFetchV1 } from "x402-fetch";
import { auditOf, settleCalls, settlementsOf } from "../helpers/demo-books.ts";
import { cleanUp, type DemoNode, startDemo } from "../helpers/demo-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

afterAll(cleanUp);

const NETWORK = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const newSigner = () => createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
const rpcOf = async (node: DemoNode): Promise<string> => String((await node.control("")).solana_rpc);

/** A header that pays for /fear-greed, with the official client. */
async function sign(node: DemoNode): Promise<string> {
  const kind = PAYERS.find((one) => one.network === NETWORK);
  if (!kind) throw new Error("no payer on Solana");
  const headers = await payFor(`${node.url}/fear-greed`, await kind.newPayer(node.url), 2);
  return headers["PAYMENT-SIGNATURE"] ?? "";
}

describe("an unmodified official client pays on Solana", () => {
  const shared = startDemo({ domains: ["crypto-market"] });

  async function check(response: Response, node: DemoNode, signer: KeyPairSigner) {
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ product: "fear-greed", sandbox: true });
    const receipt = await (await node.get(`/receipts/${response.headers.get("X-Receipt-Id")}`)).json();
    const settlements = await settlementsOf(node, signer.address);
    expect(settlements).toMatchObject([{ network: NETWORK, amount_atomic: "10000" }]);
    expect(receipt).toMatchObject({ network: NETWORK, amount_atomic: "10000", payer: signer.address });
    expect(receipt).toMatchObject({ transaction: settlements[0]?.transaction });
  }

  test("with version 2", async () => {
    const node = await shared;
    const signer = await newSigner();
    const client = new x402Client().register("solana:*", new ExactSvmScheme(signer, { rpcUrl: await rpcOf(node) }));
    const response = await wrapFetchWithPayment(fetch, client)(`${node.url}/fear-greed`);
    await check(response, node, signer);
  });

  test("with version 1", async () => {
    const node = await shared;
    const signer = await newSigner();
    const config = { svmConfig: { rpcUrl: await rpcOf(node) } };
    const pay = wrapFetchV1(fetch, signer, undefined, undefined, config);
    const response = await pay(`${node.url}/fear-greed?x402Version=1`);
    expect(response.headers.get("X-PAYMENT-RESPONSE")).not.toBeNull();
    await check(response, node, signer);
  });
});

/** The same payment with something in the slot that the fee payer will sign into. */
function fillSlot(header: string, junk: number): string {
  const whole = JSON.parse(Buffer.from(header, "base64").toString());
  const bytes = Buffer.from(whole.payload.transaction, "base64");
  bytes.fill(junk, 1, 65);
  whole.payload.transaction = bytes.toString("base64");
  return Buffer.from(JSON.stringify(whole)).toString("base64");
}

test("50 copies of one payment at once, each with other bytes in the empty slot, are settled once", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const header = await sign(node);
  const copies = Array.from({ length: 50 }, (_, junk) => fillSlot(header, junk));
  const answers = await Promise.all(copies.map((copy) => node.get("/fear-greed", { "PAYMENT-SIGNATURE": copy })));
  expect(answers.map(({ status }) => status)).toEqual(copies.map(() => 200));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(await settleCalls(node)).toBe(1);
  const other = await node.get("/mempool", { "PAYMENT-SIGNATURE": header });
  expect(await other.json()).toMatchObject({ code: "payment_already_used" });
  expect(auditOf(node)).toMatchObject({ code: 0, report: { ok: true, receipts: 1 } });
});

test("a settlement whose answer is lost is found on the chain, and its answer handed over", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const header = { "PAYMENT-SIGNATURE": await sign(node) };
  await node.control("/facilitator", { settle: "http500_after_settling", times: 1 });
  const first = await node.get("/fear-greed", header);
  expect(await first.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
  expect((await node.get("/fear-greed", header)).status).toBe(200);
  expect(await settleCalls(node)).toBe(1);
  expect(auditOf(node)).toMatchObject({ code: 0, report: { ok: true, receipts: 1 } });
});

test("a settlement that never happened ends uncharged when the block hash is over", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const header = { "PAYMENT-SIGNATURE": await sign(node) };
  await node.control("/facilitator", { settle: "timeout_before_settling", times: 1 });
  expect((await node.get("/fear-greed", header)).status).toBe(503);
  await node.control("/clock", { advance_s: 400 });
  const late = await node.get("/fear-greed", header);
  expect(late.status).toBe(402);
  expect(await late.json()).toMatchObject({ charged: false });
  expect((await node.control("/chain")).settlements).toEqual([]);
  expect(auditOf(node)).toMatchObject({ code: 0, report: { ok: true, receipts: 0 } });
});
