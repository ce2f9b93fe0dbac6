import { afterAll, expect, test } from "bun:test";
import { settleInSandbox } from "../../../../test/helpers/sandbox-settle.ts";
import { createStillClock } from "../../../../test/helpers/still-clock.ts";
import { listSolanaIncoming } from "../../../payments/networks/solana/list-incoming.ts";
import { networkById } from "../../../payments/networks/table.ts";
import { createSandbox } from "../../index.ts";
import { createSolanaTestPayer, signSolanaTransfer } from "../../test-payer-solana.ts";

const NETWORK = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU";
const FEE_PAYER = "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9";
const SELLER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const OTHER = "9aE476sH92Vz7DMPyq5WLPkrKWivxeuTKEFKd2sZZcde";
const HOUR_MS = 3_600_000;

const clock = createStillClock(Date.UTC(2026, 0, 15));
const sandbox = await createSandbox({ seed: "s", clock, simulators: [] });
afterAll(() => sandbox.stop());
const url = sandbox.rpcUrl("solana_devnet");
const payer = await createSolanaTestPayer("list incoming");
const network = networkById(NETWORK);
if (!network) throw new Error("not in the network table");

async function pay(to: string, amount: bigint): Promise<string> {
  const ask = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getLatestBlockhash", params: [] });
  const { result } = (await (await fetch(url, { method: "POST", body: ask })).json()) as {
    result: { value: { blockhash: string } };
  };
  const { blockhash } = result.value;
  const payload = await signSolanaTransfer(payer, { fee_payer: FEE_PAYER, mint: MINT, to, amount, blockhash });
  const settled = { network: NETWORK, asset: MINT, pay_to: to, amount, extra: { feePayer: FEE_PAYER } };
  return settleInSandbox(sandbox.facilitatorUrl(), payload, settled);
}

test("every transfer to the token account in the period is listed; those in the books are not opened", async () => {
  const start_ms = clock.now();
  const first = await pay(SELLER, 10_000n);
  await pay(OTHER, 20_000n);
  clock.advance(HOUR_MS);
  const second = await pay(SELLER, 30_000n);
  clock.advance(HOUR_MS);
  await pay(SELLER, 40_000n);

  const question = { network, pay_to: SELLER, from_ms: start_ms - 10_000, until_ms: start_ms + 1.5 * HOUR_MS };
  const found = await listSolanaIncoming({ ...question, isKnown: (one) => one === first, rpc_urls: [url] });
  expect(found.map(({ transaction, from, amount }) => ({ transaction, from, amount }))).toEqual([
    { transaction: second, from: payer.address, amount: 30_000n },
    { transaction: first, from: null, amount: null },
  ]);
});

test("an endpoint that leaves out the owners of balances does not count as showing no transfers", async () => {
  const start_ms = clock.now();
  await pay(SELLER, 10_000n);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const answer = await (await fetch(url, { method: "POST", body: await request.text() })).text();
      return new Response(answer.replaceAll(/"owner":"[^"]*",/g, ""));
    },
  });
  try {
    const question = { network, pay_to: SELLER, from_ms: start_ms - 10_000, until_ms: start_ms + HOUR_MS };
    const rpc_urls = [`http://127.0.0.1:${server.port}`];
    await expect(listSolanaIncoming({ ...question, isKnown: () => false, rpc_urls })).rejects.toThrow("whose");
  } finally {
    await server.stop(true);
  }
});

test("a transaction of a stranger that nobody can read hides nothing else", async () => {
  const start_ms = clock.now();
  const sold = await pay(SELLER, 10_000n);
  const odd = await pay(SELLER, 1n);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const error = { code: -32_015, message: "Transaction version (1) is not supported" };
      if (body.includes("getTransaction") && body.includes(odd)) return Response.json({ jsonrpc: "2.0", id: 1, error });
      return fetch(url, { method: "POST", body });
    },
  });
  try {
    const question = { network, pay_to: SELLER, from_ms: start_ms - 10_000, until_ms: start_ms + HOUR_MS };
    const rpc_urls = [`http://127.0.0.1:${server.port}`];
    const found = await listSolanaIncoming({ ...question, isKnown: () => false, rpc_urls });
    const amounts = new Map(found.map(({ transaction, amount }) => [transaction, amount]));
    expect([amounts.get(sold), amounts.get(odd)]).toEqual([10_000n, null]);
  } finally {
    await server.stop(true);
  }
});
