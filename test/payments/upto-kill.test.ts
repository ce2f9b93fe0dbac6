import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodePaymentResponseHeader } from "@x402/core/http";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createSettableClock } from "../../src/core/clock.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { repeat } from "../helpers/effort.ts";
import { numberPlugin } from "../helpers/file-node.ts";

const NODE = join(import.meta.dir, "..", "..", "src", "node.ts");
const ROUNDS = repeat({ quick: 3, full: 30, long: 200 });
/** How long after its first call of a round the node is killed, at most. */
const KILL_MS_MAX = 250;

/** Costs 1,000 to 10,000, as each answer says. */
const METERED = numberPlugin("metered", 0)
  .replace("fetch: async () => 0,", "fetch: async () => Math.floor(Math.random() * 150_000),")
  .replace('ttl: "60s"', 'ttl: "0s", metered: { by: "peer_price", read: ({ n }) => BigInt(n) }');

let sandbox: Sandbox;
let folder = "";
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "upto-kill", clock: createSettableClock(), simulators: [] });
  folder = mkdtempSync(join(tmpdir(), "upto-kill-"));
  mkdirSync(join(folder, "plugins"));
  writeFileSync(join(folder, "plugins", "metered.ts"), METERED);
  writeFileSync(
    join(folder, "node.toml"),
    `[[facilitators]]
kind = "remote"
url = "${sandbox.facilitatorUrl()}"
[server]
port = 0
[data]
dir = ${JSON.stringify(join(folder, "data"))}
[plugins]
dir = ${JSON.stringify(join(folder, "plugins"))}
disabled = ${JSON.stringify(registry.map(({ id }) => id))}
[payments]
testnet = true
[payments.upto]
enabled = true
[metering]
enabled = true
[chains.base_sepolia]
rpc = ["${sandbox.rpcUrl("base_sepolia")}"]
[wallets.base]
pay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
[limits]
loopback_exempt = true
`,
  );
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The node in a process of its own, from source. */
async function startNode() {
  let out = "";
  const child = Bun.spawn([process.execPath, NODE, "run", "--config", join(folder, "node.toml")], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: folder,
  });
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) out += new TextDecoder().decode(chunk);
  };
  void read(child.stdout);
  void read(child.stderr);
  while (!/next +curl/.test(out) && child.exitCode === null) await Bun.sleep(20);
  if (child.exitCode !== null) throw new Error(`the node ended: ${out.slice(-1_000)}`);
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { url: /bind +(http\S+)/.exec(out)?.[1] ?? "", kill };
}

interface Bought {
  readonly transaction: string;
  readonly amount: bigint;
}

function createBuyer() {
  const account = privateKeyToAccount(generatePrivateKey());
  const client = new x402Client().register("eip155:*", new UptoEvmScheme(account));
  const pay = wrapFetchWithPayment(fetch, client);
  const bought: Bought[] = [];
  /** One call. @returns whether it was answered. */
  const buy = async (origin: string): Promise<boolean> => {
    const response = await pay(`${origin}/metered`).catch(() => null);
    if (response?.status !== 200) return false;
    const told = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "");
    const { data } = (await response.json()) as { data: { n: number } };
    const amount = BigInt(told.amount ?? "0");
    // The published formula: a tenth of what the peer was paid, from the floor to the price.
    const formula = BigInt(data.n) / 10n;
    expect(amount).toBe(formula < 1_000n ? 1_000n : formula > 10_000n ? 10_000n : formula);
    bought.push({ transaction: told.transaction, amount });
    return true;
  };
  return { buy, bought, address: account.address };
}

/** What left a wallet that began with 100 USDC. */
const spentBy = (address: string): bigint => 100_000_000n - BigInt(sandbox.readChain().balance(address));

test("a node that is killed at any moment takes each charge once, and never more than it wrote down", async () => {
  const buyer = createBuyer();
  for (let round = 0; round < ROUNDS; round += 1) {
    const node = await startNode();
    // Every other round it is killed while it sells; a slow machine else never comes so far.
    if (round % 2 === 1) while (!(await buyer.buy(node.url))) await Bun.sleep(20);
    let killed = false;
    const dies = Bun.sleep(Math.random() * KILL_MS_MAX).then(async () => {
      killed = true;
      await node.kill();
    });
    while (!killed) await buyer.buy(node.url);
    await dies;
  }

  const last = await startNode();
  // What was cut off while it was settled is looked up on the chain first, and answers the next call.
  for (let n = 0; n < 3; n += 1) while (!(await buyer.buy(last.url))) await Bun.sleep(100);
  await last.kill();
  const books = openLedger({ file: join(folder, "data", "ledger.db"), clock: createSettableClock() });
  try {
    expect((await books.audit()).findings).toEqual([]);
    const receipts = await books.receipts.list({ limit: 10_000 });
    const booked = new Map(receipts.map((one) => [one.chain_transaction, one.amount]));
    for (const { transaction, amount } of buyer.bought) expect(booked.get(transaction.toLowerCase())).toBe(amount);
    const sum = receipts.reduce((all, one) => all + one.amount, 0n);
    const open = await books.payments.listUnknown(100);
    // Money moved by what is booked, or by what is still open, each at the charge that was written down.
    const most = open.reduce((all, one) => all + one.amount, sum);
    expect(spentBy(buyer.address)).toBeGreaterThanOrEqual(sum);
    expect(spentBy(buyer.address)).toBeLessThanOrEqual(most);
  } finally {
    await books.close();
  }
});
