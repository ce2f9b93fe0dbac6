import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { renderChallenge } from "../../src/payments/challenge.ts";
import { OTHER_FIELDS_BYTES } from "../../src/payments/challenge-header.ts";
import { createChallengeBinding } from "../../src/payments/mpp/binding.ts";
import { createMppIssuer, type MppIssuer, measureAuthenticate } from "../../src/payments/mpp/issue.ts";
import type { Offer } from "../../src/payments/types.ts";
import { WALLETS } from "../helpers/money-node.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/**
 * Stock nginx reads a response's head into one page of 4,096 bytes and answers 502 when it does not fit. Every head of
 * this node has to fit, with room for what a proxy in between adds.
 */
const HEAD_BYTES_MAX = 4_000;
/** A public address as long as a real one: it stands in the offer several times. */
const PUBLIC_URL = "https://market-data-node.example.com";
const CONFIG = `
[node]
public_url = "${PUBLIC_URL}"
[wallets.solana]
pay_to = "${WALLETS.solana}"
[wallets.algorand]
pay_to = "${WALLETS.algorand}"
[payments.channels]
enabled = true
`;

/** What a node with rate limits adds, at its longest. */
const LIMIT_FIELDS = 'RateLimit-Policy: "free";q=1000000;w=60\r\nRateLimit: "free";r=1000000;t=60\r\n';

let node: ProductNode;

beforeAll(async () => {
  node = await startProductNode({ seed_history: false, config: CONFIG });
});
afterAll(() => node.stop());

/** The bytes of a response's head as they are sent, the empty line included. */
function readHead(request: string): Promise<string> {
  const { hostname, port } = new URL(node.url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return;
      resolve(text.slice(0, end + 4));
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

const ask = (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method: "GET" | "POST" = "GET",
): Promise<string> => {
  const { host } = new URL(node.url);
  const body = method === "POST" ? { "Content-Type": "application/json", "Content-Length": "2" } : {};
  const fields = Object.entries({ Host: host, ...body, ...headers });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return readHead(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${method === "POST" ? "{}" : ""}`);
};

interface Asked {
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly method?: "POST";
}
const REQUESTS: Readonly<Record<string, Asked>> = {
  "a bare call": {},
  "a browser": { headers: { Accept: "text/html" } },
  "a client of version 1": { query: "?x402Version=1" },
  "a payment that cannot be read": { headers: { "PAYMENT-SIGNATURE": "junk" } },
  "a token of the buyer's own": { headers: { Authorization: "Bearer t" } },
  "a body, and a token of the buyer's own": { headers: { Authorization: "Bearer t" }, method: "POST" },
  "a credential of MPP that cannot be read": { headers: { Authorization: "Payment e30" } },
  "an unknown key": { headers: { "X-API-Key": `ink_${"a".repeat(43)}` } },
};

test("three networks are offered", () => {
  expect(node.node.wallets.map(({ network }) => network.chain).length).toBe(3);
});

test.each(Object.entries(REQUESTS))("the head of every product fits into stock nginx: %s", async (_, request) => {
  const long: string[] = [];
  for (const { path, methods } of node.node.catalog.products) {
    const { query = "", headers, method } = request;
    if (method !== undefined && !methods.includes(method)) continue;
    const head = await ask(`${path}${query}`, headers, method);
    if (head.startsWith("HTTP/1.1 402")) expect(head).toContain("WWW-Authenticate: Payment ");
    if (head.length + LIMIT_FIELDS.length >= HEAD_BYTES_MAX) long.push(`${path} ${head.length}`);
  }
  expect(long).toEqual([]);
});

/** As long as one more way to pay on a chain with a contract: scheme, addresses and what a client needs to sign. */
const FURTHER_OFFER = { name: "USD Coin", version: "2", receiverAuthorizer: WALLETS.base, more: "x".repeat(90) };

test("there is room for one more way to pay: what a payment needs, and how a call is made, still fit", () => {
  const long: string[] = [];
  const unsaid: string[] = [];
  const { catalog, wallets } = node.node;
  const extras = [{ name: "USDC", version: "2" }, { feePayer: WALLETS.solana }, { feePayer: WALLETS.algorand }];
  const offers: Offer[] = [...wallets, ...wallets.slice(0, 1)].map(({ network, pay_to }, index) => ({
    network,
    pay_to,
    facilitators: [],
    fee_payers: [],
    extra: extras[index] ?? FURTHER_OFFER,
  }));
  const binding = createChallengeBinding([new Uint8Array(32)]);
  const issue = createMppIssuer({ binding, clock: { now: () => 0 }, realm: new URL(PUBLIC_URL).host });
  // The further offer is one of x402 alone.
  const mpp: MppIssuer = (requirements) => issue(requirements.slice(0, 1));
  for (const product of catalog.products) {
    const texts = { public_url: PUBLIC_URL, service_name: "intel-node", prepay_url: `${PUBLIC_URL}/buy-credits` };
    const challenge = renderChallenge(product, { ...texts, offers, sample: null, mpp });
    const beside = measureAuthenticate(challenge.mpp, { with_body: product.methods.includes("POST") });
    const bytes = challenge.header.length + beside + OTHER_FIELDS_BYTES;
    if (bytes > HEAD_BYTES_MAX) long.push(`${product.path} ${bytes}`);
    const { accepts, extensions } = JSON.parse(Buffer.from(challenge.header, "base64").toString());
    expect(accepts).toEqual(challenge.payment_required.accepts);
    if (extensions.bazaar === undefined) unsaid.push(product.path);
  }
  expect(long).toEqual([]);
  // Its parameters alone are too long for what is left; the body and the OpenAPI document have them.
  expect(unsaid).toEqual(["/agent-call"]);
});

test("so does the head of every paid answer", async () => {
  const long: string[] = [];
  for (const product of node.products) {
    const { status, headers } = await node.buy(product);
    const bytes = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 40);
    if (status === 200 && bytes + LIMIT_FIELDS.length >= HEAD_BYTES_MAX) long.push(`${product.path} ${bytes}`);
  }
  expect(long).toEqual([]);
});

test("every product, plans too, takes the reserved format=json, and refuses format=xml by its name", async () => {
  const wrong: string[] = [];
  const ask = (path: string, method = "GET") => fetch(`${node.url}${path}`, { method });
  for (const { path, methods } of node.node.catalog.products) {
    const [method] = methods;
    const json = await ask(`${path}?format=json`, method);
    await json.body?.cancel();
    const xml = await ask(`${path}?format=xml`, method);
    // The model's doors speak of errors as OpenAI's clients expect them: 400, and a body without our codes.
    const says = /"param":\s*"format"/.test(await xml.text());
    if (json.status !== 402 || ![400, 422].includes(xml.status) || !says) wrong.push(`${path} ${xml.status}`);
  }
  expect(wrong).toEqual([]);
});
