import { afterAll, describe, expect, test } from "bun:test";
import { settleInSandbox } from "../../../../test/helpers/sandbox-settle.ts";
import { createStillClock } from "../../../../test/helpers/still-clock.ts";
import { askSolanaChain } from "../../../payments/networks/solana/ask-chain.ts";
import { networkById } from "../../../payments/networks/table.ts";
import { createSandbox } from "../../index.ts";
import { createSolanaTestPayer, type SolanaTestTransfer, signSolanaTransfer } from "../../test-payer-solana.ts";

const NETWORK = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
const FEE_PAYER = "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9";
const SELLER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const OTHER = "9aE476sH92Vz7DMPyq5WLPkrKWivxeuTKEFKd2sZZcde";

const clock = createStillClock(Date.UTC(2026, 0, 15));
const sandbox = await createSandbox({ seed: "s", clock, simulators: [] });
const url = sandbox.rpcUrl("solana_devnet");
const network = networkById(NETWORK);
if (!network) throw new Error("not in the network table");
const payer = await createSolanaTestPayer("ask chain");

async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const answer = (await (await fetch(url, { method: "POST", body })).json()) as { result: unknown };
  return answer.result;
}
async function sign(changes: Partial<SolanaTestTransfer> = {}) {
  const { value } = (await rpc("getLatestBlockhash")) as { value: { blockhash: string } };
  const { blockhash } = value;
  return signSolanaTransfer(payer, {
    fee_payer: FEE_PAYER,
    mint: MINT,
    to: SELLER,
    amount: 10_000n,
    blockhash,
    ...changes,
  });
}
const settle = (payload: unknown): Promise<string> =>
  settleInSandbox(sandbox.facilitatorUrl(), payload, {
    network: NETWORK,
    asset: MINT,
    pay_to: SELLER,
    amount: 10_000n,
    extra: { feePayer: FEE_PAYER },
  });

/** A Solana node that a test can make misbehave for some methods; the sandbox answers the others. */
const answers: Record<string, (real: unknown) => unknown> = {};
const asked: string[] = [];
const proxy = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { method, params, id } = (await request.json()) as { method: string; params: unknown[]; id: number };
    asked.push(method);
    const real = await rpc(method, ...params);
    const change = answers[method];
    return Response.json({ jsonrpc: "2.0", id, result: change ? change(real) : real });
  },
});
afterAll(async () => {
  await proxy.stop(true);
  await sandbox.stop();
});
/** Asks through that node, and makes it honest again afterwards. */
async function askThrough(change: typeof answers, question: () => Promise<unknown>): Promise<unknown> {
  asked.length = 0;
  Object.assign(answers, change);
  try {
    return await question();
  } finally {
    for (const name of Object.keys(answers)) delete answers[name];
  }
}
const proxied = { rpc_urls: [`http://127.0.0.1:${proxy.port}`] };

type Question = Parameters<typeof askSolanaChain>[0];
const ask = (payload: Question["payload"], changes: Partial<Question> = {}) =>
  askSolanaChain({
    network,
    payload,
    amount: 10_000n,
    pay_to: SELLER,
    since_ms: clock.now(),
    rpc_urls: [url],
    ...changes,
  });
const NOT_YET = { paid: false as const, final: false, reason: "not_landed_yet" };

describe("the node's own reader of the chain reports about a payment", () => {
  test("that it landed, with the transaction", async () => {
    const payload = await sign();
    const transaction = await settle(payload);
    expect(await ask(payload)).toEqual({ paid: true, transaction });
  });

  test("the same without a search, from the transaction that the facilitator named", async () => {
    const payload = await sign();
    const transaction = await settle(payload);
    const verdict = await askThrough({}, () => ask(payload, { hint_transaction: transaction, ...proxied }));
    expect(verdict).toEqual({ paid: true, transaction });
    expect(asked).toEqual(["getTransaction"]);
  });

  test.each([
    ["another payment", async () => settle(await sign())],
    ["nothing that landed", async () => "1".repeat(64)],
    ["no transaction at all", async () => "z".repeat(88)],
    ["junk", async () => "<script>"],
  ])("the same although the facilitator named %s", async (_, name) => {
    const hint_transaction = await name();
    const payload = await sign();
    expect(await ask(payload, { hint_transaction })).toEqual(NOT_YET);
    const transaction = await settle(payload);
    expect(await ask(payload, { hint_transaction })).toEqual({ paid: true, transaction });
  });

  test("that it landed although it has no memo and others look like it", async () => {
    const payload = await sign({ memos: [] });
    await settle(await sign({ memos: [], micro_lamports: 2n }));
    const transaction = await settle(payload);
    await settle(await sign({ memos: [], micro_lamports: 3n }));
    expect(await ask(payload)).toEqual({ paid: true, transaction });
  });

  test("that it landed, whatever the stored empty signature slot holds", async () => {
    const { transaction } = await sign();
    const bytes = Buffer.from(transaction, "base64");
    const landed = await settle({ transaction });
    const payload = { transaction: bytes.fill(9, 1, 65).toString("base64") };
    expect(await ask(payload)).toEqual({ paid: true, transaction: landed });
  });

  test("that it landed long ago, opening only transactions that may be the payment", async () => {
    const payload = await sign();
    const since_ms = clock.now();
    await settle(await sign());
    const transaction = await settle(payload);
    await settle(await sign());
    clock.advance(3_600_000);
    const verdict = await askThrough({}, () => ask(payload, { since_ms, ...proxied }));
    expect(verdict).toEqual({ paid: true, transaction });
    expect(asked).toEqual(["getSignaturesForAddress", "getTransaction"]);
  });

  test("that it ended unpaid only after two looks, with the chain well past its end", async () => {
    const payload = await sign();
    const since_ms = clock.now();
    expect(await ask(payload, { since_ms })).toEqual(NOT_YET);
    clock.advance(100_000);
    expect(await ask(payload, { since_ms })).toEqual(NOT_YET);
    clock.advance(100_000);
    const verdict = await askThrough({}, () => ask(payload, { since_ms, ...proxied }));
    expect(verdict).toEqual({ paid: false, final: true, reason: "expired_unused" });
    expect(asked.filter((method) => method === "getSignaturesForAddress")).toHaveLength(2);
  });

  test("that it paid somebody else, or another amount", async () => {
    const payload = await sign();
    await settle(payload);
    const verdict = { paid: false as const, final: true, reason: "landed_without_paying_us" };
    expect(await ask(payload, { pay_to: OTHER })).toEqual(verdict);
    expect(await ask(payload, { amount: 9_999n })).toEqual(verdict);
  });

  test("through a second endpoint when the first one does not work", async () => {
    const payload = await sign();
    const transaction = await settle(payload);
    const rpc_urls = [`${sandbox.url}/nowhere`, url];
    expect(await ask(payload, { rpc_urls })).toEqual({ paid: true, transaction });
    await expect(ask(payload, { rpc_urls: rpc_urls.slice(0, 1) })).rejects.toThrow();
    await expect(ask(payload, { rpc_urls: [] })).rejects.toThrow("no RPC endpoint");
  });
});

describe("a payment is not called unpaid", () => {
  const late = async () => {
    const payload = await sign();
    const since_ms = clock.now();
    clock.advance(400_000);
    return { payload, since_ms };
  };

  test.each([["confirmed"], ["finalized"]])("while its block hash is good in %s blocks", async (which) => {
    const { payload, since_ms } = await late();
    let looks = 0;
    const isBlockhashValid = (real: unknown) => {
      looks += 1;
      return { ...(real as object), value: looks === (which === "confirmed" ? 1 : 2) };
    };
    expect(await askThrough({ isBlockhashValid }, () => ask(payload, { since_ms, ...proxied }))).toEqual(NOT_YET);
  });

  test("by an endpoint whose newest block is older than the payment", async () => {
    const { payload, since_ms } = await late();
    const getBlockTime = () => Math.floor(since_ms / 1_000) + 100;
    expect(await askThrough({ getBlockTime }, () => ask(payload, { since_ms, ...proxied }))).toEqual(NOT_YET);
  });

  test("when it landed between the two looks", async () => {
    const payload = await sign();
    const since_ms = clock.now();
    const transaction = await settle(payload);
    clock.advance(400_000);
    let looks = 0;
    const getSignaturesForAddress = (real: unknown) => {
      looks += 1;
      return looks === 1 ? [] : real;
    };
    const verdict = await askThrough({ getSignaturesForAddress }, () => ask(payload, { since_ms, ...proxied }));
    expect(verdict).toEqual({ paid: true, transaction });
  });

  test("when there is too much to search through", async () => {
    const { payload, since_ms } = await late();
    const landed = await settle(await sign());
    const row = { signature: landed, slot: 1, err: null, memo: null, blockTime: Math.floor(clock.now() / 1_000) };
    const many = () => Array.from({ length: 101 }, () => row);
    const verdict = await askThrough({ getSignaturesForAddress: many }, () => ask(payload, { since_ms, ...proxied }));
    expect(verdict).toEqual({ paid: false, final: false, reason: "too_many_to_search" });
    expect(asked.filter((method) => method === "getTransaction").length).toBeLessThanOrEqual(200);
  });

  test.each([
    ["getSignaturesForAddress", {}],
    ["getSignaturesForAddress", [{ signature: 5 }]],
    ["isBlockhashValid", { value: "no" }],
    ["getBlockTime", null],
  ])("when %s is answered with %j", async (method, answer) => {
    const { payload, since_ms } = await late();
    const question = askThrough({ [method]: () => answer }, () => ask(payload, { since_ms, ...proxied }));
    await expect(question).rejects.toThrow(`unexpected answer to ${method}`);
  });
});

describe("a payment is not called paid", () => {
  const change = (edit: (meta: Record<string, unknown>) => object) => (real: unknown) => {
    const found = real as { meta: Record<string, unknown> } | null;
    return found && { ...found, meta: { ...found.meta, ...edit(found.meta) } };
  };

  test("when it landed and failed, which is final in a final block only", async () => {
    const payload = await sign();
    await settle(payload);
    const failed = change(() => ({ err: { InstructionError: [2, { Custom: 1 }] } }));
    const verdict = { paid: false as const, final: true, reason: "transaction_failed" };
    expect(await askThrough({ getTransaction: failed }, () => ask(payload, proxied))).toEqual(verdict);
    let looks = 0;
    const getTransaction = (real: unknown) => {
      looks += 1;
      return looks === 1 ? failed(real) : null;
    };
    const soon = await askThrough({ getTransaction }, () => ask(payload, proxied));
    expect(soon).toEqual({ ...verdict, final: false });
  });

  test("when our token account did not grow", async () => {
    const payload = await sign();
    await settle(payload);
    const getTransaction = change((meta) => ({ postTokenBalances: meta.preTokenBalances }));
    const verdict = await askThrough({ getTransaction }, () => ask(payload, proxied));
    expect(verdict).toEqual({ paid: false, final: true, reason: "landed_without_paying_us" });
  });

  test("when another payment is shown under its name", async () => {
    const payload = await sign({ memos: [] });
    const other = await settle(await sign({ memos: [], micro_lamports: 9n }));
    const shown = await rpc("getTransaction", other, { encoding: "base64" });
    const verdict = await askThrough({ getTransaction: () => shown }, () =>
      ask(payload, { hint_transaction: other, ...proxied }),
    );
    expect(verdict).toEqual(NOT_YET);
  });
});
