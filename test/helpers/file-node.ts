import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadDemoConfig } from "../../src/commands/demo-config.ts";
import type { SettableClock, Timers } from "../../src/core/clock.ts";
import type { RunningNode } from "../../src/node/parts.ts";
import { startNode } from "../../src/node/start-node.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { createStillClock } from "./still-clock.ts";

/** The real node on sandbox money, from a configuration file with a plugin folder that a test may change. */
export interface FileNode {
  readonly url: string;
  readonly node: RunningNode;
  readonly sandbox: Sandbox;
  readonly clock: SettableClock;
  readonly data: string;
  /** Its configuration file. */
  readonly file: string;
  /** Every line of the log so far. */
  readonly log: string[];
  /** Writes the configuration; paths are meant from its folder. */
  write(toml: string): void;
  writePlugin(name: string, source: string): void;
  removePlugin(name: string): void;
  /** A call with the operator's token. */
  ask(path: string, body?: unknown, method?: string): Promise<Response>;
  /** Stops it, does something with its folder, and starts another one there. */
  restart(between?: () => Promise<void>): Promise<void>;
  /** Starts one where a restart failed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Built-in domains: a node that sells its own plugin alone starts at once. */
const DOMAINS = registry.map(({ id }) => id);

/** A configuration that sells what stands in the plugin folder, and whatever else a test adds. */
export const ownPlugins = (more = ""): string =>
  `[plugins]\ndir = "./plugins"\ndisabled = ${JSON.stringify(DOMAINS)}\n${more}`;

/** A plugin that sells one number, at a path of its own. */
export const numberPlugin = (id: string, n: number, more = ""): string => `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";
const product = defineProduct({
  path: "/${id}", title: "Number", description: "A number of the tests.", category: "test", tags: ["test"],
  price_usd: "0.01", params: Type.Object({}), data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [], requires: [], ttl: "60s", deadline_ms: 5000, preview: { every: "24h" },
  fetch: async () => ${n},
  compute: (n, { now_ms }) => ({ as_of_ms: now_ms, data: { n }, warnings: [] }),
});
${more}
export default definePlugin({ id: "${id}", title: "Number", products: [product] });
`;

export interface FileNodeOptions {
  readonly toml?: string;
  readonly plugins?: Readonly<Record<string, string>>;
  /** A folder that has all of it already, as after a restore; nothing is written into it before the node starts. */
  readonly folder?: string;
  /** What ends calls that take too long; the system's unless given. */
  readonly timers?: Timers;
}

export async function startFileNode(options: FileNodeOptions = {}): Promise<FileNode> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "file-node-"));
  const file = join(folder, "node.toml");
  const data = join(folder, "data");
  const plugins = join(folder, "plugins");
  const write = (toml: string) => writeFileSync(file, toml);
  const writePlugin = (name: string, source: string) => writeFileSync(join(plugins, `${name}.ts`), source);
  if (options.folder === undefined) {
    mkdirSync(plugins);
    mkdirSync(data);
    for (const [name, source] of Object.entries(options.plugins ?? { one: numberPlugin("one", 1) })) {
      writePlugin(name, source);
    }
    write(options.toml ?? ownPlugins());
  }
  // Buyers sign by the system's clock.
  const clock = createStillClock(Date.now());
  const sandbox = await createSandbox({ seed: "test", clock, simulators: [] });
  const lines: string[] = [];
  const load = async () => {
    const place = { config: file, plugins: undefined, port: 0, data, facilitator_url: sandbox.facilitatorUrl() };
    const read = await loadDemoConfig(place);
    return "faults" in read ? read : { ...read, secrets: [] };
  };
  const start = async () => {
    const loaded = await load();
    if ("faults" in loaded) throw new Error(loaded.faults);
    const node = await startNode({
      config: loaded.config,
      data_dir: data,
      clock,
      ...(options.timers === undefined ? {} : { timers: options.timers }),
      log: createLog({ level: "info", format: "json", secrets: [], write: (text) => void lines.push(text) }),
      version: "0.0.0-test",
      sandbox: { world: sandbox, clock, live_data: false, seed_history: false },
      plugins: loaded.plugins,
      source: { first: loaded.read, load },
    });
    await node.settled;
    return node;
  };
  let node = await start();
  return {
    get url() {
      return node.url;
    },
    get node() {
      return node;
    },
    sandbox,
    clock,
    data,
    file,
    log: lines,
    write,
    writePlugin,
    removePlugin: (name) => rmSync(join(plugins, `${name}.ts`)),
    ask(path, body, method = body === undefined ? "GET" : "POST") {
      const headers = { authorization: `Bearer ${node.operator_token}`, "content-type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return fetch(`${node.url}${path}`, { method, headers, redirect: "manual", ...sent });
    },
    async restart(between) {
      await node.stop(() => undefined);
      await between?.();
      node = await start();
    },
    async start() {
      node = await start();
    },
    async stop() {
      await node.stop(() => undefined);
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
