import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { PERMIT2, UPTO_PROXY } from "../../upto/contract.ts";
import { networkById } from "../table.ts";
import { askPermitChain } from "./ask-permit.ts";

const NETWORK = networkById("eip155:84532") as NonNullable<ReturnType<typeof networkById>>;
const PAYER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const NONCE = 0xabcdef_0123456789n * 256n + 7n;
const NOW_S = 1_767_225_600;
const HEIGHT = 40_000_000;
const [FIRST, SECOND] = [`0x${"c".repeat(64)}`, `0x${"d".repeat(64)}`];
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const INVALIDATED = "0x3704902f963766a4e561bbaab6e6cdc1b1dd12f6e9e99648da8843b3f46b918d";

const word = (value: bigint | string) =>
  (typeof value === "bigint" ? value.toString(16) : value.replace(/^0x/, "").toLowerCase()).padStart(64, "0");
const topic = (value: bigint | string) => `0x${word(value)}`;
const moved = (amount = 2_500n, transactionHash = FIRST, to = SELLER) => ({
  address: NETWORK.asset,
  topics: [TRANSFER, topic(PAYER), topic(to)],
  data: topic(amount),
  transactionHash,
});
const takenBack = (mask: bigint, owner = PAYER) => ({
  address: PERMIT2,
  topics: [INVALIDATED, topic(owner)],
  data: `0x${word(NONCE >> 8n)}${word(mask)}`,
  transactionHash: SECOND,
});
/** What the proxy was sent. */
const input = (nonce = NONCE) => `0x01020304${word(2_500n)}${word(nonce)}${word(PAYER)}`;

/** What a chain shows, as a test has it. */
const chain = {
  bits: 1n << 7n,
  transfers: [moved()] as readonly object[],
  taken_back: [] as readonly object[],
  receipts: { [FIRST]: { status: "0x1", logs: [moved()] } } as Record<string, object | null>,
  inputs: { [FIRST]: input() } as Record<string, string | null>,
};
let calls: { method: string; params: unknown[] }[] = [];
const answer = (method: string, params: readonly unknown[]): unknown => {
  const filter = params[0] as { address: string };
  switch (method) {
    case "eth_getBlockByNumber":
      return { number: `0x${HEIGHT.toString(16)}`, timestamp: `0x${NOW_S.toString(16)}` };
    case "eth_call":
      return topic(chain.bits);
    case "eth_getLogs":
      return filter.address === PERMIT2 ? chain.taken_back : chain.transfers;
    case "eth_getTransactionReceipt":
      return chain.receipts[String(params[0])] ?? null;
    default:
      return chain.inputs[String(params[0])] ? { input: chain.inputs[String(params[0])], to: UPTO_PROXY } : null;
  }
};
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { method, params } = (await request.json()) as { method: string; params: unknown[] };
    calls.push({ method, params });
    return Response.json({ jsonrpc: "2.0", id: 1, result: answer(method, params) });
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  calls = [];
  Object.assign(chain, {
    bits: 1n << 7n,
    transfers: [moved()],
    taken_back: [],
    receipts: { [FIRST]: { status: "0x1", logs: [moved()] } },
    inputs: { [FIRST]: input() },
  });
});

const ask = (changes: Partial<Parameters<typeof askPermitChain>[0]> = {}, deadline_s = NOW_S + 200) =>
  askPermitChain({
    network: NETWORK,
    payload: {
      signature: `0x${"1".repeat(130)}`,
      permit2Authorization: {
        from: PAYER,
        permitted: { token: NETWORK.asset, amount: "10000" },
        spender: UPTO_PROXY,
        nonce: NONCE.toString(),
        deadline: String(deadline_s),
        witness: { to: SELLER, facilitator: PAYER, validAfter: "0" },
      },
    },
    amount: 2_500n,
    pay_to: SELLER,
    since_ms: NOW_S * 1000,
    rpc_urls: [`http://127.0.0.1:${server.port}`],
    ...changes,
  });

describe("a permit whose nonce is not taken", () => {
  test("may still be used until it ends, and is over some time after", async () => {
    chain.bits = ~(1n << 7n) & ((1n << 256n) - 1n);
    expect(await ask()).toEqual({ paid: false, final: false, reason: "not_used_yet" });
    expect(await ask({}, NOW_S - 10)).toMatchObject({ final: false });
    expect(await ask({}, NOW_S - 31)).toEqual({ paid: false, final: true, reason: "expired_unused" });
    const [asked] = calls.filter(({ method }) => method === "eth_call");
    expect(asked?.params).toEqual([
      { to: PERMIT2, data: `0x4fe02b44${word(PAYER)}${word(NONCE >> 8n)}` },
      `0x${HEIGHT.toString(16)}`,
    ]);
  });
});

describe("a permit whose nonce is taken", () => {
  test("paid by the transaction that names it and moved the amount", async () => {
    expect(await ask()).toEqual({ paid: true, transaction: FIRST });
  });

  test("paid by what was named, without a search", async () => {
    expect(await ask({ hint_transaction: FIRST })).toEqual({ paid: true, transaction: FIRST });
    expect(calls.map(({ method }) => method)).not.toContain("eth_getLogs");
  });

  test("did not pay by another permit's transfer of the same amount", async () => {
    chain.inputs = { [FIRST]: input(NONCE + 1n) };
    expect(await ask({ hint_transaction: FIRST })).toEqual({
      paid: false,
      final: false,
      reason: "used_but_not_found",
    });
  });

  test("did not pay by a transaction that failed, or paid somebody else", async () => {
    chain.receipts = { [FIRST]: { status: "0x0", logs: [] } };
    expect(await ask()).toMatchObject({ paid: false, final: false });
    chain.receipts = { [FIRST]: { status: "0x1", logs: [moved(2_500n, FIRST, PAYER)] } };
    expect(await ask()).toMatchObject({ paid: false, final: false });
  });

  test.each([2_499n, 2_501n, 10_000n])("over %p is no sale at another price, and never final", async (amount) => {
    chain.transfers = [moved(amount)];
    chain.receipts = { [FIRST]: { status: "0x1", logs: [moved(amount)] } };
    chain.taken_back = [takenBack(1n << 7n)];
    expect(await ask({}, NOW_S - 1_000)).toEqual({
      paid: false,
      final: false,
      reason: "used_for_another_amount",
    });
  });

  test("that its owner took back is over", async () => {
    chain.transfers = [];
    expect(await ask()).toMatchObject({ final: false, reason: "used_but_not_found" });
    chain.taken_back = [takenBack(1n << 6n), takenBack(1n << 7n, SELLER)];
    expect(await ask()).toMatchObject({ final: false, reason: "used_but_not_found" });
    chain.taken_back = [takenBack(1n << 7n)];
    expect(await ask()).toEqual({ paid: false, final: true, reason: "canceled_by_payer" });
  });

  test("that was used and then taken back has paid", async () => {
    chain.taken_back = [takenBack((1n << 256n) - 1n)];
    expect(await ask()).toEqual({ paid: true, transaction: FIRST });
  });

  test("is open while a transfer cannot be read, whatever was taken back", async () => {
    chain.receipts = {};
    chain.taken_back = [takenBack(1n << 7n)];
    expect(await ask()).toMatchObject({ final: false, reason: "used_but_not_found" });
  });

  test("is found among other transfers of the payer", async () => {
    chain.transfers = [moved(9n, SECOND), moved()];
    chain.receipts[SECOND] = { status: "0x1", logs: [moved(9n, SECOND)] };
    chain.inputs[SECOND] = input(NONCE + 9n);
    expect(await ask()).toEqual({ paid: true, transaction: FIRST });
  });
});
