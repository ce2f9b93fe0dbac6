import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, DOMAINS, newFolder } from "./demo-node.ts";
import { until } from "./hang-limit.ts";
import { noteOutput } from "./secrets.ts";

/** A facilitator that says yes, with counters and a switch. */
export function startFacilitator(port = 0) {
  const calls = { supported: 0, verify: 0, settle: 0, headers: [] as string[] };
  const state = { settle_ms: 0 };
  const kinds = [{ x402Version: 2, scheme: "exact", network: "eip155:84532" }];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      calls.headers.push(request.headers.get("x-auth") ?? "");
      if (path === "/supported") {
        calls.supported += 1;
        return Response.json({ kinds, extensions: [], signers: {} });
      }
      const payer = "0x0000000000000000000000000000000000000001";
      if (path === "/verify") {
        calls.verify += 1;
        return Response.json({ isValid: true, payer });
      }
      calls.settle += 1;
      await Bun.sleep(state.settle_ms);
      // A transaction pays once, so no two facilitators, and none started again, may name the same.
      const transaction = `0x${crypto.randomUUID().replaceAll("-", "")}${String(calls.settle).padStart(32, "0")}`;
      return Response.json({ success: true, transaction, network: "eip155:84532", payer });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: Number(server.port),
    calls,
    state,
    stop: () => server.stop(true),
  };
}

/** A port that was free a moment ago: nothing answers there. */
export async function freePort(): Promise<number> {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const port = Number(server.port);
  await server.stop(true);
  return port;
}

/**
 * A plugin that sells the answer of a local upstream, so that a real node can be bought from without a network. Its
 * deadline is the longest with which every network is offered.
 */
export const localPlugin = (upstream: string): string => `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct, defineProvider } from "intel-node";
const local = defineProvider({
  id: "local_test", title: "Local", docs_url: "http://127.0.0.1/", base_urls: ["${upstream}"],
  terms: { class: "open", note: "test" },
  limits: { rate_per_s: 1000, burst: 1000, timeout_ms: 10000, attempts: 1, body_bytes_max: 10000 },
  key: { required: false, in: "header", name: "x-key" },
});
const product = defineProduct({
  path: "/local", title: "Local", description: "Test.", category: "test", tags: ["test"], price_usd: "0.001",
  params: Type.Object({}), data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [local], requires: [[local]], ttl: "0s", deadline_ms: 12000, preview: { every: "1h" },
  fetch: (context) => context.get(local, { path: "/n", schema: Type.Object({ n: Type.Number() }), ttl_ms: 0 }),
  compute: (inputs, { now_ms }) => ({ as_of_ms: now_ms, data: { n: inputs.n }, warnings: [] }),
});
export default definePlugin({ id: "local", title: "Local", products: [product] });
`;

export function startUpstream() {
  const state = { n: 1, calls: 0, keys: [] as string[] };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      state.calls += 1;
      state.keys.push(request.headers.get("x-key") ?? "");
      return Response.json({ n: state.n });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, state, stop: () => server.stop(true) };
}

const running: { kill(): Promise<void> }[] = [];

export interface NodeFolder {
  readonly folder: string;
  readonly config: string;
  readonly data: string;
}

/** The domains that ask the world: a real node of a test has nobody to ask but its own plugin. */
const SWITCHED_OFF = DOMAINS.filter((id) => id !== "trust");

/** A folder with a node.toml that sells /local on a test network, and whatever else a test adds. */
export function newNodeFolder(facilitators: readonly string[], more = "", plugin?: string): NodeFolder {
  const folder = newFolder();
  const data = join(folder, "data");
  const plugins = join(folder, "plugins");
  mkdirSync(plugins);
  if (plugin !== undefined) writeFileSync(join(plugins, "local.ts"), plugin);
  const config = join(folder, "node.toml");
  const entries = facilitators.map((entry) => `[[facilitators]]\nkind = "remote"\n${entry}\n`).join("");
  writeFileSync(
    config,
    `${entries}[server]\nport = 0\n[data]\ndir = ${JSON.stringify(data)}\n` +
      `[plugins]\ndir = ${JSON.stringify(plugins)}\n` +
      `disabled = ${JSON.stringify(SWITCHED_OFF)}\n[payments]\ntestnet = true\n[wallets.base]\n` +
      `pay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"\n[limits]\nloopback_exempt = true\n${more}`,
  );
  return { folder, config, data };
}

/** Starts `run` on the compiled binary and waits for its start screen. */
export async function startRun(where: NodeFolder) {
  const child = Bun.spawn([BINARY, "run", "--config", where.config], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: where.folder,
    env: { ...process.env },
  });
  let out = "";
  let err = "";
  const read = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true });
      add(text);
      noteOutput("run", text);
    }
  };
  const drained = Promise.all([
    read(child.stdout, (text) => {
      out += text;
    }),
    read(child.stderr, (text) => {
      err += text;
    }),
  ]);
  const node = {
    pid: child.pid,
    url: () => /bind +(http\S+)/.exec(out)?.[1] ?? "",
    out: () => out,
    err: () => err,
    signal: (name: "SIGTERM" | "SIGINT" | "SIGKILL") => child.kill(name),
    exited: async () => {
      const code = await child.exited;
      await drained;
      return code;
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
  running.push(node);
  await until(() => /next +curl/.test(out) || child.exitCode !== null, "the start screen");
  return node;
}

export async function stopRuns(): Promise<void> {
  await Promise.all(running.splice(0).map((node) => node.kill()));
}
