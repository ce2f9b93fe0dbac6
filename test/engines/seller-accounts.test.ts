import { afterAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";
import { toClientAvmSigner } from "@x402/avm";
import { ExactAvmScheme } from "@x402/avm/exact/client";
import { x402Client } from "@x402/fetch";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import { networkById } from "../../src/payments/networks/table.ts";
import { askSeller } from "../../src/payments/seller/ask-seller.ts";
import { createAlgorandTestPayer } from "../../src/sandbox/test-payer-algorand.ts";
import { startEngineNode } from "../helpers/engine-node.ts";
import { ALGORAND, startFakeAlgod } from "../helpers/fake-algod.ts";
import { startAlgorandFacilitator } from "../helpers/fake-algod-facilitator.ts";
import { startSolanaEngine } from "../helpers/litesvm-engine.ts";
import { startSolanaFacilitator } from "../helpers/litesvm-facilitator.ts";
import { payFor } from "../helpers/payers.ts";

/** Sellers whose accounts come and go, on the real token program and on a strict Algorand main network. */
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const SOLANA_SELLER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const ALGORAND_SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";

const quiet = spyOn(console, "error").mockImplementation(() => undefined);
const engine = startSolanaEngine();
const algod = startFakeAlgod();
const facilitators = [await startSolanaFacilitator(engine), await startAlgorandFacilitator(algod)];
const seller = await startEngineNode(`
[wallets.solana]
pay_to = "${SOLANA_SELLER}"
[wallets.algorand]
pay_to = "${ALGORAND_SELLER}"
[chains.solana]
rpc = ["${engine.url}"]
[chains.algorand]
rpc = ["${algod.url}"]
${facilitators.map(({ url }) => `[[facilitators]]\nkind = "remote"\nurl = "${url}"\n`).join("")}
`);
afterAll(async () => {
  quiet.mockRestore();
  await seller.stop();
  await Promise.all([...facilitators.map((one) => one.stop()), engine.stop(), algod.stop()]);
});

const checkAgain = async (): Promise<void> => {
  seller.clock.advance(60_000);
  await seller.node.checkSellers();
};
const offered = async (): Promise<readonly string[]> => {
  const header = (await fetch(`${seller.url}/one`)).headers.get("PAYMENT-REQUIRED");
  const { accepts = [] } = header === null ? {} : JSON.parse(atob(header));
  return (accepts as { network: string }[]).map(({ network }) => network);
};
const ask = (id: string, pay_to: string, url: string) => {
  const network = networkById(id);
  if (!network) throw new Error(id);
  return askSeller({ network, pay_to, rpc_urls: [url] });
};

async function payOnSolana(held: bigint | null = 1_000_000n) {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
  if (held !== null) await engine.hold(signer.address, held);
  const client = new x402Client().register("solana:*", new ExactSvmScheme(signer, { rpcUrl: engine.url }));
  return payFor(`${seller.url}/one`, { network: SOLANA, client }, 2);
}
async function payOnAlgorand(held: bigint | null = 1_000_000n) {
  const { secret, address } = await createAlgorandTestPayer(crypto.getRandomValues(new Uint8Array(32)));
  if (held !== null) algod.hold(address, held);
  const scheme = new ExactAvmScheme(toClientAvmSigner(Buffer.from(secret).toString("base64")), { algodUrl: algod.url });
  return payFor(`${seller.url}/one`, { network: ALGORAND, client: new x402Client().register("algorand:*", scheme) }, 2);
}
const buy = (headers: Record<string, string>) => fetch(`${seller.url}/one`, { headers });

test("nothing is offered without accounts; each network comes with its own, without a restart", async () => {
  expect(await offered()).toEqual([]);
  const nothing = await fetch(`${seller.url}/one`);
  expect(nothing.status).toBe(503);
  await engine.hold(SOLANA_SELLER, 0n);
  await checkAgain();
  expect(await offered()).toEqual([SOLANA]);
  algod.hold(ALGORAND_SELLER, 0n);
  await checkAgain();
  expect(await offered()).toEqual([SOLANA, ALGORAND]);
  expect((await buy(await payOnSolana())).status).toBe(200);
  expect((await buy(await payOnAlgorand())).status).toBe(200);
});

test("the job that looks again is one of the node's", async () => {
  const headers = { authorization: `Bearer ${seller.node.operator_token}` };
  const status = (await (await fetch(`${seller.url}/admin/status`, { headers })).json()) as { jobs: { id: string }[] };
  expect(status.jobs.map(({ id }) => id)).toContain("seller-accounts");
});

describe("with both accounts there", () => {
  beforeEach(async () => {
    await engine.hold(SOLANA_SELLER, 0n);
    algod.bank.accounts.set(ALGORAND_SELLER, "open");
    if (algod.balanceOf(ALGORAND_SELLER) === null) algod.hold(ALGORAND_SELLER, 0n);
    await checkAgain();
    expect(await offered()).toEqual([SOLANA, ALGORAND]);
  });

  test.each(["closed", "frozen"])(
    "a Solana account that is %s is found by a buyer, who is not blamed",
    async (what) => {
      const headers = await payOnSolana();
      if (what === "closed") await engine.close(SOLANA_SELLER);
      else await engine.hold(SOLANA_SELLER, 0n, "frozen");
      const answer = await buy(headers);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({ code: "facilitator_unavailable", charged: false });
      expect(await offered()).toEqual([ALGORAND]);
      expect(await ask(SOLANA, SOLANA_SELLER, engine.url)).toMatchObject({ kind: "no" });
    },
  );

  test.each(["missing", "frozen"] as const)("an Algorand account that is %s is found by a buyer", async (state) => {
    const headers = await payOnAlgorand();
    algod.bank.accounts.set(ALGORAND_SELLER, state);
    const answer = await buy(headers);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: "facilitator_unavailable", charged: false });
    expect(await offered()).toEqual([SOLANA]);
    expect(await ask(ALGORAND, ALGORAND_SELLER, algod.url)).toMatchObject({ kind: "no" });
  });

  test("buyers who have no account, or an empty one, take no network from anybody", async () => {
    for (const held of [null, 0n]) {
      expect((await buy(await payOnSolana(held))).status).toBe(402);
      expect((await buy(await payOnAlgorand(held))).status).toBe(402);
      expect(await offered()).toEqual([SOLANA, ALGORAND]);
    }
  });
});
