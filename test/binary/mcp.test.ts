import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { auditOf, readChain } from "../helpers/demo-books.ts";
import { BINARY, cleanUp, type DemoNode, newFolder, startDemo } from "../helpers/demo-node.ts";
import { payTool, settlementOf, type ToolResult } from "../helpers/mcp.ts";
import { CLIENTS, type Connect, type MCPClient } from "../helpers/mcp-clients.ts";
import { PAYERS } from "../helpers/payers.ts";

/** The running program as the clients of both SDK generations, the inspector and the conformance suite see it. */
const MODULES = join(import.meta.dir, "..", "..", "node_modules");
const [BASE] = PAYERS;
if (!BASE) throw new Error("nobody pays");

let node: DemoNode;
beforeAll(async () => {
  node = await startDemo({ history: true });
});
afterAll(cleanUp);

const settled = async (): Promise<number> => (await readChain(node)).settlements.length;
const pricesOf = async (): Promise<Record<string, string>> => {
  const { products } = (await (await node.get("/get-pricing")).json()) as {
    products: { product: string; price_usd: string }[];
  };
  return Object.fromEntries(products.map(({ product, price_usd }) => [product.replaceAll(/[/-]/g, "_"), price_usd]));
};
const textOf = ({ content }: ToolResult) => String(content?.[0]?.text);

async function using(connect: Connect, use: (client: MCPClient) => Promise<void>, headers = {}): Promise<void> {
  const client = await connect(node.url, headers);
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

describe.each(CLIENTS.map((one) => [one.name, one] as const))("%s", (_, { version, connect }) => {
  test("agrees on a revision and lists every product with its price", () =>
    using(connect, async (client) => {
      expect(client.version).toBe(version);
      const listed = await client.list();
      const prices = await pricesOf();
      const wanted = [...Object.keys(prices), "get_pricing", "sample", "search_products", "my_wallet", "watch"].sort();
      expect(listed.map(({ name }) => name).sort()).toEqual(wanted);
      for (const { name, description } of listed) {
        // Of a basket the lowest price is listed.
        const from = name === "basket" ? "from " : "";
        if (prices[name] !== undefined) expect(description).toEndWith(`Price ${from}$${prices[name]} in USDC.`);
      }
    }));

  test("gets free data: a preview, the prices, samples, a search", () =>
    using(connect, async (client) => {
      const preview = await client.call("fear_greed", { preview: true });
      expect(preview.structuredContent).toMatchObject({ product: "fear-greed", delayed: true, sandbox: true });
      const prices = await client.call("get_pricing", {});
      expect(prices.structuredContent).toMatchObject({ currency: "USD", authoritative: "the 402 answer" });
      expect((await client.call("sample", {})).structuredContent).toHaveProperty("fear_greed");
      const found = await client.call("search_products", { query: "bitcoin network fees", limit: "1" });
      expect(found.structuredContent).toMatchObject({ products: [{ tool: "mempool" }] });
    }));

  test("sees the price unpaid, pays and gets data", () =>
    using(connect, async (client) => {
      const before = await settled();
      const unpaid = await client.call("pyth_price", {});
      expect(unpaid).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } });
      expect(JSON.parse(textOf(unpaid))).toEqual(unpaid.structuredContent as object);
      const fresh = await BASE.newPayer(node.url);
      const payment = await payTool(node.url, "pyth_price", fresh);
      const paid = await client.call("pyth_price", {}, { "x402/payment": payment });
      expect(paid.isError ?? false).toBe(false);
      expect(paid.structuredContent).toMatchObject({ product: "pyth-price" });
      expect(settlementOf(paid)).toMatchObject({ success: true, network: fresh.network });
      const replayed = await client.call("pyth_price", {}, { "x402/payment": payment });
      expect(textOf(replayed)).toBe(textOf(paid));
      const wrong = await client.call("fear_greed", {}, { "x402/payment": payment });
      expect(wrong).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } });
      expect(await settled()).toBe(before + 1);
    }));

  test("pays with a key in a header it sends with every request", async () => {
    const buyer = await BASE.newPayer(node.url);
    let key = "";
    await using(connect, async (client) => {
      const payment = await payTool(node.url, "buy_credits", buyer);
      const result = await client.call("buy_credits", {}, { "x402/payment": payment });
      key = String(result.structuredContent?.api_key);
    });
    for (const headers of [{ "X-API-Key": key }, { Authorization: `Bearer ${key}` }]) {
      await using(
        connect,
        async (client) => {
          const result = await client.call("fear_greed", {});
          expect(result.structuredContent).toMatchObject({ product: "fear-greed" });
          expect(result._meta?.["intel-node/credits_remaining"]).toBeString();
        },
        headers,
      );
    }
    expect(node.log()).not.toContain(key);
  });
});

test.each(PAYERS.map((one) => [one.network, one] as const))("a tool is paid for on %s", async (network, one) => {
  const buyer = await one.newPayer(node.url);
  const payment = await payTool(node.url, "oracle_consensus", buyer);
  const [first] = CLIENTS;
  await using(first?.connect as Connect, async (client) => {
    const paid = await client.call("oracle_consensus", {}, { "x402/payment": payment });
    expect(settlementOf(paid)).toMatchObject({ success: true, network });
    expect(paid.structuredContent).toMatchObject({ product: "oracle-consensus" });
  });
});

const node_binary = Bun.which("node");
if (node_binary === null) console.warn("no node here: the inspector is not run");

describe.skipIf(node_binary === null)("the inspector", () => {
  const cli = join(MODULES, ".bin", "mcp-inspector");
  async function inspect(...args: string[]): Promise<ToolResult> {
    const command = [cli, "--cli", `${node.url}/mcp`, "--transport", "http", ...args];
    const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "pipe"] });
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    // It ends with 1 when a tool says isError, after it printed the result.
    if (!out.trimStart().startsWith("{")) throw new Error(`inspector ${code}: ${out} ${err}`);
    return JSON.parse(out);
  }

  test("lists the tools, shows a price and gets a preview from arguments typed as text", async () => {
    const { tools } = await inspect("--method", "tools/list");
    expect(tools?.map(({ name }) => name)).toContain("fear_greed");
    const call = ["--method", "tools/call", "--tool-name", "fear_greed"];
    const unpaid = await inspect(...call);
    expect(unpaid).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } });
    const preview = await inspect(...call, "--tool-arg", "preview=1");
    expect(preview.structuredContent).toMatchObject({ product: "fear-greed", delayed: true });
  });
});

describe("registry mcp", () => {
  const run = (text: string) => {
    const file = join(newFolder(), "node.toml");
    writeFileSync(file, text);
    const { stdout, stderr, exitCode } = Bun.spawnSync([BINARY, "registry", "mcp", "--config", file]);
    return { code: exitCode, out: stdout.toString(), error: stderr.toString() };
  };

  test("prints what the registry takes", () => {
    const { code, out } = run('[node]\npublic_url = "https://data.example.com"\nname = "my node"');
    expect(code).toBe(0);
    const server = JSON.parse(out);
    expect(server).toMatchObject({
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: "com.example.data/my-node",
      title: "my node",
      remotes: [{ type: "streamable-http", url: "https://data.example.com/mcp" }],
    });
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(server.description.length).toBeWithin(1, 101);
  });

  test("needs a public address", () => {
    const { code, out, error } = run("");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toContain("public_url");
  });
});

test("after all of this the books balance", () => {
  expect(auditOf(node)).toMatchObject({ code: 0, report: { ok: true } });
});
