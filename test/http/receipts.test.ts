import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { extractReceiptFromResponse, verifyReceiptSignatureJWS } from "@x402/extensions/offer-receipt";
import { isSignedBy, readJWS } from "../../src/trust/jws.ts";
import { createGateBench, signPayment, v2Header } from "../helpers/gate-bench.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

let money: MoneyNode;
beforeAll(async () => {
  money = await startMoneyNode();
});
afterAll(() => money.stop());

type Answer = Record<string, unknown>;
interface Receipt extends Answer {
  readonly id: string;
  readonly network: string;
  readonly transaction: string;
  readonly amount_atomic: string;
  readonly response_sha256: string;
  readonly signed: { readonly x402: { format: "jws"; signature: string }; readonly node: { signature: string } };
}

const get = async (path: string) => (await (await fetch(`${money.url}${path}`)).json()) as Answer;
const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const settlementOf = (answer: Response): Answer => JSON.parse(atob(answer.headers.get("PAYMENT-RESPONSE") ?? ""));

async function buy(path: string, [payer]: readonly [(typeof PAYERS)[number]], protocol: 1 | 2 = 2) {
  const headers = await payFor(`${money.url}${path}`, await payer.newPayer(money.url), protocol);
  const answer = await fetch(`${money.url}${path}`, { headers });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return { headers, answer };
}
const [BASE] = PAYERS;
if (!BASE) throw new Error("Base has a payer");

describe("a signed receipt", () => {
  test.each(PAYERS)(
    "comes with a paid answer on $network, and the official package verifies it against the served DID document",
    async (payer) => {
      const { answer } = await buy("/one?q=signed", [payer]);
      const receipt = extractReceiptFromResponse(answer);
      if (receipt?.format !== "jws") throw new Error("no receipt");
      const payload = await verifyReceiptSignatureJWS(receipt);
      const { payer: from, transaction } = settlementOf(answer) as { payer: string; transaction: string };
      expect(payload).toMatchObject({ version: 1, network: payer.network, payer: from, transaction });
      expect(payload.resourceUrl).toBe(`${money.url}/one`);
      expect(Math.abs(payload.issuedAt - money.clock.now() / 1000)).toBeLessThan(60);

      const shown = (await get(`/receipts/${answer.headers.get("X-Receipt-Id")}`)) as Receipt;
      expect(shown.signed.x402).toEqual(receipt);
      const key = money.node.identity.public_key;
      expect(await isSignedBy(shown.signed.node.signature, key)).toBe(true);
      expect(readJWS(shown.signed.node.signature)?.payload).toMatchObject({
        node_id: money.node.identity.node_id,
        receipt_id: shown.id,
        transaction,
        amount_atomic: "10000",
        product: "one",
        response_sha256: sha256(await answer.text()),
        sandbox: true,
      });
    },
  );

  test("is the same bytes when the payment is sent again", async () => {
    const { headers, answer } = await buy("/one?q=again", [BASE]);
    const again = await fetch(`${money.url}/one?q=again`, { headers });
    expect(again.headers.get("X-Idempotent-Replay")).toBe("true");
    expect(again.headers.get("PAYMENT-RESPONSE")).toBe(answer.headers.get("PAYMENT-RESPONSE"));
    const path = `/receipts/${answer.headers.get("X-Receipt-Id")}`;
    expect((await get(path)).signed).toEqual((await get(path)).signed);
  });

  test("is not put into the header of version 1, which has no place for it", async () => {
    const { answer } = await buy("/one?q=v1", [BASE], 1);
    const settled = JSON.parse(atob(answer.headers.get("X-PAYMENT-RESPONSE") ?? ""));
    expect(Object.keys(settled).sort()).toEqual(["network", "payer", "success", "transaction"]);
    const shown = (await get(`/receipts/${answer.headers.get("X-Receipt-Id")}`)) as Receipt;
    expect(await verifyReceiptSignatureJWS(shown.signed.x402)).toMatchObject({ transaction: settled.transaction });
  });

  test("that cannot be signed costs the buyer nothing but the receipt: the answer he paid for goes out", async () => {
    const bench = createGateBench({
      settlementExtensions: async () => {
        throw new Error("no key");
      },
    });
    const { body, headers } = await bench.buy(v2Header(await signPayment({ account: bench.newPayer() })));
    expect(body).toBe('{"n":1}');
    expect(JSON.parse(atob(headers["PAYMENT-RESPONSE"] ?? ""))).toMatchObject({ success: true });
    expect(bench.alarms).toMatchObject([{ event: "receipt_not_signed", receipt_id: headers["X-Receipt-Id"] }]);
  });

  test("of a key that was bought hashes the answer as it is without the key", async () => {
    const { answer } = await buy("/buy-credits", [BASE]);
    const whole = await answer.text();
    const shown = (await get(`/receipts/${answer.headers.get("X-Receipt-Id")}`)) as Receipt;
    expect(whole).toMatch(/"api_key":"ink_/);
    expect(shown.response_sha256).toBe(sha256(whole.replace(/"api_key":"ink_\w+"/, '"api_key":"withheld"')));
    expect(JSON.stringify(shown)).not.toContain("ink_");
  });
});

test("the DID document is served as a document, under the name that signatures use", async () => {
  const response = await fetch(`${money.url}/.well-known/did.json`);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  const document = (await response.json()) as { id: string; verificationMethod: { publicKeyJwk: Answer }[] };
  expect(document.id).toBe(`did:web:${new URL(money.url).host.replace(":", "%3A")}`);
  expect(document.verificationMethod[0]?.publicKeyJwk).toMatchObject({ x: money.node.identity.public_key });
});

describe("/receipts", () => {
  async function readAll(): Promise<Receipt[]> {
    const items: Receipt[] = [];
    for (let cursor: unknown = ""; cursor !== null; ) {
      const page = await get(`/receipts?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      items.push(...(page.items as Receipt[]));
      cursor = page.next_cursor;
    }
    return items;
  }

  test("holds all that the digest of the audit is made of", async () => {
    for (const q of ["a", "b", "c"]) await buy(`/one?q=${q}`, [BASE]);
    const oldest_first = (await readAll()).reverse();
    expect(oldest_first.length).toBeGreaterThan(4);
    const lines = oldest_first.map(({ id, network, transaction, amount_atomic }) =>
      [id, network, transaction, `${amount_atomic}\n`].join(" "),
    );
    const report = await money.node.audit();
    expect(report.receipts).toBe(oldest_first.length);
    expect(sha256(lines.join(""))).toBe(report.receipts_digest);
  });

  test("are sealed each hour, with a free proof for every one of them but those that sell a key", async () => {
    const { answer } = await buy("/one?q=sealed", [BASE]);
    const path = `/receipts/${answer.headers.get("X-Receipt-Id")}/seal`;
    expect(await get(path)).toMatchObject({ proof: null, warnings: [expect.stringContaining("not sealed yet")] });
    const sold = await buy("/buy-credits", [BASE]);
    const plan = await get(`/receipts/${sold.answer.headers.get("X-Receipt-Id")}/seal`);
    expect(plan).toMatchObject({ proof: null, warnings: [expect.stringContaining("holds a key")] });
    expect(await get("/receipt-seals")).toMatchObject({ seals: [] });
    expect((await fetch(`${money.url}/receipts/rcp_none/seal`)).status).toBe(404);
    const asked = `${money.url}/receipt-seals?response_sha256=`;
    for (const [query, status] of [
      [sha256("x"), 404],
      ["x", 422],
      [`${sha256("x")}&at=now`, 422],
    ] as const) {
      expect([query, (await fetch(asked + query)).status]).toEqual([query, status]);
    }
  });

  test("says what the chain was found to hold, once it was asked", async () => {
    const { answer } = await buy("/one?q=chain", [BASE]);
    const id = answer.headers.get("X-Receipt-Id");
    expect((await get(`/receipts/${id}`)).on_chain).toBe("pending");
    money.clock.advance(60_000);
    await money.node.checkSettlements();
    expect((await get(`/receipts/${id}`)).on_chain).toBe("confirmed");
    expect((await readAll()).find((one) => one.id === id)?.on_chain).toBe("confirmed");
  });
});
