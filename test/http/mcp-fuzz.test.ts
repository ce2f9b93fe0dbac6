import { afterAll, beforeAll, expect, test } from "bun:test";
import { payTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS } from "../helpers/payers.ts";
import { TEST_SEED } from "../helpers/seed.ts";
import { createRandom, type Random } from "./mutations.ts";

/** Messages that are almost right, or nothing like it: none may be answered with a server error or move money. */
const MESSAGES = process.env.TEST_LONG === "1" ? 50_000 : 5_000;
const WORKERS = 16;
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "org.x402/payment": {} } },
};
const METHODS = ["tools/call", "tools/list", "initialize", "ping", "server/discover", "notifications/cancelled", "x"];
const NAMES = ["one", "two", "buy_credits", "get_pricing", "search_products", "__proto__", "constructor", ""];
const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);

let money: MoneyNode;
let payment: Record<string, unknown>;
beforeAll(async () => {
  money = await startMoneyNode();
  const payer = await PAYERS[0]?.newPayer(money.url);
  if (!payer) throw new Error("nobody pays");
  const signed = await payTool(money.url, "one", payer);
  // Signed for nobody: a payment that can be read, and can never move money.
  payment = { ...signed, payload: { ...(signed.payload as object), signature: `0x${"11".repeat(65)}` } };
});
afterAll(() => money.stop());

function makeValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 8 : 11);
  const scalars = [null, true, 0, -1e308, "", "\u0000", "x".repeat(3_000), "жетон", "\ud800"];
  if (kind < 8) return random.pick(scalars);
  if (kind === 8) return Array.from({ length: 3 }, () => makeValue(random, depth + 1));
  const names = ["q", "preview", "__proto__", "x402/payment", "accepted", "payload", "extensions", "id", "jsonrpc"];
  return Object.fromEntries([1, 2, 3].map(() => [random.pick(names), makeValue(random, depth + 1)]));
}

/** A member is left out, kept or replaced. */
function mutate(random: Random, value: unknown): unknown {
  if (random.chance(0.03)) return makeValue(random);
  if (Array.isArray(value)) return value.map((one) => mutate(random, one));
  if (typeof value !== "object" || value === null) return random.chance(0.03) ? makeValue(random) : value;
  const kept = Object.entries(value).filter(() => random.chance(0.97));
  return Object.fromEntries(kept.map(([name, one]) => [name, mutate(random, one)]));
}

function makeMessage(random: Random): string {
  const meta = {
    ...(random.chance(0.5) ? META : {}),
    ...(random.chance(0.5) ? { "x402/payment": payment } : {}),
    ...(random.chance(0.3) ? { "x402/idempotency-key": makeValue(random) } : {}),
  };
  const args = random.chance(0.5) ? { q: makeValue(random) } : { preview: makeValue(random), query: makeValue(random) };
  const params = { name: random.pick(NAMES), arguments: args, _meta: meta };
  const text = JSON.stringify(mutate(random, { jsonrpc: "2.0", id: 1, method: random.pick(METHODS), params })) ?? "";
  const cut = random.chance(0.05) ? text.slice(0, random.below(text.length)) : text;
  return random.chance(0.05) ? cut.replace(/"/, random.pick(["'", "\\", "\u0007", '""'])) : cut;
}

async function post(body: string, random: Random) {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (random.chance(0.5)) headers["mcp-protocol-version"] = random.pick(["2026-07-28", "2025-11-25", "9"]);
  if (random.chance(0.5)) headers["mcp-method"] = random.pick(METHODS);
  if (random.chance(0.5)) headers["mcp-name"] = random.pick(["one", "=?base64?b25l?=", "=?base64?!?=", "buy_credits"]);
  if (random.chance(0.1)) headers["payment-signature"] = random.pick(["", "e30=", "x".repeat(9_000)]);
  if (random.chance(0.1)) headers.authorization = random.pick(["Bearer ink_x", "Basic eA==", "Bearer"]);
  const response = await fetch(`${money.url}/mcp`, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}

const FINE = [200, 202, 400, 404];
const isFine = ({ status, text }: { status: number; text: string }): boolean => {
  if (!FINE.includes(status)) return false;
  if (status === 202) return text === "";
  const body = JSON.parse(text);
  const { code } = body.result?.structuredContent ?? {};
  return body.jsonrpc === "2.0" && code !== "internal_error" && "result" in body !== "error" in body;
};

test(`${MESSAGES} messages from seed ${TEST_SEED} are all answered, and nothing moves`, async () => {
  const found: string[] = [];
  const worker = async (number: number) => {
    const random = createRandom(TEST_SEED + number);
    for (let sent = 0; sent < MESSAGES / WORKERS; sent += 1) {
      const body = makeMessage(random);
      const answer = await post(body, random);
      if (!isFine(answer)) found.push(`${answer.status} ${body.slice(0, 2_000)} ${answer.text.slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number)));
  expect(found.slice(0, 5)).toEqual([]);
  expect(money.settlements()).toBe(0);
});

const LISTS = deep(60_000, "[", "]");
const callWith = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one",${params}}}`;

test.each([
  ["lists", LISTS],
  ["objects", `${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`],
  ["a payment", callWith(`"_meta":{"x402/payment":${LISTS}}`)],
  [
    "a named payment's extensions",
    callWith(`"_meta":{"x402/idempotency-key":"0123456789abcdef","x402/payment":{"extensions":${LISTS}}}`),
  ],
  ["arguments", callWith(`"arguments":{"q":${LISTS}}`)],
  ["an id", `{"jsonrpc":"2.0","id":${LISTS},"method":"ping"}`],
])("%s nested very deep: no harm", async (_, body) => {
  const answer = await post(body, createRandom(1));
  expect(isFine(answer)).toBe(true);
});
