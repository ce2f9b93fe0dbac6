import { afterAll, beforeAll, expect, setSystemTime, test } from "bun:test";
import { readFileSync } from "node:fs";
import { BINARY, cleanUp, type DemoNode, newPayer, signFor, waitForPast } from "../helpers/demo-node.ts";
import { repeat } from "../helpers/effort.ts";
import { TEST_SEED } from "../helpers/seed.ts";
import { startEchoDemo } from "./echo-plugin.ts";
import { createRandom, makeBody, makeQuery, mutateHeader, type Random } from "./mutations.ts";

/**
 * Thousands of requests that are almost right: none may be answered with a server error, move money, break the books or
 * make the node grow.
 */
const REQUESTS = repeat({ quick: 6_000, full: 30_000, long: 300_000 });
const WORKERS = 32;
/** Measured are up to 42 MB, of answers kept for 80 products; requests that were kept would come to hundreds. */
const GROWTH_KB_MAX = 65_536;
const SHOWN_MAX = 10;
const PRODUCTS = ["/fear-greed", "/pyth-price", "/oracle-consensus", "/mempool", "/echo"] as const;
const OTHERS = ["/receipts", "/receipts/x", "/get-pricing", "/sample", "/live", "/healthz", "/nothing", "/", "/a%2f"];
const METHODS = ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "POST"] as const;
const KEYS = ["", "in_", "in_x_y", "ink_0000000000000000", "Bearer x", "'--", "a".repeat(5_000), "__proto__"];
const HOUR_MS = 3_600_000;

interface Finding {
  readonly number: number;
  readonly what: string;
}

let node: DemoNode;
/** Payments that can never move money again, or never could. */
let payments: string[] = [];

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value), "utf8").toString("base64");

interface Decoded {
  readonly accepted: Readonly<Record<string, unknown>>;
  readonly payload: { readonly signature: string };
}
const decode = (header: string): Decoded => JSON.parse(Buffer.from(header, "base64").toString("utf8"));

/** The same payment with a signature that is nobody's. */
function forge(header: string): string {
  const payment = decode(header);
  const { signature } = payment.payload;
  const digit = signature[20] === "a" ? "b" : "a";
  return encode({
    ...payment,
    payload: { ...payment.payload, signature: signature.slice(0, 20) + digit + signature.slice(21) },
  });
}

/** The same payment as version 1 clients send it. */
function toV1(header: string): string {
  const { payload } = decode(header);
  return encode({ x402Version: 1, scheme: "exact", network: "base-sepolia", payload });
}

/** Signed two hours ago, so that its time is over. */
async function signExpired(path: string): Promise<string> {
  setSystemTime(new Date(Date.now() - 2 * HOUR_MS));
  try {
    return await signFor(node, path);
  } finally {
    setSystemTime();
  }
}

async function makePayments(): Promise<string[]> {
  const made: string[] = [];
  for (const path of PRODUCTS) {
    const spent = await signFor(node, path, newPayer());
    const query = path === "/echo" ? "?text=a" : "";
    const sold = await node.get(`${path}${query}`, { "PAYMENT-SIGNATURE": spent });
    if (sold.status !== 200) throw new Error(`${path} could not be bought: ${await sold.text()}`);
    made.push(spent, toV1(spent), forge(await signFor(node, path)), await signExpired(path));
  }
  return made;
}

beforeAll(async () => {
  node = await startEchoDemo({ history: true });
  // Living the past takes memory that no request has to answer for, and previews are refused until it is over.
  await waitForPast(node);
  payments = await makePayments();
});
afterAll(async () => {
  setSystemTime();
  await cleanUp();
});

const countSettleCalls = async () => Number((await node.control("/facilitator")).settle_calls);

function makeHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  if (random.chance(0.6)) headers["PAYMENT-SIGNATURE"] = mutateHeader(random.pick(payments), random);
  if (random.chance(0.3)) headers["X-PAYMENT"] = mutateHeader(random.pick(payments), random);
  if (random.chance(0.1)) headers["X-API-Key"] = random.pick(KEYS);
  if (random.chance(0.1)) headers["X-Coupon"] = random.pick(KEYS);
  if (random.chance(0.1)) headers["If-None-Match"] = random.pick(KEYS);
  if (random.chance(0.5))
    headers["content-type"] = random.pick(["application/json", "text/plain", "a/b+json", ";", "{"]);
  return headers;
}

/** Sends one mutated request; what is wrong with the answer, or null. */
async function sendOne(number: number): Promise<string | null> {
  const random = createRandom(TEST_SEED + number * 7_919);
  const path = random.chance(0.9) ? random.pick(PRODUCTS) : random.pick(OTHERS);
  const usual = path === "/echo" && random.chance(0.7) ? "POST" : "GET";
  const method = random.chance(0.9) ? usual : random.pick(METHODS);
  const target = `${path}${random.chance(usual === "POST" ? 0.05 : 0.2) ? makeQuery(random) : ""}`;
  const takes_body = method === "POST" || method === "PUT" || method === "PATCH";
  const headers = makeHeaders(random);
  const response = await fetch(`${node.url}${target}`, {
    method,
    headers,
    redirect: "manual",
    ...(takes_body ? { body: makeBody(random) } : {}),
  });
  const text = await response.text();
  const { status } = response;
  const paid = response.headers.has("x-receipt-id");
  const asked = `${method} ${target.slice(0, 100)} ${JSON.stringify(headers).slice(0, 300)}`;
  const shown = `${asked}: ${status} ${text.slice(0, 300)}`;
  // Nothing can be prepared for a product that cannot do without parameters.
  if (path === "/echo" && text.includes('"code":"preview_not_ready"')) return null;
  if (status >= 500 || status === 429) return shown;
  if (paid && response.headers.get("x-idempotent-replay") !== "true") return `sold: ${shown}`;
  if (status === 200 && !paid && PRODUCTS.some((one) => one === path) && !text.includes('"delayed":true')) {
    return method === "HEAD" ? null : `given away: ${shown}`;
  }
  return null;
}

async function run(from: number, to: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  let next = from;
  const work = async () => {
    while (next < to) {
      const number = next;
      next += 1;
      const what = await sendOne(number).catch((error: unknown) => `no answer: ${String(error)}`);
      if (what !== null) findings.push({ number, what });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return findings;
}

/** Resident memory of the node, kB; null where the system does not tell. */
function readMemory(): number | null {
  if (process.platform !== "linux") return null;
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${node.pid}/status`, "utf8"));
  return found ? Number(found[1]) : null;
}

test(`${REQUESTS} mutated requests are all answered, cost nothing and leave nothing behind`, async () => {
  console.error(`fuzz: TEST_SEED=${TEST_SEED}`);
  const before = { settle_calls: await countSettleCalls(), receipts: await countReceipts() };
  const warm_up = Math.floor(REQUESTS / 3);
  const findings = await run(0, warm_up);
  const warm_kb = readMemory();
  findings.push(...(await run(warm_up, REQUESTS)));
  const end_kb = readMemory();
  expect(findings.slice(0, SHOWN_MAX)).toEqual([]);
  expect({ settle_calls: await countSettleCalls(), receipts: await countReceipts() }).toEqual(before);
  if (warm_kb !== null && end_kb !== null) expect(end_kb - warm_kb).toBeLessThan(GROWTH_KB_MAX);
  expect(node.log()).not.toMatch(/"event":"(unexpected|invariant)"/);
});

async function countReceipts(): Promise<number> {
  const { totals } = (await (await node.get("/receipts")).json()) as { totals: Record<string, { count: number }> };
  return Object.values(totals).reduce((sum, { count }) => sum + count, 0);
}

/** What the signed part of a payment may not be, whatever the rest looks like. */
const UNREADABLE: Readonly<Record<string, string>> = {
  "half a character": '"\\ud800"',
  "a null character": '"\\u0000"',
  "a number": "1",
  "a number without end": "1e999",
  "a list": '["0x00"]',
  "an object posing as a text": '{"toString":1,"valueOf":1}',
  "2,000 lists": `${"[".repeat(2_000)}${"]".repeat(2_000)}`,
};
const SIGNED = ["from", "to", "value", "validAfter", "validBefore", "nonce"] as const;

test.each(Object.keys(UNREADABLE))("a payment that has %s in its signed part is refused with 402", async (what) => {
  const genuine = await signFor(node, "/mempool");
  const before = await countSettleCalls();
  for (const name of SIGNED) {
    for (const header of [genuine, toV1(genuine)]) {
      const text = Buffer.from(header, "base64").toString("utf8");
      const broken = text.replace(new RegExp(`"${name}":"[^"]*"`), () => `"${name}":${UNREADABLE[what]}`);
      expect(broken).not.toBe(text);
      const sent = { "PAYMENT-SIGNATURE": Buffer.from(broken, "utf8").toString("base64") };
      const response = await node.get("/mempool", sent);
      expect({ name, status: response.status }).toEqual({ name, status: 402 });
      const { code } = (await response.json()) as { code: string };
      expect(["invalid_payment", "amount_mismatch", "payment_expired"]).toContain(code);
    }
  }
  expect(await countSettleCalls()).toBe(before);
});

test("the books are clean after it", async () => {
  const audit = Bun.spawn([BINARY, "ledger", "audit", "--data", node.data, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const report = JSON.parse(await new Response(audit.stdout).text());
  expect(report.findings).toEqual([]);
  expect(report.ok).toBe(true);
  expect(await audit.exited).toBe(0);
});

test("an honest buyer still buys after it", async () => {
  const before = await countSettleCalls();
  const response = await node.get("/mempool", { "PAYMENT-SIGNATURE": await signFor(node, "/mempool") });
  expect(response.status).toBe(200);
  expect(await countSettleCalls()).toBe(before + 1);
});
