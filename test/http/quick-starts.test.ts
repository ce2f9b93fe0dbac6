import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createPlans } from "../../src/catalog/plans.ts";
import { createAlgorandTestPayer } from "../../src/sandbox/test-payer-algorand.ts";
import type { QuickStartModel } from "../../src/surfaces/quick-starts/types.ts";
import { listQuickStarts } from "../../src/surfaces/quick-starts.ts";
import { DEMO_ORIGIN } from "../../src/tools/gen-buyers.ts";
import { auditOf, readChain } from "../helpers/demo-books.ts";
import { cleanUp, type DemoNode, newPayer, payingFetch, startDemo } from "../helpers/demo-node.ts";
import { type ScriptedModel, startScriptedModel } from "../helpers/scripted-model.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** Every program of docs/buyers, copied out of its page and run as it stands, with the address of the test's node. */
const ROOT = join(import.meta.dir, "..", "..");
const PAGES = join(ROOT, "docs", "buyers");
const BUN = process.execPath;
const NODE = Bun.which("node");
/** Product that snippets buy: its price, and a field of its data. */
const PRODUCT = { id: "pyth-price", price_atomic: "3000", data: { symbol: "SOL/USD" } };

let node: DemoNode;
let model: ScriptedModel;
let folder: string;

beforeAll(async () => {
  node = await startDemo({ history: true });
  model = startScriptedModel();
  mkdirSync(join(ROOT, ".tmp"), { recursive: true });
  // Inside the project, so that the packages a snippet imports are found.
  folder = mkdtempSync(join(ROOT, ".tmp", "quick-starts-"));
});
afterAll(async () => {
  await model.stop();
  rmSync(folder, { recursive: true, force: true });
  await cleanUp();
});

/** The first block of code of a page. */
function readSnippet(id: string): string {
  const page = readFileSync(join(PAGES, `${id}.md`), "utf8");
  const code = /^```\w+\n(.*?)^```$/ms.exec(page)?.[1];
  if (code === undefined) throw new Error(`${id}.md holds no code`);
  return code.replaceAll(DEMO_ORIGIN, node.url);
}

/** Runs a program in a fresh process that knows nothing but what its page asks for; returns what it printed. */
async function run(command: readonly string[], environment: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH ?? "", HOME: folder, NO_COLOR: "1", ...environment },
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`exit code ${code}\n${out}\n${err}`);
  return out;
}

const runSnippet = (id: string, runtime: string, environment: Record<string, string> = {}): Promise<string> => {
  const file = join(folder, `${id}.mjs`);
  writeFileSync(file, readSnippet(id));
  return run([runtime, file], environment);
};

const newKey = (): { key: `0x${string}`; address: string } => {
  const key = generatePrivateKey();
  noteSecret(key);
  return { key, address: privateKeyToAccount(key).address };
};

const settlements = async () => (await readChain(node)).settlements;

/** What was settled while something ran, beyond what was settled before. */
async function settledBy<T>(work: () => Promise<T>) {
  const before = new Set((await settlements()).map(({ transaction }) => transaction));
  const result = await work();
  return { result, settled: (await settlements()).filter(({ transaction }) => !before.has(transaction)) };
}

/** Every program of the pages that pays with one wallet, and the variables it is given. */
const PROGRAMS: readonly {
  readonly id: string;
  readonly price_atomic?: string;
  readonly environment: () => Promise<Record<string, string>>;
}[] = [
  ...[
    "x402-fetch",
    "x402-fetch-v1",
    "x402-axios",
    "mppx",
    "viem",
    "wallet-sign-in",
    "mcp-client",
    "mppx-mcp",
    "a2a",
  ].map((id) => ({
    id,
    environment: async () => ({ PRIVATE_KEY: newKey().key }),
  })),
  { id: "prepaid-key", price_atomic: "990000", environment: async () => ({ PRIVATE_KEY: newKey().key }) },
  {
    id: "x402-solana",
    environment: async () => ({
      SOLANA_PRIVATE_KEY: Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex"),
    }),
  },
  {
    id: "x402-algorand",
    environment: async () => {
      const { secret } = await createAlgorandTestPayer(crypto.getRandomValues(new Uint8Array(32)));
      return { ALGORAND_PRIVATE_KEY: Buffer.from(secret).toString("base64") };
    },
  },
  {
    id: "openai",
    environment: async () => ({
      PRIVATE_KEY: newKey().key,
      OPENAI_API_KEY: "of the scripted model",
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: "scripted",
    }),
  },
];
const RUNTIMES = [["Bun", BUN] as const, ...(NODE ? [["Node", NODE] as const] : [])];

describe.each(RUNTIMES)("under %s", (_name, runtime) => {
  test.each(PROGRAMS)(
    "$id prints the data it bought and pays for it once",
    async ({ id, price_atomic, environment }) => {
      const { result, settled } = await settledBy(async () => runSnippet(id, runtime, await environment()));
      expect(result).toContain(PRODUCT.data.symbol);
      expect(result).toContain(PRODUCT.id);
      expect(settled).toMatchObject([{ amount_atomic: price_atomic ?? PRODUCT.price_atomic }]);
    },
  );
});

/** A node whose only plan is the day pass. */
function createDayPassModel(): QuickStartModel {
  const product = { title: "", method: "GET", example: { params: {}, as_of: "", data: null }, plan: null } as const;
  const plan = createPlans({}).find(({ path }) => path === "/day-pass") ?? null;
  const at = (path: string) => ({ id: path.slice(1), skill_id: path.slice(1), path, url: `${node.url}${path}` });
  return {
    node: { name: "intel-node", public_url: node.url },
    sandbox: true,
    networks: [{ network: "eip155:84532", title: "Base Sepolia", wallet: "base", asset: "" }],
    products: [
      { ...product, ...at("/pyth-price"), price_usd: "0.003", price_atomic: "3000" },
      { ...product, ...at("/day-pass"), price_usd: "2.99", price_atomic: "2990000", plan },
    ],
  };
}

async function buyKey(): Promise<string> {
  const { api_key } = (await (await payingFetch(newPayer())(`${node.url}/buy-credits`)).json()) as { api_key: string };
  noteSecret(api_key);
  return api_key;
}

test("curl is told the price, previews for nothing, and calls with a key", async () => {
  const api_key = await buyKey();
  const { result, settled } = await settledBy(() => run(["bash", "-euc", readSnippet("curl")], { API_KEY: api_key }));
  expect(settled).toEqual([]);
  expect(result).toMatch(/^HTTP\/1\.1 402 /);
  expect(result).toMatch(/^payment-required: \S{100,}/im);
  const answers = result.split("\n").filter((line) => line.startsWith("{"));
  expect(answers.map((line) => JSON.parse(line))).toMatchObject([
    { x402Version: 2, code: "payment_required" },
    { delayed: true, data: PRODUCT.data },
    { delayed: false, data: PRODUCT.data },
  ]);
  const status = await node.get("/credits-status", { "X-API-Key": api_key });
  expect(await status.json()).toMatchObject({ spent_atomic: PRODUCT.price_atomic });
});

test("the configuration for MCP hosts previews for nothing, and calls with a key", async () => {
  const config = JSON.parse(readSnippet("mcp-config")) as {
    mcpServers: { "intel-node": { type: string; url: string; headers: Record<string, string> } };
  };
  const { type, url, headers } = config.mcpServers["intel-node"];
  expect(type).toBe("http");
  const call = async (given: Record<string, string>, more: Record<string, unknown>) => {
    const client = new Client({ name: "host", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: given } }));
    const { structuredContent } = await client.callTool({ name: "pyth_price", arguments: more });
    await client.close();
    return structuredContent;
  };
  const api_key = await buyKey();
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [name, text.replace("ink_YOUR_KEY", api_key)]),
  );
  const { settled } = await settledBy(async () => {
    expect(await call(headers, { preview: true })).toMatchObject({ delayed: true, data: PRODUCT.data });
    expect(await call(filled, {})).toMatchObject({ delayed: false, data: PRODUCT.data });
  });
  expect(settled).toEqual([]);
  const status = await node.get("/credits-status", { "X-API-Key": api_key });
  expect(await status.json()).toMatchObject({ spent_atomic: PRODUCT.price_atomic });
});

test("a model in the loop is offered every product that is cheap, and no plan", async () => {
  const { products } = (await (await node.get("/get-pricing")).json()) as {
    products: { product: string; method: string; price_usd: string; category: string }[];
  };
  const cheap = products.filter(({ method, price_usd }) => method === "GET" && Number(price_usd) <= 0.1);
  expect(cheap.some(({ category }) => category === "plans")).toBe(false);
  expect(cheap.length).toBeGreaterThan(3);
  expect(model.offered()).toEqual(cheap.map(({ product }) => product.replaceAll("-", "_")));
});

test("a plan above the client's limit is bought because the program says so", async () => {
  const dear = createDayPassModel();
  const made = listQuickStarts(dear).find(({ id }) => id === "prepaid-key")?.code ?? "";
  const file = join(folder, "day-pass.mjs");
  const buy = (code: string) => {
    writeFileSync(file, code);
    return run([BUN, file], { PRIVATE_KEY: newKey().key });
  };
  const { result, settled } = await settledBy(() => buy(made));
  expect(result).toContain(PRODUCT.data.symbol);
  expect(settled).toMatchObject([{ amount_atomic: "2990000" }]);
  const without = made.split("\n").filter((line) => !line.includes("setSpendControls"));
  await expect(buy(without.join("\n"))).rejects.toThrow("exit code 1");
});

test.skipIf(!Bun.which("python3"))("the Python program is valid Python", async () => {
  writeFileSync(join(folder, "python.py"), readSnippet("python"));
  await run(["python3", "-m", "py_compile", "python.py"]);
  writeFileSync(join(folder, "faulty.py"), `${readSnippet("python")}\n  x ==`);
  await expect(run(["python3", "-m", "py_compile", "faulty.py"])).rejects.toThrow("exit code 1");
});

test("viem by hand signs nothing when the price is higher than it says", async () => {
  const file = join(folder, "dear.mjs");
  writeFileSync(file, readSnippet("viem").replace("3000n", "2999n"));
  const { settled } = await settledBy(() =>
    run([BUN, file], { PRIVATE_KEY: newKey().key }).then(
      () => Promise.reject(new Error("it paid")),
      (error) => expect(String(error)).toContain("the price went up"),
    ),
  );
  expect(settled).toEqual([]);
});

test("every page is run or says that it is not", () => {
  const run_here = ["curl", "mcp-config", "python", ...PROGRAMS.map(({ id }) => id)].map((id) => `${id}.md`);
  const pages = readdirSync(PAGES).filter((name) => name !== "README.md");
  expect(pages.sort()).toEqual(run_here.sort());
  expect(readFileSync(join(PAGES, "python.md"), "utf8")).toContain("Checked for its syntax only");
});

test("/llms-full.txt holds the same programs, with this node's address", async () => {
  const text = await (await node.get("/llms-full.txt")).text();
  const pages = readdirSync(PAGES).filter((name) => name !== "README.md");
  const missing = pages.filter((name) => !text.includes(readSnippet(name.slice(0, -".md".length)).trimEnd()));
  expect(missing).toEqual([]);
  expect(text).not.toContain(DEMO_ORIGIN);
});

test("the books hold one receipt per settlement when all have bought", async () => {
  const receipts = (await settlements()).length;
  expect(receipts).toBeGreaterThan(PROGRAMS.length);
  expect(auditOf(node)).toMatchObject({ code: 0, report: { ok: true, receipts } });
});
