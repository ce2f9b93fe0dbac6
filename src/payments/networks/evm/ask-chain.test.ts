import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { networkById } from "../table.ts";
import { askEvmChain } from "./ask-chain.ts";

const NETWORK = networkById("eip155:84532") as NonNullable<ReturnType<typeof networkById>>;
const PAYER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const NONCE = `0x${"ab".repeat(32)}`;
const NOW_S = 1_767_225_600;
const HEIGHT = 40_000_000;
const TRANSACTION = `0x${"c".repeat(64)}`;
const USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const topic = (hex: string) => `0x${hex.replace(/^0x/, "").toLowerCase().padStart(64, "0")}`;
const amountWord = (amount: bigint) => topic(amount.toString(16));
const log = (topics: readonly string[], data = "0x") => ({
  address: NETWORK.asset,
  topics: topics.map(topic),
  data,
  transactionHash: TRANSACTION,
});
const used = (nonce = NONCE, event = USED) => log([event, PAYER, nonce]);
const moved = (to = SELLER, amount = 10_000n) => log([TRANSFER, PAYER, to], amountWord(amount));
const receipt = (logs: readonly unknown[], status = "0x1") => ({ status, logs });

/** An endpoint of which a test writes every answer. */
const script: Record<string, (params: unknown[]) => unknown> = {};
let calls: { method: string; params: unknown[] }[] = [];
let whole: (() => Response) | null = null;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { method, params } = (await request.json()) as { method: string; params: unknown[] };
    calls.push({ method, params });
    if (whole) return whole();
    return Response.json({ jsonrpc: "2.0", id: 1, result: script[method]?.(params) ?? null });
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  calls = [];
  whole = null;
  Object.assign(script, {
    eth_getBlockByNumber: () => ({ number: `0x${HEIGHT.toString(16)}`, timestamp: `0x${NOW_S.toString(16)}` }),
    eth_call: () => amountWord(1n),
    eth_getLogs: () => [used()],
    eth_getTransactionReceipt: () => receipt([used(), moved()]),
  });
});

const ask = (changes: Partial<Parameters<typeof askEvmChain>[0]> = {}, valid_before_s = NOW_S + 200) =>
  askEvmChain({
    network: NETWORK,
    payload: {
      signature: `0x${"1".repeat(130)}`,
      authorization: {
        from: PAYER,
        to: SELLER,
        value: "10000",
        validAfter: "0",
        validBefore: String(valid_before_s),
        nonce: NONCE,
      },
    },
    amount: 10_000n,
    pay_to: SELLER,
    since_ms: NOW_S * 1000,
    rpc_urls: [`http://127.0.0.1:${server.port}`],
    ...changes,
  });
const methods = () => calls.map(({ method }) => method);

describe("a transaction that a facilitator named", () => {
  test("settles the question in one call when it used this authorization to pay us", async () => {
    expect(await ask({ hint_transaction: TRANSACTION.toUpperCase().replace("0X", "0x") })).toEqual({
      paid: true,
      transaction: TRANSACTION,
    });
    expect(methods()).toEqual(["eth_getTransactionReceipt"]);
  });

  test.each<[what: string, found: unknown]>([
    ["is not there", null],
    ["failed", receipt([used(), moved()], "0x0")],
    ["used another authorization", receipt([used(`0x${"ef".repeat(32)}`), moved()])],
    ["paid somebody else", receipt([used(), moved(PAYER)])],
    ["paid another amount", receipt([used(), moved(SELLER, 9_999n)])],
    ["moved another token", receipt([used(), { ...moved(), address: PAYER }])],
  ])("proves nothing when it %s: the chain is searched", async (_what, found) => {
    script.eth_getTransactionReceipt = () => found;
    script.eth_call = () => amountWord(0n);
    const verdict = await ask({ hint_transaction: TRANSACTION });
    expect(verdict).toEqual({ paid: false, final: false, reason: "not_used_yet" });
  });

  test("is never sent on when it cannot be one", async () => {
    await ask({ hint_transaction: "<script>" });
    expect(methods()[0]).toBe("eth_getBlockByNumber");
    expect(JSON.stringify(calls)).not.toContain("script");
  });
});

describe("the search", () => {
  test("reads the authorization as of the block it judges the time by", async () => {
    await ask();
    expect(calls.find(({ method }) => method === "eth_call")?.params[1]).toBe(`0x${HEIGHT.toString(16)}`);
  });

  test("of an old payment covers the blocks it can be in, not all since", async () => {
    const day_s = 86_400;
    expect(await ask({ since_ms: (NOW_S - day_s) * 1000 }, NOW_S - day_s + 300)).toMatchObject({ paid: true });
    const [filter] = calls.find(({ method }) => method === "eth_getLogs")?.params ?? [];
    const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
    const [first, last] = [Number(fromBlock), Number(toBlock)];
    const block_at = (time_s: number) => HEIGHT - Math.ceil((NOW_S - time_s) / 2);
    expect(first).toBeLessThan(block_at(NOW_S - day_s));
    expect(last).toBeGreaterThan(block_at(NOW_S - day_s + 300));
    expect(last - first).toBeLessThan(2_000);
  });

  test("believes no event of another payment, though an endpoint ignores what it was asked for", async () => {
    script.eth_getLogs = () => [used(`0x${"ef".repeat(32)}`, CANCELED), { ...used(), address: PAYER }];
    expect(await ask()).toEqual({ paid: false, final: false, reason: "used_but_not_found" });
  });

  test("tells a canceled authorization, and one that paid somebody else", async () => {
    script.eth_getLogs = () => [used(NONCE, CANCELED)];
    expect(await ask()).toEqual({ paid: false, final: true, reason: "canceled_by_payer" });
    script.eth_getLogs = () => [used()];
    script.eth_getTransactionReceipt = () => receipt([used(), moved(PAYER)]);
    expect(await ask()).toEqual({ paid: false, final: true, reason: "used_without_paying_us" });
  });
});

describe("an endpoint that answers nonsense gives no verdict", () => {
  test.each<[what: string, method: string, answer: unknown]>([
    ["a block without a number", "eth_getBlockByNumber", { timestamp: "0x1" }],
    ["a block time that is no number", "eth_getBlockByNumber", { number: "0x1", timestamp: "0xzz" }],
    ["no contract where the token is", "eth_call", "0x"],
    ["a state that is no word", "eth_call", "0x1"],
    ["logs that are no list", "eth_getLogs", { length: 0 }],
    ["a receipt without a status", "eth_getTransactionReceipt", { logs: [] }],
  ])("%s", async (_what, method, answer) => {
    script[method] = () => answer;
    await expect(ask()).rejects.toThrow(`unexpected answer to ${method}`);
  });

  test.each<[what: string, reply: () => Response]>([
    ["a page", () => new Response("<html>busy</html>", { status: 502 })],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/", 307)],
    ["an error", () => Response.json({ error: { code: -32_000, message: "header not found" } })],
    ["five megabytes", () => new Response(`{"result":"${"x".repeat(5_000_000)}"}`)],
  ])("%s", async (_what, reply) => {
    whole = reply;
    await expect(ask()).rejects.toThrow();
    expect(calls).toHaveLength(1);
  });
});
