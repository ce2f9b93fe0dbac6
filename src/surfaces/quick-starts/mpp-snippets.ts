import { getOwn } from "../../core/own.ts";
import { renderLiteral } from "./agent-snippets.ts";
import { findNetwork, priceNote, privateKey } from "./shop.ts";
import type { Shop, SnippetMaker } from "./types.ts";

/** What the official package calls USDC on a network. */
const ASSETS: Readonly<Record<string, string>> = {
  "eip155:8453": "evm.assets.base.USDC",
  "eip155:84532": "evm.assets.baseSepolia.USDC",
};
const assetOf = (shop: Shop): string | undefined => getOwn(ASSETS, findNetwork(shop, "base")?.network ?? "");

/** Lines that make `wallet`: a way to pay up to the price that is written in it. */
const renderWallet = (shop: Shop, asset: string): string =>
  `const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const wallet = evm.charge({ account, currencies: [${asset}], maxAmount: "${shop.product.price_usd}" });`;

export const mppxFetch: SnippetMaker = (shop) => {
  const asset = assetOf(shop);
  if (asset === undefined) return null;
  return {
    id: "mppx",
    title: "mppx (MPP)",
    language: "js",
    requires: ["mppx", "viem"],
    environment: privateKey(shop),
    runs: true,
    pays: priceNote(shop),
    note:
      "MPP, the Payment scheme of HTTP authentication: every 402 is also a challenge of method evm, intent charge, " +
      "over USDC on Base. The credential goes into `Authorization`, the proof comes back as `Payment-Receipt`. " +
      "Where a call brings several, an API key pays first, then x402, then MPP.",
    code: `import { Receipt } from "mppx";
import { Mppx } from "mppx/client";
import { evm } from "mppx/evm/client";
import { privateKeyToAccount } from "viem/accounts";

${renderWallet(shop, asset)}
const { fetch: pay } = Mppx.create({ methods: [wallet], polyfill: false });
const answer = await pay("${shop.call_url}"); // ${priceNote(shop)}
console.log(await answer.json());
console.log(Receipt.fromResponse(answer));
`,
  };
};

export const mppxMCP: SnippetMaker = (shop) => {
  const asset = assetOf(shop);
  if (asset === undefined) return null;
  const { product } = shop;
  const call = `{ name: "${product.skill_id}", arguments: ${renderLiteral(product.example.params)} }`;
  return {
    id: "mppx-mcp",
    title: "mppx (MPP) with MCP",
    language: "js",
    requires: ["mppx", "@modelcontextprotocol/sdk", "viem"],
    environment: privateKey(shop),
    runs: true,
    pays: priceNote(shop),
    note: "A client of MCP that pays for tools by MPP: the demand and the receipt stand in `_meta` of the results.",
    code: `import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { evm } from "mppx/evm/client";
import { McpClient } from "mppx/mcp/client";
import { privateKeyToAccount } from "viem/accounts";

${renderWallet(shop, asset)}
const client = new Client({ name: "buyer", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL("${shop.origin}/mcp")));
const paying = McpClient.wrap(client, { methods: [wallet] });
const answer = await paying.callTool(${call}); // ${priceNote(shop)}
console.log(answer.structuredContent, answer.receipt);
await client.close();
`,
  };
};
