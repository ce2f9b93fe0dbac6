import { afterAll, describe, expect, test } from "bun:test";
import { auditOf, settleCalls, settlementsOf, signAhead } from "../helpers/demo-books.ts";
import {
  cleanUp,
  type DemoNode,
  newPayer,
  payingFetch,
  payingFetchV1,
  signFor,
  startDemo,
} from "../helpers/demo-node.ts";
import { createMppBuyer } from "../helpers/mpp-buyers.ts";

afterAll(cleanUp);

const PRODUCTS = ["/fear-greed", "/pyth-price", "/oracle-consensus", "/mempool"] as const;
describe("an unmodified official client", () => {
  const shared = startDemo({ domains: ["crypto-market"] });

  test.each(PRODUCTS)("of version 2 buys %s and finds its receipt and its settlement", async (path) => {
    const node = await shared;
    const account = newPayer();
    const response = await payingFetch(account)(`${node.url}${path}`);
    expect(response.status).toBe(200);
    const envelope = (await response.json()) as Record<string, unknown>;
    expect(envelope).toMatchObject({ product: path.slice(1), delayed: false, sandbox: true });
    const receipt = await (await node.get(`/receipts/${response.headers.get("X-Receipt-Id")}`)).json();
    const [settlement] = await settlementsOf(node, account.address);
    expect(receipt).toMatchObject({ product: path.slice(1), amount_atomic: settlement?.amount_atomic });
  });

  test.each(PRODUCTS)("of version 1 buys %s with ?x402Version=1", async (path) => {
    const node = await shared;
    const account = newPayer();
    const response = await payingFetchV1(account)(`${node.url}${path}?x402Version=1`);
    expect(response.status).toBe(200);
    expect(response.headers.get("X-PAYMENT-RESPONSE")).not.toBeNull();
    expect(await settlementsOf(node, account.address)).toHaveLength(1);
  });
});

test("100 buyers of one product at once cause one upstream call", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const headers: string[] = [];
  for (let buyer = 0; buyer < 100; buyer++) headers.push(await signAhead(node, "/fear-greed"));
  // A new node: nothing is kept of it yet. A job that asks before or meanwhile shares its call.
  const callsOf = async () =>
    ((await node.control("/upstreams")).providers as Record<string, { calls: number }>).alternative_me?.calls ?? 0;
  const answers = await Promise.all(headers.map((header) => node.get("/fear-greed", { "PAYMENT-SIGNATURE": header })));
  expect(answers.map((answer) => answer.status)).toEqual(headers.map(() => 200));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(await callsOf()).toBe(1);
  expect(await settleCalls(node)).toBe(100);
});

test("50 parallel copies of one payment are settled once and get the same answer; it buys nothing else", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const account = newPayer();
  const header = { "PAYMENT-SIGNATURE": await signFor(node, "/mempool", account) };
  const answers = await Promise.all(Array.from({ length: 50 }, () => node.get("/mempool", header)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(await settleCalls(node)).toBe(1);
  expect(await settlementsOf(node, account.address)).toHaveLength(1);
  const other = await node.get("/fear-greed", header);
  expect(other.status).toBe(402);
  expect(await other.json()).toMatchObject({ code: "payment_already_used", diagnostic: { same_payment: false } });
  expect(auditOf(node)).toMatchObject({ code: 0, report: { ok: true, receipts: 1 } });
});

test("a HEAD is never charged, whatever it carries", async () => {
  const node = await startDemo({ domains: ["crypto-market"] });
  const header = { "PAYMENT-SIGNATURE": await signFor(node, "/pyth-price") };
  const head = await fetch(`${node.url}/pyth-price`, { method: "HEAD", headers: header });
  expect(head.status).toBe(402);
  expect(head.headers.get("PAYMENT-REQUIRED")).not.toBeNull();
  expect(await settleCalls(node)).toBe(0);
  expect((await node.get("/pyth-price", header)).status).toBe(200);
});

describe("a settlement whose answer is lost", () => {
  test.each(["timeout_after_settling", "http500_after_settling"])(
    "(%s) answers 503, then the same payment fetches its answer without a second settle",
    async (settle) => {
      const node = await startDemo({ domains: ["crypto-market"] });
      const header = { "PAYMENT-SIGNATURE": await signFor(node, "/pyth-price") };
      await node.control("/facilitator", { settle, times: 1 });
      const first = await node.get("/pyth-price", header);
      expect(first.status).toBe(503);
      expect(first.headers.get("PAYMENT-REQUIRED")).toBeNull();
      expect(first.headers.get("Retry-After")).toBe("5");
      expect(await first.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
      const again = await node.get("/pyth-price", header);
      expect(again.status).toBe(200);
      expect(again.headers.get("X-Receipt-Id")).not.toBeNull();
      expect(await settleCalls(node)).toBe(1);
    },
  );

  const ways = {
    x402: async (node: DemoNode) => ({ "PAYMENT-SIGNATURE": await signFor(node, "/pyth-price") }),
    MPP: async ({ url }: DemoNode) => {
      const buyer = createMppBuyer();
      return { Authorization: await buyer.answer(await buyer.ask(`${url}/pyth-price`)) };
    },
  };
  test.each(Object.entries(ways))("survives kill -9 and a restart, paid by %s", async (_, sign) => {
    const node = await startDemo({ domains: ["crypto-market"] });
    const header: Record<string, string> = await sign(node);
    await node.control("/facilitator", { settle: "timeout_after_settling" });
    const lost = node.get("/pyth-price", header).catch(() => null);
    while ((await node.control("/chain").then((chain) => chain.settlements as unknown[])).length === 0)
      await Bun.sleep(5);
    await node.kill();
    await lost;
    const restarted = await startDemo({ data: node.data, domains: ["crypto-market"] });
    const answer = await restarted.get("/pyth-price", header);
    expect(answer.status).toBe(200);
    expect(await settleCalls(restarted)).toBe(0);
    expect(auditOf(restarted)).toMatchObject({ code: 0, report: { receipts: 1 } });
  });

  test("that never happened is settled when its buyer comes back later with the same payment", async () => {
    const node = await startDemo({ domains: ["crypto-market"] });
    const account = newPayer();
    const header = { "PAYMENT-SIGNATURE": await signFor(node, "/pyth-price", account) };
    await node.control("/facilitator", { settle: "timeout_before_settling", times: 1 });
    expect((await node.get("/pyth-price", header)).status).toBe(503);
    expect((await node.get("/pyth-price", header)).status).toBe(503);
    // Where the node's own job looked a moment ago, the buyer is told to wait for some seconds once more. The job comes
    // round every 15 s: by steps of as much it would always be a moment ago.
    for (let told = 503; told === 503; told = (await node.get("/pyth-price", header)).status) {
      await node.control("/clock", { advance_s: 22 });
    }
    expect((await node.get("/pyth-price", header)).status).toBe(200);
    expect(await settlementsOf(node, account.address)).toHaveLength(1);
    expect(auditOf(node)).toMatchObject({ code: 0, report: { receipts: 1 } });
  });

  test("that never happened ends uncharged once the payment has expired", async () => {
    const node = await startDemo({ domains: ["crypto-market"] });
    const account = newPayer();
    const header = { "PAYMENT-SIGNATURE": await signFor(node, "/pyth-price", account) };
    await node.control("/facilitator", { settle: "timeout_before_settling", times: 1 });
    expect((await node.get("/pyth-price", header)).status).toBe(503);
    await node.control("/clock", { advance_s: 400 });
    const expired = await node.get("/pyth-price", header);
    expect(expired.status).toBe(402);
    expect(await expired.json()).toMatchObject({ code: "payment_expired", charged: false });
    expect(await settlementsOf(node, account.address)).toEqual([]);
  });
});

describe("a facilitator that misbehaves never costs the buyer anything", () => {
  const shared = startDemo({ domains: ["crypto-market"] });
  const cases: [mode: Record<string, unknown>, status: number, code: string][] = [
    [{ verify: "reject:insufficient_funds" }, 402, "insufficient_funds"],
    [{ verify: "reject:invalid_exact_evm_signature" }, 402, "invalid_payment"],
    [{ verify: "http500" }, 503, "facilitator_unavailable"],
    [{ verify: "garbage" }, 503, "facilitator_unavailable"],
    [{ verify: "timeout" }, 503, "facilitator_unavailable"],
    [{ settle: "fail:transaction_failed" }, 402, "settlement_failed"],
  ];
  test.each(cases)("%j", async (mode, status, code) => {
    const node = await shared;
    const account = newPayer();
    const header = { "PAYMENT-SIGNATURE": await signFor(node, "/pyth-price", account) };
    await node.control("/facilitator", { ...mode, times: 1 });
    const answer = await node.get("/pyth-price", header);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code, charged: false });
    expect(await settlementsOf(node, account.address)).toEqual([]);
    if (code === "settlement_failed") expect(answer.headers.get("PAYMENT-RESPONSE")).not.toBeNull();
  });
});
