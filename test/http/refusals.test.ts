import { afterAll, beforeAll, expect, test } from "bun:test";
import type { OperationName } from "../../src/admin/operations.ts";
import { askOperation } from "../../src/commands/ask-node.ts";
import { type ErrorCode, NodeError } from "../../src/core/errors.ts";
import { callTool } from "../helpers/mcp.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

/**
 * What anybody may see of a product's record, and what the operator is woken by: calls that were turned away before a
 * run began change none of it, for they cost their sender nothing.
 */
type Body = Record<string, unknown>;
type Headers = Record<string, string>;

let node: MoneyNode;
/** Of a payment for /one that nobody sent yet, and of one that paid for /two. */
let fresh: Headers;
let spent: Headers;
let revoked = "";
let limited = "";
let coupon = "";
let readings = 0;

const [base] = PAYERS;
const sign = async (path: string): Promise<Headers> => {
  if (!base) throw new Error("nobody pays");
  const url = `${node.url}${path}`;
  return payFor(url, await base.newPayer(url), 2);
};
const asJSON = { "content-type": "application/json" };
const ask = (operation: OperationName, parameters: Record<string, string> = {}) =>
  askOperation({ url: node.url, operator_token: node.node.operator_token }, operation, parameters);
const mint = async (key: string, limits: Body): Promise<Body> => {
  const init = { method: "POST", headers: { "x-api-key": key, ...asJSON }, body: JSON.stringify(limits) };
  return (await (await fetch(`${node.url}/keys`, init)).json()) as Body;
};

beforeAll(async () => {
  node = await startMoneyNode("[welcome]\nenabled = true\n");
  const plan = (await (await fetch(`${node.url}/buy-credits`, { headers: await sign("/buy-credits") })).json()) as Body;
  const key = String(plan.api_key);
  const child = await mint(key, {});
  revoked = String(child.api_key);
  await fetch(`${node.url}/keys/${child.key_id}`, { method: "DELETE", headers: { "x-api-key": key } });
  limited = String((await mint(key, { products: ["two"] })).api_key);
  coupon = String(((await (await fetch(`${node.url}/welcome`)).json()) as Body).coupon);
  expect((await fetch(`${node.url}/one`, { headers: { "x-coupon": coupon } })).status).toBe(200);
  spent = await sign("/two");
  expect((await fetch(`${node.url}/two`, { headers: spent })).status).toBe(200);
  fresh = await sign("/one");
});
afterAll(() => node.stop());

/** A payment with some of its members changed. */
function bend(headers: Headers, change: (payment: Body) => void): Headers {
  const [name = "", value = ""] = Object.entries(headers)[0] ?? [];
  const payment = JSON.parse(Buffer.from(value, "base64").toString("utf8")) as Body;
  change(payment);
  return { [name]: Buffer.from(JSON.stringify(payment)).toString("base64") };
}
const authorizationOf = (payment: Body) => (payment.payload as { authorization: Body }).authorization;

interface Refused {
  readonly headers?: Headers;
  readonly query?: string;
  readonly body?: string;
  readonly method?: string;
}
const REFUSED: readonly (readonly [string, ErrorCode, () => Refused])[] = [
  ["a junk payment", "invalid_payment", () => ({ headers: { "payment-signature": "junk" } })],
  ["a junk payment of version 1", "invalid_payment", () => ({ headers: { "x-payment": "junk" } })],
  ["a junk credential of MPP", "invalid_payment", () => ({ headers: { authorization: "Payment e30" } })],
  [
    "a signature of somebody else",
    "invalid_payment",
    () => ({
      headers: bend(fresh, ({ payload }) => Object.assign(payload as Body, { signature: `0x${"1".repeat(130)}` })),
    }),
  ],
  [
    "another amount",
    "amount_mismatch",
    () => ({ headers: bend(fresh, (payment) => Object.assign(authorizationOf(payment), { value: "1" })) }),
  ],
  [
    "a payment whose time is over",
    "payment_expired",
    () => ({ headers: bend(fresh, (payment) => Object.assign(authorizationOf(payment), { validBefore: "1" })) }),
  ],
  ["a payment that was spent", "payment_already_used", () => ({ headers: spent })],
  ["an unknown key", "invalid_api_key", () => ({ headers: { "x-api-key": `ink_${"0".repeat(43)}` } })],
  [
    "an unknown key as a token",
    "invalid_api_key",
    () => ({ headers: { authorization: `Bearer ink_${"0".repeat(43)}` } }),
  ],
  ["what is no key", "invalid_api_key", () => ({ headers: { "x-api-key": "no-key" } })],
  ["a revoked key", "api_key_revoked", () => ({ headers: { "x-api-key": revoked } })],
  ["a key for something else", "api_key_limit", () => ({ headers: { "x-api-key": limited } })],
  ["two keys", "invalid_parameter", () => ({ headers: { "x-api-key": revoked, authorization: `Bearer ${limited}` } })],
  ["a key in the URL", "invalid_parameter", () => ({ query: `?api_key=${limited}`, headers: fresh })],
  ["an unknown coupon", "invalid_coupon", () => ({ headers: { "x-coupon": "inc_none" } })],
  ["a spent coupon", "invalid_coupon", () => ({ headers: { "x-coupon": coupon } })],
  ["an unknown parameter", "unknown_parameter", () => ({ query: "?nothing=1", headers: fresh })],
  ["a parameter that is too long", "invalid_parameter", () => ({ query: `?q=${"x".repeat(101)}`, headers: fresh })],
  [
    "a body that is no JSON",
    "invalid_parameter",
    () => ({ method: "POST", body: "{", headers: { ...fresh, ...asJSON } }),
  ],
  [
    "a body of another kind",
    "unsupported_media_type",
    () => ({ method: "POST", body: "q=1", headers: { ...fresh, "content-type": "text/plain" } }),
  ],
  ["a method it does not take", "method_not_allowed", () => ({ method: "DELETE", headers: fresh })],
];

/** Of the days that have any: a reading may be of the next day, which has none. */
const countsOf = (days: readonly Body[], name: "answered" | "failed"): readonly unknown[] =>
  days.map((day) => day[name]).filter((count) => count !== 0);

/** Everything that is made of a product's runs, wherever it is shown. */
async function readRecord() {
  // Readings of the past are kept for a minute. Payments are signed by the clock of their buyers, which stands.
  const now_ms = node.clock.now();
  readings += 1;
  node.clock.set(now_ms + readings * 61_000);
  await ask("run_job", { job: "status-samples" });
  await node.node.checkState();
  await node.node.checkAlerts();
  const get = async (path: string, headers: Headers = {}) => (await fetch(`${node.url}${path}`, { headers })).text();
  const live = JSON.parse(await get("/live")) as Body & { requests_24h: Body; products: Body[]; networks: Body[] };
  const status = JSON.parse(await get("/status")) as Body & { days: Body[]; incidents: Body[] };
  const page = await get("/p/one", { accept: "text/html" });
  const overview = (await ask("overview")) as Body & { last_24h: Body };
  const products = (await ask("products")) as { items: Body[] };
  const metrics = await (
    await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${node.node.operator_token}` } })
  ).text();
  node.clock.set(now_ms);
  const { challenges, paid, errors_5xx } = live.requests_24h;
  const one = products.items.find(({ path }) => path === "/one");
  return {
    live: { challenges, paid, errors_5xx, latency_ms: live.latency_ms },
    products: live.products.map(({ path, ok }) => [path, ok]),
    networks: live.networks.map(({ network, ok }) => [network, ok]),
    status: { ok: status.ok, incidents: status.incidents, failed: countsOf(status.days, "failed") },
    answered: countsOf(status.days, "answered"),
    // How long ago it last answered is no part of what is compared.
    page: /Runs of \d+ days[\s\S]*?<\/section>/.exec(page)?.[0],
    overview: [overview.status, overview.uncharged_failures, overview.latency_ms, overview.open_alerts],
    product: [one?.ok, one?.challenges, one?.paid, one?.conversion, one?.failures, one?.off_sale],
    metrics: metrics
      .split("\n")
      .filter((line) => /^intel_node_(uncharged_failures|challenges|paid_calls|state)/.test(line)),
  };
}

const refusals = async (): Promise<number> => {
  const { refusals: by_code } = (await ask("overview")) as { refusals: Record<string, number> };
  return Object.values(by_code).reduce((sum, count) => sum + count, 0);
};

test.each(REFUSED)("%s (%s) changes no product's record", async (_what, code, create) => {
  const before = await readRecord();
  const { headers = {}, query = "", method = "GET", body } = create();
  const codes = new Set<string>();
  for (let index = 0; index < 8; index += 1) {
    const response = await fetch(`${node.url}/one${query}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    codes.add(String(((await response.json()) as Body).code));
  }
  expect([...codes]).toEqual([code]);
  expect(await readRecord()).toEqual(before);
});

test("a tool called with junk changes no record either, and every refusal is counted as one", async () => {
  const before = await readRecord();
  const refused = await refusals();
  for (let index = 0; index < 8; index += 1) {
    const result = await callTool(node.url, "one", { meta: { "x402/payment": `junk${index}` } });
    expect(result.isError).toBe(true);
  }
  expect(await readRecord()).toEqual(before);
  expect(await refusals()).toBe(refused + 8);
});

test("a request for what does not exist is no error of the node", async () => {
  node.work.produce = () => Promise.reject(new NodeError("subject_not_found", "of a test"));
  const before = await readRecord();
  expect((await fetch(`${node.url}/one?q=none`, { headers: fresh })).status).toBe(404);
  expect(await readRecord()).toEqual(before);
});

test("a run that failed is on the record", async () => {
  node.work.produce = () => Promise.reject(new Error("of a test"));
  const before = await readRecord();
  expect((await fetch(`${node.url}/one`, { headers: fresh })).status).toBe(503);
  const after = await readRecord();
  expect(after.status.failed.at(-1)).toBe(Number(before.status.failed.at(-1) ?? 0) + 1);
  expect(after.page).not.toBe(before.page);
  expect([after.live.errors_5xx, after.overview[1]]).toEqual([1, { product_failed: 1 }]);
});
