import { afterAll, describe, expect, spyOn, test } from "bun:test";
import { createKeyPairSignerFromPrivateKeyBytes, getBase58Decoder } from "@solana/kit";
import { toClientAvmSigner } from "@x402/avm";
import { ExactAvmScheme } from "@x402/avm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import algosdk from "algosdk";
import { createAlgorandTestPayer } from "../../src/sandbox/test-payer-algorand.ts";
import {
  createSolanaTestPayer,
  type SolanaTestTransfer,
  signSolanaTransfer,
  type TestInstruction,
} from "../../src/sandbox/test-payer-solana.ts";
import { startEngineNode } from "../helpers/engine-node.ts";
import { ALGORAND, startFakeAlgod } from "../helpers/fake-algod.ts";
import { until } from "../helpers/hang-limit.ts";
import { MINT, startSolanaEngine } from "../helpers/litesvm-engine.ts";
import { payFor } from "../helpers/payers.ts";

/** Nodes that settle by themselves on Solana and Algorand, paid by the official clients. Base is in base.test.ts. */
const stops: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});
// The official scheme writes every failed settlement there.
const quiet = spyOn(console, "error").mockImplementation(() => undefined);
afterAll(() => quiet.mockRestore());

const settlementOf = (response: Response) => JSON.parse(atob(response.headers.get("PAYMENT-RESPONSE") ?? ""));
/** Starts a node and keeps what it wrote. */
async function startNode(config: string) {
  let log = "";
  const node = await startEngineNode(config, {
    write: (text) => {
      log += text;
    },
  });
  stops.push(() => node.stop());
  return { ...node, log: () => log };
}

describe("on Solana", () => {
  const NETWORK = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
  const SELLER = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse";
  const FEE = 10_000n;

  async function start({ coins = 1_000_000_000n, more = "", as_list = false } = {}) {
    const engine = startSolanaEngine();
    stops.push(() => engine.stop());
    const seed = crypto.getRandomValues(new Uint8Array(32));
    const gas = await createKeyPairSignerFromPrivateKeyBytes(seed);
    const { publicKey } = gas.keyPair;
    const whole = Buffer.concat([seed, new Uint8Array(await crypto.subtle.exportKey("raw", publicKey))]);
    const key = as_list ? JSON.stringify([...whole]) : getBase58Decoder().decode(whole);
    process.env.TEST_SOLANA_GAS_KEY = key;
    engine.airdrop(gas.address, coins);
    await engine.hold(SELLER, 0n);
    const node = await startNode(`
[wallets.solana]
pay_to = "${SELLER}"
[chains.solana]
rpc = ["${engine.url}"]
[[facilitators]]
kind = "embedded"
networks = ["${NETWORK}"]
gas_key_env = "TEST_SOLANA_GAS_KEY"
${more}
`);
    return { engine, node, gas: gas.address, key };
  }
  type World = Awaited<ReturnType<typeof start>>;
  const newClient = async ({ engine }: World, amount = 1_000_000n) => {
    const signer = await createKeyPairSignerFromPrivateKeyBytes(crypto.getRandomValues(new Uint8Array(32)));
    await engine.hold(signer.address, amount);
    return new x402Client().register("solana:*", new ExactSvmScheme(signer, { rpcUrl: engine.url }));
  };
  const pay = async (world: World, amount?: bigint) =>
    wrapFetchWithPayment(fetch, await newClient(world, amount))(`${world.node.url}/one`);

  test.each([false, true])("a call is paid, and the gas account bears the fee (key as a list: %p)", async (as_list) => {
    const world = await start({ as_list });
    const { engine, node, gas, key } = world;
    const held = engine.coinsOf(gas);
    const response = await pay(world);
    expect(response.status).toBe(200);
    expect(settlementOf(response).transaction).toBe(engine.rows.at(-1)?.signature);
    expect(await engine.balanceOf(SELLER)).toBe(10_000n);
    expect(held - engine.coinsOf(gas)).toBe(FEE + 1n);
    expect(await node.node.audit()).toMatchObject({ ok: true });
    expect(node.log()).not.toContain(key);
  });

  /** A wallet with guards, on a chain of its own. */
  async function payGuarded(
    world: World,
    change: SolanaTestTransfer["change"],
    more: Partial<SolanaTestTransfer> = {},
  ) {
    const { engine, node, gas } = world;
    const payer = await createSolanaTestPayer(crypto.getRandomValues(new Uint8Array(32)));
    await engine.hold(payer.address, 1_000_000n);
    const guard = {
      program: "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95",
      accounts: [{ address: payer.address }],
      data: Buffer.from("guard"),
    };
    const withGuards = (list: readonly TestInstruction[]) =>
      (change?.(list) ?? list).flatMap((one) => (one.program === GUARDS ? [guard, guard] : [one]));
    const terms = { fee_payer: gas, mint: MINT, to: SELLER, amount: 10_000n, blockhash: engine.blockhash() };
    const payload = await signSolanaTransfer(payer, { ...terms, compute_units: 60_000, ...more, change: withGuards });
    const { accepts } = JSON.parse(atob((await fetch(`${node.url}/one`)).headers.get("PAYMENT-REQUIRED") ?? ""));
    const payment = { x402Version: 2, accepted: accepts[0], payload };
    return fetch(`${node.url}/one`, { headers: { "PAYMENT-SIGNATURE": btoa(JSON.stringify(payment)) } });
  }
  const GUARDS = "guards";
  const guards: TestInstruction = { program: GUARDS, accounts: [], data: new Uint8Array() };
  const one = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

  test.each<[string, SolanaTestTransfer["change"]]>([
    ["before the transfer", ([a, b, ...rest]) => [...one(a), ...one(b), guards, ...rest]],
    ["after it", (list) => [...list, guards]],
    ["before and after it", ([a, b, ...rest]) => [...one(a), ...one(b), guards, ...rest, guards]],
  ])("a wallet's guards %s are taken and settled", async (_, change) => {
    const world = await start();
    const response = await payGuarded(world, change);
    expect(response.status).toBe(200);
    expect(settlementOf(response).transaction).toBe(world.engine.rows.at(-1)?.signature);
    expect(await world.engine.balanceOf(SELLER)).toBe(10_000n);
    expect(await world.node.node.audit()).toMatchObject({ ok: true });
  });

  test("guards cover no dear fee: a priority fee without a limit is refused, and costs nothing", async () => {
    const world = await start();
    const held = world.engine.coinsOf(world.gas);
    const unlimited = ([, price, ...rest]: readonly TestInstruction[]) => [...one(price), guards, ...rest];
    const response = await payGuarded(world, unlimited, { micro_lamports: 200_000n });
    expect(response.status).toBe(402);
    expect(world.engine.coinsOf(world.gas)).toBe(held);
  });

  test("an empty wallet is refused, and costs no fee", async () => {
    const world = await start();
    const held = world.engine.coinsOf(world.gas);
    expect((await pay(world, 9_999n)).status).toBe(402);
    expect(world.engine.coinsOf(world.gas)).toBe(held);
  });

  test("an endpoint that fails in verify is no refusal; one that loses the send is resolved on the chain", async () => {
    const world = await start();
    const { engine, node } = world;
    const headers = await payFor(`${node.url}/one`, { network: NETWORK, client: await newClient(world) }, 2);
    const get = () => fetch(`${node.url}/one`, { headers });
    engine.lost.add("simulateTransaction");
    expect((await get()).status).toBe(503);
    engine.lost.clear();
    engine.lost.add("sendTransaction");
    const first = await get();
    engine.lost.clear();
    expect([200, 503]).toContain(first.status);
    let last = first;
    await until(async () => {
      last = await get();
      return last.status !== 503;
    }, "an answer");
    expect(last.status).toBe(200);
    expect(await engine.balanceOf(SELLER)).toBe(10_000n);
  });

  test("without SOL the network is left out, and said", async () => {
    const { node, gas } = await start({ coins: 900_000n });
    expect((await fetch(`${node.url}/one`)).status).toBe(503);
    const live = (await (await fetch(`${node.url}/live`)).json()) as { networks_left_out: { why: string }[] };
    expect(live.networks_left_out[0]?.why).toContain(`the gas account ${gas} holds`);
  });

  test("the hourly cap holds", async () => {
    const world = await start({ more: 'gas_cap_per_hour = "0.00004"' });
    const statuses = [];
    for (let call = 0; call < 4; call++) statuses.push((await pay(world)).status);
    expect(statuses.slice(0, 1)).toEqual([200]);
    expect(statuses.at(-1)).toBe(503);
    const sold = BigInt(statuses.filter((status) => status === 200).length);
    expect(await world.engine.balanceOf(SELLER)).toBe(10_000n * sold);
  });
});

describe("on Algorand", () => {
  const SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
  const TOKEN = "algod-token-of-the-test";

  async function start({ words = false, more = "", coins = 10_000_000 } = {}) {
    const algod = startFakeAlgod();
    stops.push(() => algod.stop());
    algod.hold(SELLER, 0n);
    Object.assign(algod.state, { token: TOKEN, coins });
    const gas = algosdk.generateAccount();
    const key = words ? algosdk.secretKeyToMnemonic(gas.sk) : Buffer.from(gas.sk).toString("base64");
    process.env.TEST_ALGORAND_GAS_KEY = key;
    const node = await startNode(`
[wallets.algorand]
pay_to = "${SELLER}"
[chains.algorand]
rpc = ["${algod.url}"]
indexer = ["${algod.indexer_url}"]
headers = { x-algo-api-token = "${TOKEN}" }
[[facilitators]]
kind = "embedded"
networks = ["${ALGORAND}"]
gas_key_env = "TEST_ALGORAND_GAS_KEY"
${more}
`);
    return { algod, node, key };
  }
  type World = Awaited<ReturnType<typeof start>>;
  async function pay({ algod, node }: World, amount = 1_000_000n) {
    const payer = await createAlgorandTestPayer(crypto.getRandomValues(new Uint8Array(32)));
    algod.hold(payer.address, amount);
    const signer = toClientAvmSigner(Buffer.from(payer.secret).toString("base64"));
    // The client asks algod without a token.
    algod.state.token = "";
    const client = new x402Client().register("algorand:*", new ExactAvmScheme(signer, { algodUrl: algod.url }));
    const whole = await payFor(`${node.url}/one`, { network: ALGORAND, client }, 2);
    algod.state.token = TOKEN;
    return { response: await fetch(`${node.url}/one`, { headers: whole }), payer: payer.address };
  }

  test.each([false, true])("a call is paid, with the operator's token for algod (key in words: %p)", async (words) => {
    const world = await start({ words });
    const { algod, node, key } = world;
    const { response, payer } = await pay(world);
    expect(response.status).toBe(200);
    const { transaction } = settlementOf(response);
    expect(algod.bank.find(transaction)?.transfers).toEqual([
      { transaction, from: payer, to: SELLER, amount: "10000" },
    ]);
    expect(await node.node.audit()).toMatchObject({ ok: true });
    expect(node.log()).not.toContain(key);
    expect(node.log()).not.toContain(TOKEN);
  });

  test("an empty wallet is refused", async () => {
    const { response } = await pay(await start(), 9_999n);
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ charged: false });
  });

  test("without ALGO beyond what an account must keep the network is left out", async () => {
    const { node } = await start({ coins: 105_000 });
    expect((await fetch(`${node.url}/one`)).status).toBe(503);
  });

  test("the hourly cap holds", async () => {
    const world = await start({ more: 'gas_cap_per_hour = "0.011"' });
    expect((await pay(world)).response.status).toBe(200);
    await until(async () => (await fetch(`${world.node.url}/one`)).status === 503, "a refusal");
    expect(world.algod.balanceOf(SELLER)).toBe(10_000n);
  });
});
