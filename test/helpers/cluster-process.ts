import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { registry } from "../../src/plugins/registry.gen.ts";

const NODE = join(import.meta.dir, "..", "..", "src", "node.ts");

/** A plugin that sells a number, and whose job writes a record each second, some time after it began. */
const PLUGIN = `
import { Type } from "@sinclair/typebox";
import { defineJob, definePlugin, defineProduct } from "intel-node";
const product = defineProduct({
  path: "/number", title: "Number", description: "Test.", category: "test", tags: ["test"], price_usd: "0.001",
  params: Type.Object({ q: Type.Optional(Type.String({ maxLength: 20 })) }), data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [], requires: [], ttl: "0s", deadline_ms: 5000, preview: { every: "24h" },
  fetch: async () => 1,
  compute: (n, { now_ms }) => ({ as_of_ms: now_ms, data: { n }, warnings: [] }),
});
const job = defineJob({
  id: "tick", schedule: "* * * * * *", providers: [], at_start: false, deadline_ms: 60_000, writes_records: true,
  async run({ records }) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await records.append("ticks", (link) => ({ ...link, pid: process.pid }));
  },
});
export default definePlugin({ id: "number", title: "Number", products: [product], jobs: [job] });
`;

export interface ClusterProcess {
  readonly name: string;
  url(): string;
  pid(): number;
  /** Null while it runs. */
  exitCode(): number | null;
  said(): string;
  start(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
}

export interface ClusterProcessOptions {
  readonly folder: string;
  readonly name: string;
  readonly ledger: string;
  readonly facilitator: string;
  readonly lease: string;
  /** Data folder of the node whose key it has. */
  readonly key_of?: string;
}

export const dataOf = (folder: string, name: string): string => join(folder, name, "data");

/** A node of a cluster in a process of its own, from source. */
export function createClusterProcess(options: ClusterProcessOptions): ClusterProcess {
  const { folder, name, ledger, facilitator, lease, key_of } = options;
  const own = join(folder, name);
  const data = dataOf(folder, name);
  const plugins = join(own, "plugins");
  for (const path of [own, data, plugins]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(plugins, "number.ts"), PLUGIN);
  const config = join(own, "node.toml");
  writeFileSync(
    config,
    `[[facilitators]]
kind = "remote"
url = "${facilitator}"
[server]
port = 0
[data]
dir = ${JSON.stringify(data)}
[plugins]
dir = ${JSON.stringify(plugins)}
disabled = ${JSON.stringify(registry.map(({ id }) => id))}
[payments]
testnet = true
[wallets.base]
pay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
[limits]
loopback_exempt = true
[ledger]
url = "${ledger}"
lease = "${lease}"
[node]
cluster = true
instance = "${name}"
public_url = "https://node.example.com"
`,
  );
  let child: Bun.Subprocess<"ignore", "pipe", "pipe"> | null = null;
  let out = "";
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) out += decoder.decode(chunk, { stream: true });
  };
  return {
    name,
    url: () => /bind +(http\S+)/.exec(out)?.[1] ?? "",
    pid: () => child?.pid ?? 0,
    exitCode: () => child?.exitCode ?? null,
    said: () => out,
    async start() {
      const key = join(data, "node-key.pem");
      if (key_of !== undefined && !existsSync(key)) copyFileSync(join(key_of, "node-key.pem"), key);
      out = "";
      const own_child = Bun.spawn([process.execPath, NODE, "run", "--config", config], {
        stdio: ["ignore", "pipe", "pipe"],
        cwd: own,
        env: { ...process.env },
      });
      child = own_child;
      void read(own_child.stdout);
      void read(own_child.stderr);
      // However long a busy machine takes: the test's own time limit ends it.
      while (!/next +curl/.test(out) && own_child.exitCode === null) await Bun.sleep(20);
      if (own_child.exitCode !== null) throw new Error(`${name} ended: ${out.slice(-1_000)}`);
    },
    signal: (signal) => child?.kill(signal),
    async kill() {
      child?.kill("SIGKILL");
      await child?.exited;
    },
  };
}
