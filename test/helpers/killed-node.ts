import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSettableClock } from "../../src/core/clock.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { numberPlugin } from "./file-node.ts";

const NODE = join(import.meta.dir, "..", "..", "src", "node.ts");

/** Sells a number that a peer is said to have been paid: costs 1,000 to 10,000, as each answer says. */
export const METERED_PLUGIN = numberPlugin("metered", 0)
  .replace("fetch: async () => 0,", "fetch: async () => Math.floor(Math.random() * 150_000),")
  .replace('ttl: "60s"', 'ttl: "0s", metered: { by: "peer_price", read: ({ n }) => BigInt(n) }');

interface KilledNodeOptions {
  /** Of its folder, and the seed of its chain. */
  readonly name: string;
  /** The source of each plugin by its file's name; nothing else is sold. */
  readonly plugins: Readonly<Record<string, string>>;
  /** Tables of its configuration besides its own. */
  readonly toml?: string;
}

/** A node that is run from source in a process of its own, on a chain that outlives it. */
export async function createKilledNode({ name, plugins, toml = "" }: KilledNodeOptions) {
  const sandbox = await createSandbox({ seed: name, clock: createSettableClock(), simulators: [] });
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const file = join(folder, "node.toml");
  mkdirSync(join(folder, "plugins"));
  for (const [id, source] of Object.entries(plugins)) writeFileSync(join(folder, "plugins", `${id}.ts`), source);
  writeFileSync(
    file,
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
[chains.base_sepolia]
rpc = ["${sandbox.rpcUrl("base_sepolia")}"]
[wallets.base]
pay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
[limits]
loopback_exempt = true
${toml}`,
  );

  /** Starts it, and waits until it sells. */
  async function start() {
    let out = "";
    const child = Bun.spawn([process.execPath, NODE, "run", "--config", file], {
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

  /**
   * Starts it so many times, lets buyers buy, and kills it at a moment of its own.
   * @param buy one call; whether it was answered
   */
  async function killWhileSelling(rounds: number, kill_ms_max: number, buy: (url: string) => Promise<boolean>) {
    for (let round = 0; round < rounds; round += 1) {
      const node = await start();
      // Every other round it is killed while it sells; a slow machine else never comes so far.
      if (round % 2 === 1) while (!(await buy(node.url))) await Bun.sleep(20);
      let killed = false;
      const dies = Bun.sleep(Math.random() * kill_ms_max).then(async () => {
        killed = true;
        await node.kill();
      });
      while (!killed) await buy(node.url);
      await dies;
    }
  }

  return {
    sandbox,
    start,
    killWhileSelling,
    /** Its books, while it is not running. */
    openBooks: () => openLedger({ file: join(folder, "data", "ledger.db"), clock: createSettableClock() }),
    async stop() {
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
