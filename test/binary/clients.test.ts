import { afterAll, expect, test } from "bun:test";
import { decodePaymentResponseHeader } from "@x402/core/http";
import { auditOf, readChain, settleCalls, settlementsOf, signAhead } from "../helpers/demo-books.ts";
import {
  cleanUp,
  type DemoNode,
  newPayer,
  payingFetch,
  payingFetchV1,
  signFor,
  startDemo,
  waitForPast,
} from "../helpers/demo-node.ts";
import { EFFORT } from "../helpers/effort.ts";

afterAll(cleanUp);

const PATH = "/pyth-price";
const STARTING_ATOMIC = 100_000_000n;
const buy = (node: DemoNode, header: string, path = PATH) => node.get(path, { "PAYMENT-SIGNATURE": header });
/** Sends the same payment until the node has a word for it; bounded by the test's time limit. */
async function fetchAnswer(node: DemoNode, header: string): Promise<Response> {
  for (;;) {
    const answer = await buy(node, header);
    if (answer.status !== 503) return answer;
    await answer.text();
    await Bun.sleep(50);
  }
}

/**
 * Versions of the clients that buy a product. The version 1 client spends 0.1 USDC at most unless it is told otherwise.
 * With quick counts they take turns: what differs between them is the same for every product.
 */
function clientsFor(index: number, price_atomic: bigint): readonly (1 | 2)[] {
  if (price_atomic > 100_000n) return [2];
  if (EFFORT !== "quick") return [1, 2];
  return index % 2 === 0 ? [1] : [2];
}

let shared: Promise<DemoNode> | undefined;
/** A node for tests that neither end it nor move its clock far, and look at their own payer alone. */
function shareNode(): Promise<DemoNode> {
  shared ??= startDemo({ domains: ["crypto-market"] });
  return shared;
}
const countReceipts = async (node: DemoNode): Promise<number> => {
  const { totals } = (await (await node.get("/receipts")).json()) as { totals: Record<string, { count: number }> };
  return Object.values(totals).reduce((sum, { count }) => sum + count, 0);
};

/** The example call that the 402 of a product publishes. */
async function readExample(node: DemoNode, path: string): Promise<URLSearchParams> {
  const header = (await node.get(path)).headers.get("PAYMENT-REQUIRED") ?? "";
  const { extensions } = JSON.parse(Buffer.from(header, "base64").toString()) as {
    extensions: { bazaar: { info: { input: { queryParams?: Record<string, unknown> } } } };
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(extensions.bazaar.info.input.queryParams ?? {})) {
    query.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return query;
}

test("everything /get-pricing lists is sold to both official clients at its price, to the last atom", async () => {
  const node = await startDemo({ history: true });
  await waitForPast(node);
  const { products, networks } = (await (await node.get("/get-pricing")).json()) as {
    products: { path: string; product: string; price_atomic: string; category: string; method: string }[];
    networks: { network: string; pay_to: string }[];
  };
  // Plans cost more than these clients spend without being told to; they are bought in test/http/purchases.test.ts.
  // What takes POST alone is bought by the clients it is made for, in src/plugins/ai/chat-completions.
  const calls = products.filter(({ category, method }) => category !== "plans" && method === "GET");
  const paths = ["/bootstrap-trust", "/fear-greed", "/mempool", "/oracle-consensus", "/pyth-price"];
  expect(calls.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
  let earned = 0n;
  let receipts = 0;
  for (const [index, { path, product, price_atomic }] of calls.entries()) {
    for (const version of clientsFor(index, BigInt(price_atomic))) {
      const account = newPayer();
      const paying = version === 1 ? payingFetchV1(account) : payingFetch(account);
      const query = await readExample(node, path);
      if (version === 1) query.set("x402Version", "1");
      const answer = await paying(`${node.url}${path}?${query}`);
      expect({ path, version, status: answer.status }).toEqual({ path, version, status: 200 });
      const told = answer.headers.get(version === 1 ? "X-PAYMENT-RESPONSE" : "PAYMENT-RESPONSE") ?? "";
      const { success, transaction } = decodePaymentResponseHeader(told);
      expect(success).toBe(true);
      const moved = await settlementsOf(node, account.address);
      expect(moved).toMatchObject([{ amount_atomic: price_atomic, transaction }]);
      const id = answer.headers.get("X-Receipt-Id");
      const wanted = { id, product, amount_atomic: price_atomic, transaction, payer: account.address.toLowerCase() };
      expect(await (await node.get(`/receipts/${id}`)).json()).toMatchObject(wanted);
      expect(((await (await node.get("/receipts")).json()) as { items: unknown[] }).items[0]).toMatchObject(wanted);
      earned += BigInt(price_atomic);
      receipts += 1;
      const { balances } = await readChain(node);
      const [network] = networks;
      const held = balances[network?.network ?? ""] ?? {};
      expect(held[account.address.toLowerCase()]).toBe(String(STARTING_ATOMIC - BigInt(price_atomic)));
      expect(held[network?.pay_to.toLowerCase() ?? ""]).toBe(String(earned));
    }
  }
  expect(auditOf(node)).toMatchObject({ code: 0, report: { ok: true, receipts } });
});

test("a payment for one query buys no other query of the same product", async () => {
  const node = await shareNode();
  const account = newPayer();
  const header = await signFor(node, "/oracle-consensus?symbol=BTC", account);
  const first = await buy(node, header, "/oracle-consensus?symbol=BTC");
  const body = await first.text();
  expect(first.status).toBe(200);
  const other = await buy(node, header, "/oracle-consensus?symbol=ETH");
  expect(other.status).toBe(402);
  expect(await other.json()).toMatchObject({ code: "payment_already_used", charged: false });
  const again = await buy(node, header, "/oracle-consensus?symbol=BTC");
  expect({ status: again.status, body: await again.text() }).toEqual({ status: 200, body });
  expect(again.headers.get("X-Idempotent-Replay")).toBe("true");
  expect(await settlementsOf(node, account.address)).toHaveLength(1);
});

/** 20 copies of one payment are on their way when the node dies; resolves when it is dead. */
async function killWhileSettling(node: DemoNode, header: string, reached: () => Promise<boolean>): Promise<void> {
  const lost = Promise.allSettled(Array.from({ length: 20 }, () => buy(node, header)));
  while (!(await reached())) await Bun.sleep(5);
  await node.kill();
  expect((await lost).map(({ status }) => status)).toEqual(Array(20).fill("rejected"));
}

test("20 copies of a payment around a kill -9 are one sale with one answer", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const account = newPayer();
  const header = await signFor(node, PATH, account);
  await node.control("/facilitator", { settle: "timeout_after_settling" });
  await killWhileSettling(node, header, async () => (await readChain(node)).settlements.length > 0);
  const restarted = await startDemo({ data: node.data, domains: ["crypto-market"] });
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetchAnswer(restarted, header)));
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  const given = bodies.filter((_, index) => answers[index]?.status === 200);
  expect(new Set(given).size).toBe(1);
  // A payment alone, which the chain shows to everybody, fetches its answer five times; copies that come together
  // are one fetch.
  expect(given.length).toBeGreaterThanOrEqual(5);
  const refused = bodies.filter((_, index) => answers[index]?.status !== 200);
  for (const body of refused) expect(JSON.parse(body)).toMatchObject({ code: "payment_already_used" });
  expect(await settlementsOf(restarted, account.address)).toHaveLength(1);
  expect(await settleCalls(restarted)).toBe(0);
  expect(auditOf(restarted)).toMatchObject({ code: 0, report: { receipts: 1 } });
});

test("a settle that kill -9 cut off before the chain saw it charges nobody, and a new payment works", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const account = newPayer();
  const header = await signFor(node, PATH, account);
  await node.control("/facilitator", { settle: "timeout_before_settling" });
  await killWhileSettling(node, header, async () => (await settleCalls(node)) > 0);
  const restarted = await startDemo({ data: node.data, domains: ["crypto-market"] });
  // More than ten seconds after the first try the node posts it once more for a buyer who is there: that fails too.
  await restarted.control("/facilitator", { settle: "garbage" });
  const open = await buy(restarted, header);
  expect(open.status).toBe(503);
  expect(await open.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
  await restarted.control("/clock", { advance_s: 400 });
  expect((await buy(restarted, header)).status).toBe(402);
  await restarted.control("/facilitator", { settle: "ok" });
  expect((await buy(restarted, await signAhead(restarted, PATH, account))).status).toBe(200);
  expect(await settlementsOf(restarted, account.address)).toHaveLength(1);
  expect(auditOf(restarted)).toMatchObject({ code: 0, report: { receipts: 1 } });
});

test("the answer of a lost settlement is the one that was bought; later the payment alone gets none", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const header = await signFor(node, PATH);
  await node.control("/facilitator", { settle: "http500_after_settling", times: 1 });
  const before = new Date(String((await node.control("/clock")).now)).getTime();
  expect((await buy(node, header)).status).toBe(503);
  await node.kill();
  const restarted = await startDemo({ data: node.data, domains: ["crypto-market"] });
  await restarted.control("/clock", { advance_s: 300 });
  const answer = await buy(restarted, header);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  const { generated_at } = JSON.parse(text) as { generated_at: string };
  expect(Math.abs(Date.parse(generated_at) - before)).toBeLessThan(600_000);
  expect(await (await buy(restarted, header)).text()).toBe(text);
  // By then anybody could have rebuilt the payment from the chain.
  await restarted.control("/clock", { advance_s: 3_600 });
  const late = await buy(restarted, header);
  expect(late.status).toBe(402);
  expect(await late.json()).toMatchObject({ code: "payment_already_used" });
});

test("a settle answered with garbage is unknown, not refused, and its payment still buys the answer once", async () => {
  const node = await shareNode();
  const account = newPayer();
  const header = await signFor(node, PATH, account);
  await node.control("/facilitator", { settle: "garbage", times: 1 });
  const first = await buy(node, header);
  expect(first.status).toBe(503);
  expect(first.headers.get("PAYMENT-REQUIRED")).toBeNull();
  expect(Number(first.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await first.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
  await node.control("/clock", { advance_s: 15 });
  expect((await fetchAnswer(node, header)).status).toBe(200);
  expect(await settlementsOf(node, account.address)).toHaveLength(1);
});

test.each(["timeout_after_settling", "http500_after_settling"])(
  "an official client that signs a new payment after %s is handed what the first one bought",
  async (settle) => {
    const node = await shareNode();
    const before = await countReceipts(node);
    const account = newPayer();
    await node.control("/facilitator", { settle, times: 1 });
    const first = await payingFetch(account)(`${node.url}${PATH}`);
    expect(first.status).toBe(503);
    const [charged] = await settlementsOf(node, account.address);
    const second = await payingFetch(account)(`${node.url}${PATH}`);
    expect(second.status).toBe(200);
    expect(second.headers.get("X-Duplicate-Payment-Avoided")).toBe("true");
    const { transaction } = decodePaymentResponseHeader(second.headers.get("PAYMENT-RESPONSE") ?? "");
    expect(transaction).toBe(charged?.transaction ?? "none");
    expect(await settlementsOf(node, account.address)).toHaveLength(1);
    expect(auditOf(node)).toMatchObject({ code: 0, report: { receipts: before + 1 } });
  },
);

test("a settlement that never happens stays unknown until the payment is dead; a new payment then works", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const account = newPayer();
  const header = await signFor(node, PATH, account);
  await node.control("/facilitator", { settle: "timeout_before_settling" });
  for (const advance_s of [1, 15, 60]) {
    const answer = await buy(node, header);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("PAYMENT-REQUIRED")).toBeNull();
    expect(await answer.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
    await node.control("/clock", { advance_s });
  }
  // Long past validBefore, so that the chain's word is final.
  await node.control("/clock", { advance_s: 400 });
  const dead = await buy(node, header);
  expect(dead.status).toBe(402);
  expect(await dead.json()).toMatchObject({ charged: false });
  expect(await settlementsOf(node, account.address)).toEqual([]);
  await node.control("/facilitator", {});
  expect((await buy(node, await signAhead(node, PATH, account))).status).toBe(200);
  expect(await settlementsOf(node, account.address)).toHaveLength(1);
  expect(auditOf(node)).toMatchObject({ code: 0, report: { receipts: 1 } });
});

test("a refused settlement says success:false in PAYMENT-RESPONSE, leaves no receipt, and offers again", async () => {
  const node = await shareNode();
  const before = await countReceipts(node);
  const account = newPayer();
  const header = await signFor(node, PATH, account);
  await node.control("/facilitator", { settle: "fail:insufficient_funds", times: 1 });
  const answer = await buy(node, header);
  expect(answer.status).toBe(402);
  expect(answer.headers.get("PAYMENT-REQUIRED")).not.toBeNull();
  const told = decodePaymentResponseHeader(answer.headers.get("PAYMENT-RESPONSE") ?? "");
  expect(told).toMatchObject({ success: false, errorReason: "insufficient_funds" });
  const body = (await answer.json()) as Record<string, unknown>;
  expect(body).toMatchObject({ code: "settlement_failed", charged: false });
  expect(body).not.toHaveProperty("data");
  expect(await settlementsOf(node, account.address)).toEqual([]);
  expect(await countReceipts(node)).toBe(before);
  // Sent again it is a payment like any other: taken once, never twice.
  for (let copy = 0; copy < 3; copy++) expect((await buy(node, header)).status).toBe(200);
  expect(await settlementsOf(node, account.address)).toHaveLength(1);
  expect(auditOf(node)).toMatchObject({ code: 0, report: { receipts: before + 1 } });
});

test("a version 1 client is refused in its own words and never charged", async () => {
  const node = await shareNode();
  const account = newPayer();
  await node.control("/facilitator", { settle: "fail:transaction_failed", times: 1 });
  const answer = await payingFetchV1(account)(`${node.url}${PATH}?x402Version=1`);
  expect(answer.status).toBe(402);
  expect(answer.headers.get("PAYMENT-RESPONSE")).toBeNull();
  expect(decodePaymentResponseHeader(answer.headers.get("X-PAYMENT-RESPONSE") ?? "")).toMatchObject({ success: false });
  expect(await answer.json()).toMatchObject({ x402Version: 1, code: "settlement_failed", charged: false });
  expect(await settlementsOf(node, account.address)).toEqual([]);
});
