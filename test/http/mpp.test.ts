import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Receipt } from "mppx";
import { Mppx } from "mppx/client";
import { evm } from "mppx/evm/client";
import { McpClient } from "mppx/mcp/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { WALLETS } from "../helpers/money-node.ts";
import { createCall, type ProductNode, startProductNode } from "../helpers/product-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** The official client of MPP, unmodified, against the whole catalog of a node that offers three networks by x402. */
let node: ProductNode;
const CONFIG = `
[wallets.solana]
pay_to = "${WALLETS.solana}"
[wallets.algorand]
pay_to = "${WALLETS.algorand}"
`;

beforeAll(async () => {
  node = await startProductNode({ seed_history: false, config: CONFIG });
});
afterAll(() => node.stop());

function newMethod() {
  const key = generatePrivateKey();
  noteSecret(key);
  return evm.charge({ account: privateKeyToAccount(key), currencies: [evm.assets.baseSepolia.USDC] });
}

const newClient = () => Mppx.create({ methods: [newMethod()], polyfill: false });

describe("mppx over HTTP", () => {
  test("buys 20 products, each for one settlement over its price", async () => {
    let settled = node.settlements();
    let bought = 0;
    const failed: string[] = [];
    for (const product of node.products) {
      if (bought === 20) break;
      const { fetch: pay } = newClient();
      const response = await pay(createCall(node.url, product, product.example.params));
      if (response.status !== 200) {
        failed.push(`${product.path} ${response.status} ${(await response.text()).slice(0, 200)}`);
        continue;
      }
      const receipt = Receipt.fromResponse(response);
      expect(receipt).toMatchObject({ method: "evm", status: "success", reference: expect.stringMatching(/^0x/) });
      expect(response.headers.get("Cache-Control")).toBe("private");
      settled += 1;
      expect(node.settlements()).toBe(settled);
      const sold = await (await fetch(`${node.url}/receipts/${response.headers.get("X-Receipt-Id")}`)).json();
      expect(sold).toMatchObject({ amount_usd: product.price_usd, transaction: receipt.reference });
      bought += 1;
    }
    expect(bought, failed.join("\n")).toBe(20);
  });
});

describe("mppx over MCP", () => {
  test("buys a tool's answer, and reads the receipt beside it", async () => {
    const settled = node.settlements();
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${node.url}/mcp`)) as never);
    const paying = McpClient.wrap(client, { methods: [newMethod()] });
    for (const [index, name] of ["fear_greed", "pyth_price"].entries()) {
      const result = await paying.callTool({ name, arguments: {} });
      expect(result.receipt).toMatchObject({ method: "evm", status: "success", challengeId: expect.any(String) });
      expect(result.structuredContent).toMatchObject({ product: name.replace("_", "-") });
      expect(node.settlements()).toBe(settled + index + 1);
    }
    await client.close();
  });

  test("finds the way to pay among the server's capabilities", async () => {
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${node.url}/mcp`)) as never);
    expect(client.getServerCapabilities()?.experimental?.payment).toEqual({
      methods: { evm: { intents: ["charge"] } },
    });
    await client.close();
  });
});
