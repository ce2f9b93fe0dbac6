import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { familyOf } from "../../src/payments/networks/families.ts";
import { findTokenAccount } from "../../src/payments/networks/solana/token-account.ts";
import { type Network, networkById } from "../../src/payments/networks/table.ts";
import { askSeller } from "../../src/payments/seller/ask-seller.ts";
import type { AccountState } from "../../src/sandbox/chains/account-states.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const table = (id: string): Network => {
  const found = networkById(id);
  if (!found) throw new Error(id);
  return found;
};
const BASE = table("eip155:84532");
const SOLANA = table("solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1");
const ALGORAND = table("algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe");
const EVM_SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const SOLANA_SELLER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
const ALGORAND_SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
const SELLERS = [
  { network: SOLANA, pay_to: SOLANA_SELLER, main: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp" },
  { network: ALGORAND, pay_to: ALGORAND_SELLER, main: "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k" },
] as const;
/** Nothing listens there. */
const DEAD = "http://127.0.0.1:9";

// Official clients sign by the system's clock.
const sandbox = await createSandbox({ seed: "s", clock: createStillClock(Date.now()), simulators: [] });
sandbox.introduce(SOLANA.id, SOLANA_SELLER);
afterAll(() => sandbox.stop());
const steer = async (path: string, body: unknown): Promise<void> => {
  const init = { method: "POST", body: JSON.stringify(body) };
  const answer = await sandbox.handleControl(new Request(`http://localhost/__sandbox${path}`, init));
  if (answer.status !== 200) throw new Error(await answer.text());
};
const setAccount = (network: Network, address: string, state: AccountState) =>
  steer("/account", { network: network.id, address, state });

for (const { network, pay_to, main } of SELLERS) {
  const url = sandbox.rpcUrl(network.chain);
  const ask = (rpc_urls: readonly string[], of = network) => askSeller({ network: of, pay_to, rpc_urls });

  describe(`whether a seller can be paid on ${network.id}`, () => {
    beforeEach(async () => {
      await steer("/chain", { network: network.id, fault: "none" });
      await setAccount(network, pay_to, "open");
    });

    test("an account that is there can", async () => {
      expect(await ask([url])).toEqual({ kind: "yes" });
    });

    test("one that is missing cannot, until it is there", async () => {
      await setAccount(network, pay_to, "missing");
      expect(await ask([url])).toMatchObject({ kind: "no", why: expect.stringMatching(/does not exist|not opted in/) });
      await setAccount(network, pay_to, "open");
      expect(await ask([url])).toEqual({ kind: "yes" });
    });

    test("one that is frozen cannot", async () => {
      await setAccount(network, pay_to, "frozen");
      expect(await ask([url])).toMatchObject({ kind: "no", why: expect.stringContaining("frozen") });
    });

    test.each(["http500", "http429", "garbage"])("an endpoint that answers %s knows nothing", async (fault) => {
      await setAccount(network, pay_to, "missing");
      await steer("/chain", { network: network.id, fault });
      expect(await ask([url])).toMatchObject({ kind: "unknown" });
    });

    test("no endpoint, and none that listens, know nothing", async () => {
      expect(await ask([])).toMatchObject({ kind: "unknown", why: expect.stringContaining("endpoint is configured") });
      expect(await ask([DEAD])).toMatchObject({ kind: "unknown" });
    });

    test("an endpoint of another network knows nothing, though it has an answer", async () => {
      await setAccount(network, pay_to, "missing");
      expect(await ask([url], table(main))).toMatchObject({ kind: "unknown", why: expect.stringContaining("another") });
    });

    test("an endpoint that is dead leaves the word to the next", async () => {
      expect(await ask([DEAD, url])).toEqual({ kind: "yes" });
      await setAccount(network, pay_to, "missing");
      expect(await ask([DEAD, url, DEAD])).toMatchObject({ kind: "no" });
    });

    test("one endpoint that sees the account is enough, because others may lag", async () => {
      await steer("/chain", { network: network.id, fault: "none" });
      const lagging = serveMissing(network);
      expect(await ask([lagging.url])).toMatchObject({ kind: "no" });
      expect(await ask([lagging.url, url])).toEqual({ kind: "yes" });
      await lagging.stop();
    });
  });
}

/** A node of a network that does not know the account yet. */
function serveMissing(network: Network) {
  const genesis_hash = "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=";
  return network === SOLANA
    ? serveAccount(null)
    : serve(({ url }) =>
        url.endsWith("/params")
          ? Response.json({ "genesis-hash": genesis_hash })
          : Response.json({ message: "account asset info not found" }, { status: 404 }),
      );
}

function serve(fetch: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

/** A Solana devnet node that shows one account, whichever is asked for. */
const serveAccount = (value: unknown) =>
  serve(async (request) => {
    const { method } = (await request.json()) as { method: string };
    const genesis = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";
    const result = method === "getGenesisHash" ? genesis : { context: { slot: 1 }, value };
    return Response.json({ jsonrpc: "2.0", id: 1, result });
  });

describe("a Solana token account", () => {
  const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
  /** The seller's own, as the sandbox shows it. */
  async function readOwn(): Promise<Buffer> {
    const account = findTokenAccount(SOLANA_SELLER, SOLANA.asset);
    const body = { jsonrpc: "2.0", id: 1, method: "getAccountInfo", params: [account, { encoding: "base64" }] };
    const init = { method: "POST", body: JSON.stringify(body) };
    const answer = (await (await fetch(sandbox.rpcUrl(SOLANA.chain), init)).json()) as {
      result: { value: { data: [string] } };
    };
    return Buffer.from(answer.result.value.data[0], "base64");
  }
  const askShown = async (value: unknown) => {
    const node = serveAccount(value);
    const word = await askSeller({ network: SOLANA, pay_to: SOLANA_SELLER, rpc_urls: [node.url] });
    await node.stop();
    return word;
  };
  const show = (data: Buffer, owner = TOKEN) => askShown({ owner, data: [data.toString("base64"), "base64"] });

  test("as it should be is good", async () => {
    expect(await show(await readOwn())).toEqual({ kind: "yes" });
  });

  test.each([
    ["of another mint", (data: Buffer) => data.fill(7, 0, 32), "another mint"],
    ["given away to another wallet", (data: Buffer) => data.fill(7, 32, 64), "another wallet"],
    ["never set up", (data: Buffer) => data.fill(0, 108, 109), "not set up"],
    ["that is a mint", (data: Buffer) => data.subarray(0, 82), "not set up"],
    ["that holds nothing", () => Buffer.alloc(0), "not set up"],
  ])("%s is not", async (_what, change, why) => {
    expect(await show(change(await readOwn()))).toMatchObject({ kind: "no", why: expect.stringContaining(why) });
  });

  test("of another program is not", async () => {
    const word = await show(await readOwn(), "11111111111111111111111111111111");
    expect(word).toMatchObject({ kind: "no", why: expect.stringContaining("not the token program's") });
  });

  test.each([
    ["no data", { owner: TOKEN }],
    ["data in another encoding", { owner: TOKEN, data: ["", "base58"] }],
    ["a text", "none"],
  ])("shown as %s says nothing", async (_what, value) => {
    expect(await askShown(value)).toMatchObject({ kind: "unknown" });
  });
});

describe("on EVM", () => {
  const ask = (pay_to: string) => askSeller({ network: BASE, pay_to, rpc_urls: [] });
  test("any address can be paid, without asking anybody", async () => {
    expect(await ask(EVM_SELLER)).toEqual({ kind: "yes" });
  });
  test("but not the zero address, nor the token's own contract in any spelling", async () => {
    expect(await ask(`0x${"0".repeat(40)}`)).toMatchObject({ kind: "no" });
    expect(await ask(BASE.asset)).toMatchObject({ kind: "no" });
    expect(await ask(BASE.asset.toLowerCase())).toMatchObject({ kind: "no" });
  });
});

describe("a refusal blames the seller", () => {
  const blame = (network: Network, pay_to: string, reason: string, detail?: string) =>
    familyOf(network).blamesSeller?.({
      reason,
      ...(detail === undefined ? {} : { detail }),
      requirement: {
        scheme: "exact",
        network: network.id,
        amount: "1",
        asset: network.asset,
        payTo: pay_to,
        maxTimeoutSeconds: 1,
        extra: {},
      },
    });

  const svm = "invalid_exact_svm_transaction_simulation_failed";
  test.each([
    ["maybe", svm, 'Simulation failed: {"InstructionError":[2,"InvalidAccountData"]}'],
    ["maybe", svm, 'Simulation failed: {"InstructionError":["2",{"Custom":17}]}'],
    ["maybe", svm, undefined],
    ["maybe", "transaction_simulation_failed: InvalidAccountData", undefined],
    ["no", svm, 'Simulation failed: {"InstructionError":[2,{"Custom":1}]}'],
    ["no", svm, 'Simulation failed: {"InstructionError":[2,{"Custom":170}]}'],
    ["no", svm, 'Simulation failed: "BlockhashNotFound"'],
    ["no", "insufficient_funds", undefined],
    ["no", "invalid_exact_svm_payload_amount_mismatch", "InvalidAccountData"],
  ] as const)("on Solana: %s, of %s %s", (wanted, reason, detail) => {
    expect(blame(SOLANA, SOLANA_SELLER, reason, detail)).toBe(wanted);
  });

  const avm = "invalid_exact_avm_simulation_failed";
  const { asset } = ALGORAND;
  const other = "RKEOHXLUBHYZL7KS3MWTZOS5OLFGOCN7DWKBEG7TOSEADNAPN5OOTUNSLE";
  test.each([
    ["yes", avm, `transaction X: receiver error: must optin, asset ${asset} missing from ${ALGORAND_SELLER}`],
    ["yes", avm, `transaction X: asset ${asset} frozen in ${ALGORAND_SELLER}`],
    ["maybe", avm, undefined],
    ["no", avm, `transaction X: receiver error: must optin, asset ${asset} missing from ${other}`],
    ["no", avm, `transaction X: receiver error: must optin, asset 1${asset} missing from ${other}`],
    ["no", avm, `transaction X: receiver error: must optin, asset 7 missing from ${ALGORAND_SELLER}`],
    ["no", avm, `transaction X: asset ${asset} frozen in ${other}`],
    ["no", avm, "transaction X: underflow on subtracting 10000 from sender amount 0"],
    ["no", "invalid_exact_avm_signature", `asset ${asset} missing from ${ALGORAND_SELLER}`],
  ] as const)("on Algorand: %s, of %s %s", (wanted, reason, detail) => {
    expect(blame(ALGORAND, ALGORAND_SELLER, reason, detail)).toBe(wanted);
  });

  test("never on EVM", () => {
    expect(blame(BASE, EVM_SELLER, "invalid_exact_evm_transaction_simulation_failed")).toBeUndefined();
  });
});
