import { findNetwork, priceNote, privateKey } from "./shop.ts";
import type { SnippetMaker } from "./types.ts";

export const mcpConfig: SnippetMaker = ({ origin, plan }) => ({
  id: "mcp-config",
  title: "MCP: configuration of a host",
  language: "json",
  requires: [],
  environment: {},
  runs: true,
  pays: "nothing, or debits of the key",
  note:
    "For hosts that read `mcpServers`. Prices, samples and previews (`preview: true`) work without a key; calls are " +
    `paid with a key${plan ? ` (\`${plan.path}\`, ${plan.price_usd} USD)` : ""}. Put yours for \`ink_YOUR_KEY\`.`,
  code: `${JSON.stringify(
    { mcpServers: { "intel-node": { type: "http", url: `${origin}/mcp`, headers: { "X-API-Key": "ink_YOUR_KEY" } } } },
    null,
    2,
  )}
`,
});

export const mcpClient: SnippetMaker = (shop) => {
  if (!findNetwork(shop, "base")) return null;
  const { product } = shop;
  const call = `{ name: "${product.skill_id}", arguments: ${renderLiteral(product.example.params)} }`;
  return {
    id: "mcp-client",
    title: "MCP: @modelcontextprotocol/client",
    language: "js",
    requires: ["@modelcontextprotocol/client", "@x402/core", "@x402/evm", "viem"],
    environment: privateKey(shop),
    runs: true,
    pays: priceNote(shop),
    note: "An unpaid call of a tool answers with its price; the same call with a payment in `_meta` returns the data.",
    code: `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { x402Client } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const wallet = new x402Client().register("eip155:*", new ExactEvmScheme(account));

const client = new Client({ name: "buyer", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL("${shop.origin}/mcp")));
const call = ${call};
const { structuredContent: required } = await client.callTool(call); // ${priceNote(shop)}
const payment = await wallet.createPaymentPayload(required);
const answer = await client.callTool({ ...call, _meta: { "x402/payment": payment } });
console.log(answer.structuredContent);
await client.close();
`,
  };
};

export const a2aClient: SnippetMaker = (shop) => {
  if (!findNetwork(shop, "base")) return null;
  const { product } = shop;
  return {
    id: "a2a",
    title: "A2A: @a2a-js/sdk",
    language: "js",
    requires: ["@a2a-js/sdk", "@x402/core", "@x402/evm", "viem"],
    environment: privateKey(shop),
    runs: true,
    pays: priceNote(shop),
    note: "A task asks to be paid (`input-required`); a second message with the payment in its metadata completes it.",
    code: `import { Message } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { x402Client } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const wallet = new x402Client().register("eip155:*", new ExactEvmScheme(account));

const agent = await new ClientFactory().createFromUrl("${shop.origin}");
const say = (fields) =>
  agent.sendMessage({
    message: Message.fromJSON({ messageId: crypto.randomUUID(), role: "ROLE_USER", ...fields }),
  });

const task = await say({ parts: [{ data: { skill: "${product.skill_id}", params: ${renderLiteral(
      product.example.params,
    )} } }] });
const required = task.status.message.metadata["x402.payment.required"]; // ${priceNote(shop)}
const paid = await say({
  taskId: task.id,
  parts: [{ text: "Here is the payment." }],
  metadata: {
    "x402.payment.status": "payment-submitted",
    "x402.payment.payload": await wallet.createPaymentPayload(required),
  },
});
console.log(paid.artifacts[0].parts[0].content.value);
`,
  };
};

/** Parameters as they are written in a program: `{ symbol: "BTC" }`. */
export function renderLiteral(params: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(params).map(
    ([name, value]) => `${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return members.length > 0 ? `{ ${members.join(", ")} }` : "{}";
}
