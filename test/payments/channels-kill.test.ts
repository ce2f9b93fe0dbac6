import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodePaymentResponseHeader } from "@x402/core/http";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { createPublicClient, http } from "viem";
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
  sandbox = await createSandbox({ seed: "kill", clock: createSettableClock(), simulators: [] });
  folder = mkdtempSync(join(tmpdir(), "channels-kill-"));
  mkdirSync(join(folder, "plugins"));
  writeFileSync(join(folder, "plugins", "number.ts"), numberPlugin("number", 1));
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
[payments.channels]
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

function createBuyer() {
  const account = privateKeyToAccount(generatePrivateKey());
  const chain = createPublicClient({ transport: http(sandbox.rpcUrl("base_sepolia")) });
  const signer = { ...account, readContract: (args: never) => chain.readContract(args) };
  const scheme = new BatchSettlementEvmScheme(signer as never, { depositPolicy: { depositMultiplier: 4 } });
  return wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", scheme));
}

test("a node that is killed at any moment charges each answer once, and loses no voucher it acknowledged", async () => {
  const buy = createBuyer();
  let delivered = 0;
  let acknowledged = 0n;
  /** One call, sent again until it is answered: the same request each time. Every other one is metered. */
  const buyOnce = async (origin: string): Promise<boolean> => {
    const response = await buy(`${origin}/${delivered % 2 === 0 ? "number" : "metered"}`).catch(() => null);
    if (response?.status !== 200) return false;
    const told = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "") as unknown as {
      extra: { chargedAmount: string; channelState: { chargedCumulativeAmount: string } };
    };
    delivered += 1;
    acknowledged += BigInt(told.extra.chargedAmount);
    expect(BigInt(told.extra.channelState.chargedCumulativeAmount)).toBe(acknowledged);
    return true;
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    const node = await startNode();
    // Every other round it is killed while it sells; a slow machine else never comes so far.
    if (round % 2 === 1) while (!(await buyOnce(node.url))) await Bun.sleep(20);
    let killed = false;
    const dies = Bun.sleep(Math.random() * KILL_MS_MAX).then(async () => {
      killed = true;
      await node.kill();
    });
    while (!killed) await buyOnce(node.url);
    await dies;
  }

  const last = await startNode();
  for (let n = 0; n < 3; n += 1) {
    // What was cut off in the middle of a deposit is looked up on the chain first.
    while (!(await buyOnce(last.url))) await Bun.sleep(100);
  }
  await last.kill();
  const books = openLedger({ file: join(folder, "data", "ledger.db"), clock: createSettableClock() });
  try {
    expect((await books.audit()).findings).toEqual([]);
    const [total] = await books.channels.totals();
    expect(total?.earned).toBe(acknowledged);
    expect(total?.channels).toBe(1);
  } finally {
    await books.close();
  }
});
