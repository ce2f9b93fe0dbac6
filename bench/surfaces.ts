import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";
import { waitForPast } from "./shop.ts";

/**
 * `bun run bench:surfaces`: public documents and doors of the compiled demo with 90 products, on core 0, the load on
 * core 1; writes its section of docs/performance.md. Nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", "intel-node");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const PRODUCTS = 90;
const pin = (core: number): string[] => (Bun.which("taskset") ? ["taskset", "-c", String(core)] : []);

/** A plugin of products with three parameters and ten fields each, as the built-in ones have on average. */
const plugin = (count: number): string => `
import { Type } from "@sinclair/typebox";
import { definePlugin, defineProduct } from "intel-node";
const fields = Object.fromEntries(Array.from({ length: 10 }, (_, n) => ["field_" + n,
  Type.Union([Type.Number(), Type.Null()], { description: "Reading number " + n + " of this product, US dollars" })]));
const data = Object.fromEntries(Array.from({ length: 10 }, (_, n) => ["field_" + n, n * 1.5]));
const products = Array.from({ length: ${count} }, (_, n) => defineProduct({
  path: "/bench-product-" + n, title: "Product number " + n, category: "group-" + (n % 9),
  tags: ["market-data", "bench"],
  description: "A product of the benchmark, as long as a usual description: rates, spreads and the number " + n + ".",
  price_usd: "0.0" + ((n % 9) + 1),
  params: Type.Object({
    symbol: Type.String({ default: "BTC", pattern: "^[A-Z]{2,6}$", description: "Symbol of the asset" }),
    days: Type.Integer({ default: 30, minimum: 1, maximum: 365, description: "Days of history" }),
    quote: Type.Union([Type.Literal("USD"), Type.Literal("EUR")], { default: "USD", description: "Quote currency" }),
  }, { additionalProperties: false }),
  data: Type.Object(fields), example: { params: { symbol: "BTC" }, as_of: "2026-01-01T00:00:00Z", data },
  providers: [], requires: [], ttl: "60s", deadline_ms: 1000, preview: { every: "24h" },
  fetch: async () => 1, compute: (_, { now_ms }) => ({ as_of_ms: now_ms, data, warnings: [] }),
}));
export default definePlugin({ id: "bench-surfaces", title: "Bench", products });
`;

async function startDemo(folder: string) {
  const plugins = join(folder, "plugins");
  mkdirSync(plugins);
  const start = async (count: number) => {
    writeFileSync(join(plugins, "index.ts"), plugin(count));
    const args = ["demo", "--serve", "--port", "0", "--data", join(folder, `data-${count}`), "--plugins", plugins];
    const child = Bun.spawn([...pin(0), BINARY, ...args], { stdio: ["ignore", "pipe", "ignore"] });
    const { value } = await child.stdout.getReader().read();
    const { url } = JSON.parse(new TextDecoder().decode(value)) as { url: string };
    const { products } = (await (await fetch(`${url}/get-pricing`)).json()) as { products: unknown[] };
    return { child, url, count: products.length };
  };
  // What is built in counts too.
  const probe = await start(1);
  probe.child.kill();
  await probe.child.exited;
  return start(PRODUCTS - probe.count + 1);
}

async function load(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const child = Bun.spawn([...pin(1), "wrk", "-t1", "-c64", `-d${SECONDS}s`, ...given, url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return Number(/Requests\/sec: +([\d.]+)/.exec(await new Response(child.stdout).text())?.[1] ?? 0);
}

/** Bytes of a document as it travels and unpacked. */
async function sizes(url: string, accept: string): Promise<{ packed: number; plain: number }> {
  const init = { headers: { "accept-encoding": "gzip", accept }, decompress: false } as RequestInit;
  const bytes = await (await fetch(url, init)).bytes();
  return { packed: bytes.length, plain: gunzipSync(bytes).length };
}

const LIST = {
  method: "POST",
  headers: { "content-type": "application/json", "mcp-protocol-version": "2025-11-25" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
};

async function listTools(url: string): Promise<{ ms: number; tools: number }> {
  const times: number[] = [];
  let tools = 0;
  for (let n = 0; n < 200; n++) {
    const started = performance.now();
    const answer = (await (await fetch(`${url}/mcp`, LIST)).json()) as { result: { tools: unknown[] } };
    times.push(performance.now() - started);
    tools = answer.result.tools.length;
  }
  return { ms: median(times), tools };
}

if (!existsSync(BINARY)) throw new Error("dist/intel-node is missing: run ./build.sh");
if (!Bun.which("wrk")) throw new Error("wrk is needed for the benchmark: install it");
const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));
const { child, url, count } = await startDemo(folder);
try {
  await waitForPast(url);
  const manifest = `${url}/.well-known/x402.json`;
  // Each coding has its own: as a browser or crawler asks.
  const coding = { "Accept-Encoding": "gzip" };
  const first = await fetch(manifest, { headers: coding });
  const again = { ...coding, "If-None-Match": first.headers.get("etag") ?? "" };
  const { status } = await fetch(manifest, { headers: again });
  if (status !== 304) throw new Error(`the ETag of the manifest is answered with ${status}`);
  const unchanged: number[] = [];
  const whole: number[] = [];
  await load(manifest, again);
  for (let round = 0; round < ROUNDS; round++) {
    unchanged.push(await load(manifest, again));
    whole.push(await load(manifest, coding));
  }
  const openapi = await sizes(`${url}/openapi.json`, "*/*");
  const page = await sizes(`${url}/`, "text/html");
  const tools = await listTools(url);
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const bars: readonly [what: string, measured: string, held: boolean][] = [
    [
      "manifest, ETag, 304: at least 30,000/s on one core",
      `${Math.round(median(unchanged)).toLocaleString("en")}/s`,
      median(unchanged) >= 30_000,
    ],
    ["`/openapi.json` at most 60 kB packed", kB(openapi.packed), openapi.packed <= 60_000],
    ["page `/` under 50 kB packed", kB(page.packed), page.packed < 50_000],
    [`\`tools/list\` with ${tools.tools} tools under 5 ms`, `${tools.ms.toFixed(2)} ms`, tools.ms < 5],
  ];
  const text = [
    "Written by `./build.sh && bun run bench:surfaces`: the compiled demo with " +
      `${count} products on core 0, load on core 1,`,
    `${ROUNDS} rounds of ${SECONDS} s, medians; the demo had lived its past.`,
    "",
    "| bar | measured | |",
    "| --- | --- | --- |",
    ...bars.map(([what, measured, held]) => `| ${what} | ${measured} | ${held ? "held" : "**missed**"} |`),
    "",
    `The whole manifest, packed: ${Math.round(median(whole)).toLocaleString("en")}/s. Unpacked, ` +
      `\`/openapi.json\` has ${kB(openapi.plain)}, the page ${kB(page.plain)}.`,
  ].join("\n");
  if (process.env.BENCH_WRITE !== "0") writeSection(join(ROOT, "docs", "performance.md"), "## Public documents", text);
  console.log(text);
} finally {
  child.kill();
  await child.exited;
  rmSync(folder, { recursive: true, force: true });
}
