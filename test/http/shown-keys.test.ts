import { afterAll, beforeAll, expect, test } from "bun:test";
import { callTool, payTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, type Payer, payFor } from "../helpers/payers.ts";

type Body = Record<string, unknown>;

const UNKNOWN = `ink_${"0".repeat(43)}`;
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
/** Every usual way to send a key in headers. */
const WAYS: readonly (readonly [string, (key: string) => string])[] = [
  ["Authorization", (key) => `Bearer ${key}`],
  ["Authorization", (key) => key],
  ["Authorization", (key) => basic(`${key}:`)],
  ["Authorization", (key) => basic(`buyer:${key}`)],
  ["X-API-Key", (key) => key],
  ["api-key", (key) => key],
  ["x-goog-api-key", (key) => key],
];

let node: MoneyNode;
let payer: Payer;
let wallet: Record<string, string>;
let key = "";

beforeAll(async () => {
  node = await startMoneyNode();
  const [first] = PAYERS;
  if (!first) throw new Error("nobody pays");
  payer = await first.newPayer(node.url);
  key = await buyKey();
  // Signed once: it is never taken while a key is shown.
  wallet = await payFor(`${node.url}/one`, payer, 2);
});
afterAll(() => node.stop());

async function buyKey(): Promise<string> {
  // The same wallet buys the same thing again, and means it.
  const headers = { ...(await payFor(`${node.url}/buy-credits`, payer, 2)), "X-Allow-Duplicate": "true" };
  const bought = await fetch(`${node.url}/buy-credits`, { headers });
  return String(((await bought.json()) as Body).api_key);
}

/** Calls a product; what it charges to wallets is counted beside. */
async function call(path: string, headers: Record<string, string>, body?: unknown) {
  const before = node.settlements();
  const init =
    body === undefined
      ? { headers }
      : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`${node.url}${path}`, init);
  const text = await response.text();
  return { status: response.status, text, headers: response.headers, wallet_charges: node.settlements() - before };
}

test.each(WAYS)("a key in %s is a key at every door (%#)", async (name, write) => {
  const parent = { [name]: write(key) };
  const minted = JSON.parse((await call("/keys", parent, { daily_cap_atomic: "10000" })).text) as Body;
  const headers = { [name]: write(String(minted.api_key)) };
  const free = [
    await call("/credits-status", headers),
    await call("/statement", headers),
    await call("/keys", headers),
  ];
  expect(free.map(({ status }) => status)).toEqual([200, 200, 200]);
  // It may spend one call a day. The wallet that is shown too is not touched, before that and after.
  const paid = await call("/one", { ...wallet, ...headers });
  expect([paid.status, paid.wallet_charges]).toEqual([200, 0]);
  expect(paid.headers.get("x-credits-remaining")).toMatch(/^\d/);
  const found = await call(`/payments/${paid.headers.get("x-receipt-id")}`, headers);
  expect([found.status, JSON.parse(found.text).product]).toEqual([200, "one"]);
  const spent = await call("/one", { ...wallet, ...headers });
  expect([spent.status, JSON.parse(spent.text).code, spent.wallet_charges]).toEqual([402, "api_key_limit", 0]);
  const revoked = await fetch(`${node.url}/keys/${minted.key_id}`, { method: "DELETE", headers: parent });
  expect(revoked.status).toBe(200);
  const gone = await call("/one", { ...wallet, ...headers });
  expect([gone.status, JSON.parse(gone.text).code, gone.wallet_charges]).toEqual([402, "api_key_revoked", 0]);
});

test.each(WAYS)(
  "an unknown key in %s is refused by name at every door, and no wallet pays (%#)",
  async (name, write) => {
    const headers = { [name]: write(UNKNOWN) };
    for (const body of [undefined, {}]) {
      const refused = await call("/one", { ...wallet, ...headers }, body);
      expect([refused.status, refused.wallet_charges]).toEqual([402, 0]);
      expect(JSON.parse(refused.text)).toMatchObject({ code: "invalid_api_key", charged: false });
      expect(refused.text).not.toContain(UNKNOWN);
    }
    const plan = await call("/buy-credits", { ...(await payFor(`${node.url}/buy-credits`, payer, 2)), ...headers });
    expect([plan.status, JSON.parse(plan.text).code, plan.wallet_charges]).toEqual([402, "invalid_api_key", 0]);
    const before = node.settlements();
    const tool = await callTool(node.url, "one", {
      headers,
      meta: { "x402/payment": await payTool(node.url, "one", payer) },
    });
    expect(tool.structuredContent).toMatchObject({ code: "invalid_api_key" });
    expect(await sendTask(headers, { skill: "one" })).toContain("invalid_api_key");
    expect(node.settlements()).toBe(before);
  },
);

/** A message to the A2A door that asks for a skill. */
async function sendTask(headers: Record<string, string>, data: unknown): Promise<string> {
  const message = { messageId: crypto.randomUUID(), role: "user", parts: [{ kind: "data", data }] };
  const body = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
  return (await call("/a2a", headers, body)).text;
}

test("a key in the URL, a cookie or the body refuses the call and says where keys go; no wallet pays", async () => {
  const misplaced = [
    await call(`/one?api_key=${key}`, wallet),
    await call(`/one?key=${key}`, wallet),
    await call(`/one?api_key=${key}`, wallet, {}),
    await call("/one", { ...wallet, cookie: `api_key=${key}` }),
    await call("/one", wallet, { api_key: key }),
    await call("/one", wallet, { q: key }),
    await call(`/credits-status?api_key=${key}`, {}),
    await call(`/no-such-path?api_key=${key}`, wallet),
  ];
  for (const { status, text, wallet_charges } of misplaced) {
    expect([status, wallet_charges]).toEqual([422, 0]);
    expect(JSON.parse(text)).toMatchObject({ code: "invalid_parameter", charged: false });
    expect(text).toContain("X-API-Key");
    expect(text).not.toContain(key);
  }
  expect((await call(`/credits-status?key=${key}`, {})).status).toBe(200);
  const tool = await callTool(node.url, "one", {
    args: { api_key: key },
    meta: { "x402/payment": await payTool(node.url, "one", payer) },
  });
  expect(JSON.stringify(tool)).toContain("X-API-Key");
  expect(JSON.stringify(tool)).not.toContain(key);
  const task = await sendTask({}, { skill: "one", params: { api_key: key } });
  expect(task).toContain("X-API-Key");
  expect(task).not.toContain(key);
});

test("two different keys in one call are refused, wherever they stand", async () => {
  const other = await buyKey();
  const twice: readonly Record<string, string>[] = [
    { "x-api-key": key, authorization: `Bearer ${other}` },
    { "api-key": key, authorization: basic(`${other}:`) },
  ];
  for (const headers of twice) {
    const refused = await call("/one", { ...wallet, ...headers });
    expect([refused.status, refused.wallet_charges]).toEqual([422, 0]);
    expect(refused.text).toContain("two different API keys");
  }
  const mixed = await call(`/credits-status?key=${key}`, { "x-api-key": other });
  expect([mixed.status, mixed.text.includes("two different API keys")]).toEqual([422, true]);
});

test("a foreign key leaves the wallet to pay, as before", async () => {
  const url = `${node.url}/one`;
  for (const authorization of ["Bearer sk-not-ours", basic("user:password")]) {
    const headers = { ...(await payFor(url, payer, 2)), "X-Allow-Duplicate": "true", authorization };
    const paid = await call("/one", headers);
    expect([paid.status, paid.wallet_charges]).toEqual([200, 1]);
  }
});
