import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from "@x402/core/schemas";
import type { PaymentRequired } from "@x402/core/types";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { encodeHeader } from "../../src/payments/codec.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { sendRaw } from "../helpers/raw-http.ts";

/** What a head may hold, as `heads.test.ts` has it. */
const HEAD_BYTES_MAX = 4_000;
const KEY = `ink_${"a1Z".repeat(14)}0`;

let node: MoneyNode;
beforeAll(async () => {
  node = await startMoneyNode();
});
afterAll(() => node.stop());

interface Offer {
  readonly required: PaymentRequired;
  readonly body: { readonly resource: { readonly url: string }; readonly accepts: readonly { resource?: string }[] };
  readonly head: string;
}
/** What a call is asked for, with the head of the answer as it was sent. */
async function ask(target: string, { method = "GET", more = "" } = {}): Promise<Offer> {
  const answer = await sendRaw(
    node.url,
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${more}Connection: close\r\n\r\n`,
  );
  const end = answer.indexOf("\r\n\r\n");
  const head = answer.slice(0, end);
  expect(head).toStartWith("HTTP/1.1 402 ");
  const [, header = ""] = /^payment-required: (.+)$/im.exec(head) ?? [];
  const text = Buffer.from(answer.slice(end + 4), "latin1").toString("utf8");
  return { required: decodePaymentRequiredHeader(header), body: text === "" ? null : JSON.parse(text), head };
}

describe("a 402 names the address that was called", () => {
  test.each([
    ["none", ""],
    ["plain", "?q=BTC"],
    ["several, and for the protocol", "?q=BTC&x402Version=2"],
    ["percent-encoded", "?q=%22a%2fb%22%0d%0aX-Other:%201&x402Version=2"],
    ["encoded in ways nobody can read", "?q=%E2%82%AC%ff"],
    ["what JSON and shells read", "?q=\\`$(a){}[]|^"],
    ["an ampersand alone", "?q=a&&"],
  ])("with a query that is %s", async (_what, query) => {
    const { required, body, head } = await ask(`/one${query}`);
    expect(required.resource?.url).toBe(`${node.url}/one${query}`);
    expect(body.resource).toMatchObject({ url: `${node.url}/one${query}` });
    expect(PaymentRequiredV2Schema.safeParse(required).error).toBeUndefined();
    expect(PaymentRequiredV2Schema.safeParse(body).error).toBeUndefined();
    expect(head.length).toBeLessThan(HEAD_BYTES_MAX);
  });

  test("to HEAD as to GET, and to what comes after it", async () => {
    const url = `${node.url}/one?q=head`;
    expect((await ask("/one?q=head", { method: "HEAD" })).required.resource?.url).toBe(url);
    expect((await ask("/one?q=head")).required.resource?.url).toBe(url);
    expect((await ask("/one")).required.resource?.url).toBe(`${node.url}/one`);
  });

  test("in version 1, in every way to pay", async () => {
    const { required, body } = await ask("/one?q=old&x402Version=1");
    const url = `${node.url}/one?q=old&x402Version=1`;
    expect(PaymentRequiredV1Schema.safeParse(body).error).toBeUndefined();
    expect(body.accepts.length).toBeGreaterThan(0);
    for (const { resource } of body.accepts) expect(resource).toBe(url);
    expect(required.resource?.url).toBe(url);
  });

  test("when a payment was refused", async () => {
    for (const [name, query] of [
      ["PAYMENT-SIGNATURE", "?q=bad"],
      ["X-PAYMENT", "?q=bad&x402Version=1"],
    ] as const) {
      const { required, body } = await ask(`/one${query}`, { more: `${name}: bm90aGluZw==\r\n` });
      expect(required.resource?.url).toBe(`${node.url}/one${query}`);
      const told = body.resource?.url ?? body.accepts[0]?.resource;
      expect(told).toBe(`${node.url}/one${query}`);
    }
  });
});

test.each([900, 2_000, 8_000])(
  "a query of %d characters makes no head too long, and the offer stays whole",
  async (length) => {
    const query = `?q=a${"&".repeat(length - 4)}`;
    const plain = await ask("/one");
    const { required, body, head } = await ask(`/one${query}`);
    expect(head.length).toBeLessThan(HEAD_BYTES_MAX);
    expect(required.accepts).toEqual(plain.required.accepts);
    // An address is repeated whole or not at all.
    expect([`${node.url}/one`, `${node.url}/one${query}`]).toContain(required.resource?.url ?? "");
    expect(body.resource.url).toBe(length < 2_048 ? `${node.url}/one${query}` : `${node.url}/one`);
  },
);

test("a query that holds an API key is refused, and nothing of the key is repeated", async () => {
  for (const query of [`?q=${KEY}&x402Version=2`, `?x402Version=2&q=%69nk_${KEY.slice(4)}`]) {
    const response = await fetch(`${node.url}/one${query}`);
    const told = JSON.stringify([...response.headers]) + (await response.text());
    expect([response.status, told.includes(KEY.slice(4))]).toEqual([422, false]);
  }
});

test("a payment that echoes the address is taken, and facilitators are told the product's own", async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(account));
  const url = `${node.url}/one?q=echo`;
  const required = decodePaymentRequiredHeader((await fetch(url)).headers.get("PAYMENT-REQUIRED") ?? "");
  const payment = await client.createPaymentPayload(required);
  expect(payment.resource?.url).toBe(url);
  const paid = await fetch(url, { headers: { "PAYMENT-SIGNATURE": encodeHeader(payment) } });
  expect(paid.status).toBe(200);
  for (const call of ["verify", "settle"] as const) {
    expect(JSON.parse(node.facilitator.last[call]).paymentPayload.resource.url).toBe(`${node.url}/one`);
  }
});
