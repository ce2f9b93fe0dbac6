import { afterAll, describe, expect, test } from "bun:test";
import { toClientAvmSigner } from "@x402/avm";
import { ExactAvmScheme } from "@x402/avm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createAlgorandTestPayer } from "../../src/sandbox/test-payer-algorand.ts";
import { auditOf, settleCalls, settlementsOf } from "../helpers/demo-books.ts";
import { cleanUp, type DemoNode, startDemo } from "../helpers/demo-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

afterAll(cleanUp);

const NETWORK = "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe";
const algodOf = async (node: DemoNode): Promise<string> => String((await node.control("")).algod);

/** A header that pays for /fear-greed, with the official client. */
async function sign(node: DemoNode): Promise<string> {
  const kind = PAYERS.find((one) => one.network === NETWORK);
  if (!kind) throw new Error("no payer on Algorand");
  const headers = await payFor(`${node.url}/fear-greed`, await kind.newPayer(node.url), 2);
  return headers["PAYMENT-SIGNATURE"] ?? "";
}

/** The same payment, its `accepted` and its group written another way. */
function rewrite(header: string, change: (whole: { accepted: Record<string, unknown> }) => void): string {
  const whole = JSON.parse(Buffer.from(header, "base64").toString());
  change(whole);
  return Buffer.from(JSON.stringify(whole)).toString("base64");
}

describe("an unmodified official client pays on Algorand", () => {
  test("and finds its receipt and its settlement", async () => {
    const node = await startDemo({ domains: ["crypto-market"] });
    const { address, secret } = await createAlgorandTestPayer(crypto.getRandomValues(new Uint8Array(32)));
    const signer = toClientAvmSigner(Buffer.from(secret).toString("base64"));
    const scheme = new ExactAvmScheme(signer, { algodUrl: await algodOf(node) });
    const client = new x402Client().register("algorand:*", scheme);
    const response = await wrapFetchWithPayment(fetch, client)(`${node.url}/fear-greed`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ product: "fear-greed", sandbox: true });
    const receipt = await (await node.get(`/receipts/${response.headers.get("X-Receipt-Id")}`)).json();
    const settlements = await settlementsOf(node, address);
    expect(settlements).toMatchObject([{ network: NETWORK, amount_atomic: "10000" }]);
    expect(receipt).toMatchObject({ network: NETWORK, amount_atomic: "10000", payer: address });
    expect(receipt).toMatchObject({ transaction: settlements[0]?.transaction });
  });
});

test("50 copies of one payment at once, in both spellings of the network, are settled once", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const header = await sign(node);
  const full = rewrite(header, ({ accepted }) => {
    accepted.network = "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=";
  });
  const copies = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? header : full));
  const answers = await Promise.all(copies.map((copy) => node.get("/fear-greed", { "PAYMENT-SIGNATURE": copy })));
  expect(answers.map(({ status }) => status)).toEqual(copies.map(() => 200));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(await settleCalls(node)).toBe(1);
  const other = await node.get("/pyth-price", { "PAYMENT-SIGNATURE": header });
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

test("a settlement that never happened ends uncharged when its last round is over", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const header = { "PAYMENT-SIGNATURE": await sign(node) };
  await node.control("/facilitator", { settle: "timeout_before_settling", times: 1 });
  expect((await node.get("/fear-greed", header)).status).toBe(503);
  await node.control("/clock", { advance_s: 60 });
  const late = await node.get("/fear-greed", header);
  expect(late.status).toBe(402);
  expect(await late.json()).toMatchObject({ charged: false });
  expect((await node.control("/chain")).settlements).toEqual([]);
  expect(auditOf(node)).toMatchObject({ code: 0, report: { ok: true, receipts: 0 } });
});
