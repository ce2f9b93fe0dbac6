import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeSection } from "./report.ts";

/**
 * `bun run bench:mcp`: the MCP endpoint of the compiled binary with 90 products: how long `tools/list` and a preview
 * take, one at a time and under load. Medians; nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
const BINARY = process.env.BENCH_BINARY ?? join(ROOT, "dist", "intel-node");
const PRODUCTS = 90;
const CALLS = Number(process.env.BENCH_CALLS ?? 2_000);
const WARM_UP = 300;
const pin = (core: number): string[] => (Bun.which("taskset") ? ["taskset", "-c", String(core)] : []);

/** Products as real ones are: some parameters, a description of some lines. */
const plugin = (products: number): string => `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";
const text = (description) => Type.Optional(Type.String({ maxLength: 20, description }));
const products = Array.from({ length: ${products} }, (_, number) => defineProduct({
  path: "/bench-" + number,
  title: "Benchmark " + number,
  description: "A product of the benchmark. ".repeat(9),
  category: "bench",
  tags: ["bench", "number", "listed"],
  price_usd: "0.01",
  params: Type.Object({ symbol: text("What it is about"), venue: text("Where"), range: text("How far back") }),
  data: Type.Object({ number: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { number } },
  providers: [],
  requires: [],
  ttl: "1h",
  deadline_ms: 1_000,
  preview: { every: "1h", delay: "0s" },
  fetch: async () => number,
  compute: (value, { now_ms }) => ({ as_of_ms: now_ms, data: { number: value }, warnings: [] }),
}));
export default definePlugin({ id: "bench", title: "Benchmark", products });
`;

const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));
mkdirSync(join(folder, "plugins"));
// The plans are products too.
const PLANS = 7;
writeFileSync(join(folder, "plugins", "bench.ts"), plugin(PRODUCTS - PLANS));
const config = join(folder, "node.toml");
writeFileSync(
  config,
  `[server]\nport = 0\n[data]\ndir = ${JSON.stringify(join(folder, "data"))}\n[plugins]\n` +
    `dir = ${JSON.stringify(join(folder, "plugins"))}\ndisabled = ["crypto-market"]\n` +
    '[wallets.base]\npay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"\n' +
    '[bootstrap_trust]\nmode = "self-payment"\n[log]\nlevel = "error"\n[limits]\nenabled = false\n',
);

const child = Bun.spawn([...pin(0), BINARY, "run", "--config", config], { stdio: ["ignore", "pipe", "inherit"] });
const reader = child.stdout.getReader();
let shown = "";
while (!/bind +http\S+/.test(shown)) {
  const { value, done } = await reader.read();
  if (done) throw new Error(`the node ended: ${shown}`);
  shown += new TextDecoder().decode(value);
}
const url = `${/bind +(http\S+)/.exec(shown)?.[1]}/mcp`;

const post = async (method: string, params: unknown): Promise<string> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  return (await fetch(url, { method: "POST", headers, body })).text();
};

async function measure(method: string, params: unknown): Promise<readonly number[]> {
  for (let sent = 0; sent < WARM_UP; sent += 1) await post(method, params);
  const taken: number[] = [];
  for (let sent = 0; sent < CALLS; sent += 1) {
    const started = performance.now();
    await post(method, params);
    taken.push(performance.now() - started);
  }
  return taken.sort((a, b) => a - b);
}
const at = (taken: readonly number[], share: number): string =>
  (taken[Math.min(taken.length - 1, Math.floor(taken.length * share))] ?? 0).toFixed(2);

try {
  const list = await post("tools/list", {});
  const tools = JSON.parse(list).result.tools.length;
  const rows: readonly (readonly [string, string, unknown])[] = [
    ["`tools/list`", "tools/list", {}],
    ["a preview", "tools/call", { name: "bench_1", arguments: { preview: true } }],
    ["`ping`", "ping", {}],
  ];
  const lines: string[] = [];
  for (const [name, method, params] of rows) {
    const taken = await measure(method, params);
    const bar =
      method === "tools/list" ? (Number(at(taken, 0.99)) < 5 ? "at most 5 ms: held" : "at most 5 ms: **missed**") : "";
    lines.push(`| ${name} | ${at(taken, 0.5)} ms | ${at(taken, 0.99)} ms | ${bar} |`);
  }
  const text = [
    "Written by `./build.sh && bun run bench:mcp`: compiled binary on core 0, one call at a time, as clients see it.",
    `${PRODUCTS} products, ${tools} tools, ${Math.round(list.length / 1_000)} kB of list.`,
    "",
    "| call | median | 99th percentile | |",
    "| --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
  console.error(text);
  if (process.env.BENCH_DRY !== "1") writeSection(join(ROOT, "docs", "performance.md"), "## MCP", text);
} finally {
  child.kill("SIGTERM");
  await child.exited;
  rmSync(folder, { recursive: true, force: true });
}
