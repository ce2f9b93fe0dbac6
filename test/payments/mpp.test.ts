import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import { Challenge, Receipt } from "mppx";
import { encodeHeader } from "../../src/payments/codec.ts";
import { A2A_BUYERS, submit } from "../helpers/a2a-buyers.ts";
import { callTool } from "../helpers/mcp.ts";
import { type MoneyNode, type Reply, startMoneyNode } from "../helpers/money-node.ts";
import {
  createMppBuyer,
  decodeHeader,
  type MppBuyer,
  readCredential,
  toX402Payment,
  writeCredential,
} from "../helpers/mpp-buyers.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** Payments by MPP at the real gate: they are the same payments as by x402, and held to their challenge besides. */
let money: MoneyNode;
let buyer: MppBuyer;
let before = 0;
beforeAll(async () => {
  money = await startMoneyNode();
});
beforeEach(() => {
  buyer = createMppBuyer();
  before = money.settlements();
});
afterEach(() => {
  Object.assign(money.facilitator.script, { verify: forward, settle: forward });
});
afterAll(async () => {
  expect((await money.node.audit()).findings).toEqual([]);
  await money.stop();
});

const forward: Reply = (honest) => honest();
/** Transfers since the test began. */
const settled = (): number => money.settlements() - before;
const urlOf = (path: string): string => `${money.url}${path}`;
const send = (path: string, credential: string, init: RequestInit = {}) =>
  fetch(urlOf(path), { ...init, headers: { ...init.headers, Authorization: credential } });
const buy = async (path = "/one") => buyer.answer(await buyer.ask(urlOf(path)));

interface Problem {
  readonly type: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  readonly charged: boolean;
  readonly diagnostic: { readonly reason: string };
}

/** A refusal as the scheme wants it: 402, a fresh challenge, a problem of its types, and no receipt. */
async function expectRefused(response: Response, type: string, before?: string): Promise<Problem> {
  expect([response.status, response.headers.get("content-type")]).toEqual([402, "application/problem+json"]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.has("payment-receipt")).toBe(false);
  expect(response.headers.has("payment-required")).toBe(true);
  expect(Challenge.fromResponse(response).id).not.toBe(before);
  const problem = (await response.json()) as Problem;
  expect(problem).toMatchObject({ type: `https://paymentauth.org/problems/${type}`, status: 402, charged: false });
  expect(problem.title.length * problem.detail.length).toBeGreaterThan(0);
  return problem;
}

describe("a challenge", () => {
  test("says all that its drafts want, and nothing that a parser of another hand reads otherwise", async () => {
    const response = await fetch(urlOf("/one"));
    const [challenge, ...others] = Challenge.fromResponseList(response);
    const { accepts } = decodePaymentRequiredHeader(response.headers.get("payment-required") ?? "");
    const [base] = accepts;
    expect(others).toEqual([]);
    expect(challenge).toMatchObject({ realm: new URL(money.url).host, method: "evm", intent: "charge" });
    expect(challenge?.request).toEqual({
      amount: base?.amount,
      currency: base?.asset,
      methodDetails: { chainId: 84_532, credentialTypes: ["authorization"] },
      recipient: base?.payTo,
    });
    expect(challenge?.digest).toBeUndefined();
    expect(challenge?.header).toBeUndefined();
    expect(Date.parse(challenge?.expires ?? "") - money.clock.now()).toBeWithin(298_000, 300_001);
    // Canonical JSON in base64url without padding, as it goes into the id.
    const request = /request="([A-Za-z0-9_-]+)"/.exec(response.headers.get("www-authenticate") ?? "")?.[1] ?? "";
    expect(Challenge.serialize(challenge as Challenge.Challenge)).toContain(`request="${request}"`);
  });

  test("is never given out twice: what is signed for it takes its nonce from it", async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await buyer.ask(urlOf("/one"))).id));
    expect(new Set(ids).size).toBe(50);
  });

  test("names the digest of the body it was asked for with, and is good for this body alone", async () => {
    const post = (body: string) => ({ method: "POST", headers: { "content-type": "application/json" }, body });
    const asked = await buyer.ask(urlOf("/one"), post('{"q":"a"}'));
    expect(asked.digest).toBe(`sha-256=:${createHash("sha256").update('{"q":"a"}').digest("base64")}:`);
    const credential = await buyer.answer(asked);
    await expectRefused(await send("/one", credential, post('{"q": "a"}')), "invalid-challenge", asked.id);
    await expectRefused(await send("/one", credential, post('{"q":"b"}')), "invalid-challenge", asked.id);
    expect((await send("/one", credential, post('{"q":"a"}'))).status).toBe(200);
    expect(settled()).toBe(1);
  });

  test("asks for its credential beside an Authorization that is taken, and then in no other field", async () => {
    const own = { Authorization: "Bearer of-some-gateway" };
    const asked = await buyer.ask(urlOf("/one"), { headers: own });
    expect(asked.header).toBe("Payment-Authorization");
    const credential = await buyer.answer(asked);
    await expectRefused(await send("/one", credential), "invalid-challenge", asked.id);
    const paid = await fetch(urlOf("/one"), { headers: { ...own, "Payment-Authorization": credential } });
    expect([paid.status, paid.headers.get("cache-control")]).toEqual([200, "private"]);
    const usual = await buy();
    const wrong = await fetch(urlOf("/one"), { headers: { ...own, "Payment-Authorization": usual } });
    await expectRefused(wrong, "invalid-challenge");
    expect(settled()).toBe(1);
  });

  test("of a node is taken by another with its key, and by none with another", async () => {
    const credential = await buy();
    const stranger = await startMoneyNode();
    try {
      await expectRefused(
        await fetch(`${stranger.url}/one`, { headers: { Authorization: credential } }),
        "invalid-challenge",
      );
    } finally {
      await stranger.stop();
    }
    const sibling = await startMoneyNode("", undefined, { beside: money });
    try {
      const paid = await fetch(`${sibling.url}/one`, { headers: { Authorization: credential } });
      expect(paid.status).toBe(200);
    } finally {
      await sibling.stop();
    }
  });
});

type Decoded = ReturnType<typeof decodeHeader>;
const inRequest = (credential: Decoded, change: object) => {
  const request = JSON.parse(Buffer.from(credential.challenge.request ?? "", "base64url").toString());
  const changed = Buffer.from(JSON.stringify({ ...request, ...change })).toString("base64url");
  return { ...credential, challenge: { ...credential.challenge, request: changed } };
};
const inChallenge = (credential: Decoded, change: object) => ({
  ...credential,
  challenge: { ...credential.challenge, ...change },
});
const inPayload = (credential: Decoded, change: object) => ({
  ...credential,
  payload: { ...credential.payload, ...change },
});

/** What is done to a good credential, and the problem it makes. */
const FORGERIES: Readonly<Record<string, readonly [problem: string, forge: (credential: Decoded) => object]>> = {
  "an id of nobody": ["invalid-challenge", (good) => inChallenge(good, { id: "A".repeat(40) })],
  "an empty id": ["invalid-challenge", (good) => inChallenge(good, { id: "" })],
  "a lower amount": ["invalid-challenge", (good) => inRequest(good, { amount: "1" })],
  "another recipient": ["invalid-challenge", (good) => inRequest(good, { recipient: `0x${"11".repeat(20)}` })],
  "another currency": ["invalid-challenge", (good) => inRequest(good, { currency: `0x${"22".repeat(20)}` })],
  "a member more in the request": ["invalid-challenge", (good) => inRequest(good, { externalId: "1" })],
  "another realm": ["invalid-challenge", (good) => inChallenge(good, { realm: "elsewhere.example" })],
  "another method": ["invalid-challenge", (good) => inChallenge(good, { method: "tempo" })],
  "another intent": ["invalid-challenge", (good) => inChallenge(good, { intent: "session" })],
  "a later end": ["invalid-challenge", (good) => inChallenge(good, { expires: "2099-01-01T00:00:00Z" })],
  "a digest that was not asked for": ["invalid-challenge", (good) => inChallenge(good, { digest: "sha-256=:AA==:" })],
  "data of its own": ["invalid-challenge", (good) => inChallenge(good, { opaque: "e30" })],
  "another chain": ["verification-failed", (good) => inRequest(good, { methodDetails: { chainId: 1 } })],
  "a nonce that is not the challenge's": [
    "verification-failed",
    (good) => inPayload(good, { nonce: `0x${"33".repeat(32)}` }),
  ],
  "a lower value": ["verification-failed", (good) => inPayload(good, { value: "1" })],
  "a payee of its own": ["verification-failed", (good) => inPayload(good, { to: `0x${"44".repeat(20)}` })],
  "another payer": ["verification-failed", (good) => inPayload(good, { from: `0x${"55".repeat(20)}` })],
  "a later validBefore": ["verification-failed", (good) => inPayload(good, { validBefore: "9999999999" })],
  "somebody else's signature": [
    "verification-failed",
    (good) => inPayload(good, { signature: `0x${"66".repeat(64)}1b` }),
  ],
  "another kind of payment": ["malformed-credential", (good) => inPayload(good, { type: "hash" })],
  "a member more in the payload": ["malformed-credential", (good) => inPayload(good, { permit: {} })],
  "no payload": ["malformed-credential", ({ challenge }) => ({ challenge })],
  "no challenge": ["malformed-credential", ({ payload }) => ({ payload })],
};

describe("a credential", () => {
  test.each(Object.entries(FORGERIES))("with %s is refused, and nothing moves", async (_, [problem, forge]) => {
    const good = await buy();
    const { challenge } = decodeHeader(good);
    await expectRefused(await send("/one", writeCredential(forge(decodeHeader(good)))), problem, challenge.id);
    expect(settled()).toBe(0);
    expect((await send("/one", good)).status).toBe(200);
    expect(settled()).toBe(1);
  });

  test.each([
    ["that is no base64url", "Payment !!"],
    ["that is no JSON", "Payment bm90"],
    ["that is empty", "Payment"],
    ["that is too long", `Payment ${"A".repeat(13_000)}`],
  ])("%s is malformed", async (_, credential) => {
    await expectRefused(await send("/one", credential), "malformed-credential");
  });

  test("that comes twice in one call is malformed: which one was meant is not for the node to say", async () => {
    const headers = { Authorization: await buy(), "Payment-Authorization": await buy() };
    await expectRefused(await fetch(urlOf("/one"), { headers }), "malformed-credential");
    expect(settled()).toBe(0);
  });

  test("is over when its challenge is", async () => {
    const credential = await buy();
    money.clock.advance(301_000);
    await expectRefused(await send("/one", credential), "payment-expired");
    expect(settled()).toBe(0);
  });

  test.each([
    ["another product", "/two"],
    ["other parameters", "/one?q=b"],
    ["another view", "/one?view=brief"],
  ])("buys the call it was asked for, not %s", async (_, path) => {
    const credential = await buy("/one?q=a");
    await expectRefused(await send(path, credential), "invalid-challenge");
    expect((await send("/one?q=a", credential)).status).toBe(200);
    expect(settled()).toBe(1);
  });

  test("of an empty wallet is refused, and buys once there is money", async () => {
    money.facilitator.script.verify = () =>
      Response.json({ isValid: false, invalidReason: "invalid_exact_evm_insufficient_balance" });
    const credential = await buy();
    const problem = await expectRefused(await send("/one", credential), "verification-failed");
    expect(problem.code).toBe("insufficient_funds");
    money.facilitator.script.verify = (forward) => forward();
    expect((await send("/one", credential)).status).toBe(200);
  });
});

describe("no data, no charge", () => {
  test("a product that fails costs nothing, and the same credential buys it later", async () => {
    const credential = await buy();
    const { work } = money;
    const produce = work.produce;
    work.produce = async () => {
      throw new Error("the upstream is down");
    };
    const failed = await send("/one", credential);
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(failed.headers.has("payment-receipt")).toBe(false);
    expect(await failed.json()).toMatchObject({ charged: false });
    expect(settled()).toBe(0);
    work.produce = produce;
    expect((await send("/one", credential)).status).toBe(200);
    expect(settled()).toBe(1);
  });

  test("a settlement nobody knows of is 503, without a challenge that would have it paid twice", async () => {
    const credential = await buy();
    money.facilitator.script.settle = async (forward) => {
      await forward();
      return new Response("{{{");
    };
    const lost = await send("/one", credential);
    expect([lost.status, lost.headers.has("www-authenticate")]).toEqual([503, false]);
    money.clock.advance(60_000);
    await money.node.checkSettlements();
    const found = await send("/one", credential);
    expect(found.status).toBe(200);
    expect(Receipt.fromResponse(found)).toMatchObject({ status: "success", reference: expect.stringMatching(/^0x/) });
    expect(settled()).toBe(1);
  });
});

describe("one payment, whichever way it comes", () => {
  test("an answer that was lost is fetched again by the same credential, its challenge over by then", async () => {
    const credential = await buy();
    const first = await send("/one", credential);
    const bytes = await first.text();
    money.clock.advance(310_000);
    const again = await send("/one", credential);
    expect([again.status, again.headers.get("x-idempotent-replay"), await again.text()]).toEqual([200, "true", bytes]);
    expect(Receipt.fromResponse(again).reference).toBe(Receipt.fromResponse(first).reference);
    expect(settled()).toBe(1);
  });

  test("an authorization offered by x402, MPP, MCP and A2A at once is taken once", async () => {
    const [, [, startBuyer]] = A2A_BUYERS;
    const agent = await startBuyer(money.url, {});
    const task = await agent.send({ skill: "one" });
    const response = await fetch(urlOf("/one"));
    const [accepted] = decodePaymentRequiredHeader(response.headers.get("payment-required") ?? "").accepts;
    const header = await buyer.answer(Challenge.fromResponse(response));
    const payment = toX402Payment(header, accepted);
    const credential = readCredential(header);
    const [by_mpp, by_x402, by_tool, by_mpp_tool, by_task] = await Promise.all([
      send("/one", header),
      fetch(urlOf("/one"), { headers: { "PAYMENT-SIGNATURE": encodeHeader(payment) } }),
      callTool(money.url, "one", { meta: { "x402/payment": payment } }),
      callTool(money.url, "one", { meta: { "org.paymentauth/credential": credential } }),
      agent.send({ task: task.id, text: "Here it is.", metadata: submit(payment) }),
    ]);
    expect([by_mpp.status, by_x402.status, by_task.state]).toEqual([200, 200, "completed"]);
    const answers = [await by_mpp.json(), await by_x402.json(), by_task.data];
    for (const answer of [...answers, by_tool.structuredContent, by_mpp_tool.structuredContent]) {
      expect(answer).toEqual(answers[0]);
    }
    expect(settled()).toBe(1);
    expect(await money.node.audit()).toMatchObject({ findings: [] });
    const elsewhere = await fetch(urlOf("/two"), { headers: { "PAYMENT-SIGNATURE": encodeHeader(payment) } });
    expect(await elsewhere.json()).toMatchObject({ code: "payment_already_used" });
  });

  test("a signature for x402 does not answer a challenge", async () => {
    const { challenge, payload } = readCredential(await buy());
    const { payload: other } = readCredential(await buy());
    const mixed = { challenge: decodeHeader(await buyer.answer(challenge)).challenge, payload: other };
    expect(payload.nonce).not.toBe(other.nonce);
    await expectRefused(await send("/one", writeCredential(mixed)), "verification-failed");
  });

  test("keys come before signed payments, and x402 before MPP: what is not asked for stays unspent", async () => {
    const bought = await send("/buy-credits", await buy("/buy-credits"), {
      headers: { "Idempotency-Key": "a name that nobody guesses" },
    });
    const { api_key } = (await bought.json()) as { api_key: string };
    noteSecret(api_key);
    const credential = await buy();
    const keyed = await send("/one", credential, { headers: { "X-API-Key": api_key } });
    expect([keyed.status, keyed.headers.has("payment-receipt")]).toEqual([200, false]);
    expect(settled()).toBe(1);
    const other = createMppBuyer();
    const response = await fetch(urlOf("/one"));
    const [accepted] = decodePaymentRequiredHeader(response.headers.get("payment-required") ?? "").accepts;
    const payment = toX402Payment(await other.answer(Challenge.fromResponse(response)), accepted);
    const both = await send("/one", credential, { headers: { "PAYMENT-SIGNATURE": encodeHeader(payment) } });
    expect([both.status, both.headers.has("payment-response"), both.headers.has("payment-receipt")]).toEqual([
      200,
      true,
      false,
    ]);
    expect((await send("/one", credential)).status).toBe(200);
    expect(settled()).toBe(3);
  });
});

test("a caller with the credential learns the state of the payment", async () => {
  const credential = await buy();
  const answer = await (await send("/one", credential)).json();
  const { payload } = decodeHeader(credential);
  const { currency } = (await buyer.ask(urlOf("/one"))).request as { currency: string };
  const key = `evm:84532:${currency}:${payload.from}:${payload.nonce}`.toLowerCase();
  const told = await send(`/payments/${encodeURIComponent(key)}`, credential);
  expect(await told.json()).toMatchObject({ state: "settled", replay_key: key, answer });
  expect(told.headers.get("cache-control")).toMatch(/no-store|private/);
});

describe("over MCP", () => {
  const required = (result: Awaited<ReturnType<typeof callTool>>) =>
    result._meta?.["org.paymentauth/payment-required"] as {
      readonly challenges: readonly [Challenge.Challenge];
      readonly problem: Problem;
    };

  test("a credential is refused with a fresh challenge and the scheme's problem; the good one buys", async () => {
    const unpaid = await callTool(money.url, "one");
    const { challenges, problem } = required(unpaid);
    expect(problem.type).toBe("https://paymentauth.org/problems/payment-required");
    const credential = readCredential(await buyer.answer(challenges[0]));
    const forged = { ...credential, challenge: { ...credential.challenge, realm: "elsewhere.example" } };
    const refused = await callTool(money.url, "one", { meta: { "org.paymentauth/credential": forged } });
    expect(refused.isError).toBe(true);
    expect(required(refused).problem.type).toBe("https://paymentauth.org/problems/invalid-challenge");
    expect(required(refused).challenges[0].id).not.toBe(challenges[0].id);
    expect(refused._meta?.["org.paymentauth/receipt"]).toBeUndefined();
    const paid = await callTool(money.url, "one", { meta: { "org.paymentauth/credential": credential } });
    expect(paid._meta?.["org.paymentauth/receipt"]).toMatchObject({ status: "success", challengeId: challenges[0].id });
    expect(settled()).toBe(1);
  });

  test("a credential is found beside the parameters as well as among them", async () => {
    const { challenges } = required(await callTool(money.url, "one"));
    const credential = readCredential(await buyer.answer(challenges[0]));
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "one", arguments: {} } };
    const response = await fetch(urlOf("/mcp"), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ ...message, _meta: { "org.paymentauth/credential": credential } }),
    });
    expect(await response.json()).toMatchObject({ result: { structuredContent: { product: "one" } } });
  });
});
