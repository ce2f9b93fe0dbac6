import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { createMCPClient } from "@ai-sdk/mcp";
import { createX402FetchMiddleware } from "@apify/mcpc/dist/lib/x402/fetch-middleware.js";
import { wrapFetch } from "@dexterai/x402/client";
import { wrap } from "@faremeter/fetch";
import { createPaymentHandler } from "@faremeter/payment-evm/exact";
import { createLocalWallet } from "@faremeter/wallet-evm";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { x402Client, x402HTTPClient } from "@payai/x402/client";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { a2a } from "a2a-ai-provider";
import { generateText } from "ai";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { newPayer, payingFetch } from "../helpers/demo-node.ts";
import { WALLETS } from "../helpers/money-node.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

/**
 * Other people's clients, unmodified, against a node that offers Base, Solana and Algorand. Those too large to install
 * stand below with what they sent when they were run once against this node.
 */
let node: ProductNode;
let settled = 0;

beforeAll(async () => {
  node = await startProductNode({ seed_history: false, config: CONFIG });
});
afterAll(() => node.stop());

const CONFIG = `
[wallets.solana]
pay_to = "${WALLETS.solana}"
[wallets.algorand]
pay_to = "${WALLETS.algorand}"
[plans.buy_credits]
price = "1"
`;

function newKey(): `0x${string}` {
  const key = generatePrivateKey();
  noteSecret(key);
  return key;
}

/** What a purchase must leave behind: the product's data, and one settlement more. */
function expectSold(answer: unknown): void {
  expect(answer).toMatchObject({ product: "fear-greed", data: { value: expect.any(Number) } });
  expect(node.settlements()).toBe(settled + 1);
  settled += 1;
}

async function buyKey(): Promise<string> {
  const bought = await payingFetch()(`${node.url}/buy-credits`);
  const { api_key } = (await bought.json()) as { api_key: string };
  expect(bought.status).toBe(200);
  noteSecret(api_key);
  settled += 1;
  return api_key;
}

describe("x402 clients", () => {
  test("faremeter pays on Base, whatever else is offered", async () => {
    const wallet = await createLocalWallet({ id: 84_532, name: "Base Sepolia" }, newKey());
    // Its wallet's signing is typed for any message; viem's, which it hands over, for the given one.
    const handler = createPaymentHandler(wallet as unknown as Parameters<typeof createPaymentHandler>[0]);
    const response = await wrap(fetch, { handlers: [handler] })(`${node.url}/fear-greed`);
    expectSold(await response.json());
  });

  test("dexter pays on Base, whatever else is offered", async () => {
    const rpcUrls = { "eip155:84532": `${node.url}/no-rpc` };
    const pay = wrapFetch(fetch, { evmPrivateKey: newKey(), preferredNetwork: "eip155:84532", rpcUrls });
    expectSold(await (await pay(`${node.url}/fear-greed`)).json());
  });

  test("payai reads the challenge, pays and reads the settlement", async () => {
    const isBase = (_: number, accepts: { network: string }[]) =>
      accepts.find(({ network }) => network === "eip155:84532");
    const client = new x402Client(isBase as never).register("eip155:84532", new ExactEvmScheme(newPayer()) as never);
    const http = new x402HTTPClient(client);
    const asked = await fetch(`${node.url}/fear-greed`);
    const required = http.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json());
    const headers = http.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
    const paid = await fetch(`${node.url}/fear-greed`, { headers });
    expectSold(await paid.json());
    expect(http.getPaymentSettleResponse((name) => paid.headers.get(name))).toMatchObject({ success: true });
  });
});

describe("MCP clients", () => {
  test("mcpc pays what _meta.x402 asks for with its first request, and is not charged twice", async () => {
    const key = newKey();
    const tools = new Map<string, never>();
    const requests: string[] = [];
    const paying = createX402FetchMiddleware(
      (url, init) => {
        requests.push(String(init?.body ?? ""));
        return fetch(url, init);
      },
      {
        wallet: { privateKey: key, address: privateKeyToAccount(key).address } as never,
        getToolByName: (name) => tools.get(name),
        paymentCache: { signature: null },
      },
    );
    const client = new Client({ name: "mcpc", version: "0.2.6" });
    const transport = new StreamableHTTPClientTransport(new URL(`${node.url}/mcp`), { fetch: paying });
    await client.connect(transport as never);
    for (const tool of (await client.listTools()).tools) tools.set(tool.name, tool as never);
    const first = await client.callTool({ name: "fear_greed", arguments: {} });
    expectSold(first.structuredContent);
    expect(requests.filter((body) => body.includes('"tools/call"'))).toHaveLength(1);
    const again = await client.callTool({ name: "fear_greed", arguments: {} });
    expect(again.structuredContent).toEqual(first.structuredContent);
    expect(node.settlements()).toBe(settled);
    await client.close();
  });

  test("LangChain's adapter loads every tool, is told the price, and buys with a key", async () => {
    const url = `${node.url}/mcp`;
    const headers = { "X-API-Key": await buyKey() };
    const client = new MultiServerMCPClient({
      mcpServers: { open: { transport: "http", url }, keyed: { transport: "http", url, headers } },
    });
    const find = async (server: string) => (await client.getTools(server)).find(({ name }) => name === "fear_greed");
    expect((await client.getTools("open")).length).toBeGreaterThan(node.products.length);
    const refused = (await find("open"))?.invoke({});
    await expect(refused).rejects.toThrow("Payment required");
    const bought = await (await find("keyed"))?.invoke({});
    expect(JSON.stringify(bought)).toContain("fear-greed");
    expect(node.settlements()).toBe(settled);
    await client.close();
  });

  test("the AI SDK loads every tool, is told the price, and buys with a key", async () => {
    const connect = (headers: Record<string, string>) =>
      createMCPClient({ transport: { type: "http", url: `${node.url}/mcp`, headers } });
    const call = { toolCallId: "1", messages: [] };
    const open = await connect({});
    const { fear_greed } = await open.tools();
    expect(await fear_greed?.execute?.({}, call)).toMatchObject({ isError: true });
    const keyed = await connect({ "X-API-Key": await buyKey() });
    const bought = await (await keyed.tools()).fear_greed?.execute?.({}, call);
    expect(bought).toMatchObject({ structuredContent: { product: "fear-greed" } });
    expect(node.settlements()).toBe(settled);
    await Promise.all([open.close(), keyed.close()]);
  });
});

/** What Node's fetch sends by itself; software, which must not be taken for a browser. */
const FETCH = { accept: "*/*", "accept-language": "*", "sec-fetch-mode": "cors", "user-agent": "node" };

describe("recorded, because the client is too large to install", () => {
  test("@coinbase/agentkit 0.10.4 (1,268 MB): GET, then the payment with all extensions echoed", async () => {
    const asked = await fetch(`${node.url}/fear-greed`, { headers: FETCH });
    expect([asked.status, asked.headers.get("content-type")]).toEqual([402, "application/json"]);
    const required = decodePaymentRequiredHeader(asked.headers.get("payment-required") ?? "");
    const [accepted] = required.accepts;
    if (!accepted) throw new Error("nothing is offered");
    const { x402Version, payload } = await new ExactEvmScheme(newPayer()).createPaymentPayload(2, accepted);
    const { resource, extensions } = required;
    const sent = btoa(JSON.stringify({ x402Version, payload, extensions, resource, accepted }));
    const paid = await fetch(`${node.url}/fear-greed`, { headers: { ...FETCH, "payment-signature": sent } });
    expectSold(await paid.json());
    expect(paid.headers.get("payment-response")).not.toBeNull();
  });

  test("@mastra/mcp 0.14.5 with @mastra/core 0.24.9 (281 MB): a handshake and a stream", async () => {
    const headers = {
      ...FETCH,
      "x-api-key": await buyKey(),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const post = (body: object, more = {}) =>
      fetch(`${node.url}/mcp`, {
        method: "POST",
        headers: { ...headers, ...more },
        body: JSON.stringify({ ...body, jsonrpc: "2.0" }),
      });
    const version = { "mcp-protocol-version": "2025-11-25" };
    const clientInfo = { name: "node", version: "1.0.0" };
    const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo };
    expect((await post({ method: "initialize", params, id: 0 })).status).toBe(200);
    expect((await post({ method: "notifications/initialized" }, version)).status).toBe(202);
    const stream = await fetch(`${node.url}/mcp`, { headers: { ...headers, ...version, accept: "text/event-stream" } });
    expect(stream.status).toBe(405);
    const list = await post({ method: "tools/list", params: { timeout: 60_000 }, id: 1 }, version);
    const { result } = (await list.json()) as { result: { tools: unknown[] } };
    expect(result.tools.length).toBeGreaterThan(node.products.length);
    const called = await post({ method: "tools/call", params: { name: "fear_greed" }, id: 2 }, version);
    expect(await called.json()).toMatchObject({ id: 2, result: { structuredContent: { product: "fear-greed" } } });
  });

  test("thirdweb 5.121.6 (1,101 MB): takes version 1 with addresses it knows", async () => {
    const EVM = /^0x[0-9a-fA-F]{40}$/;
    const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
    const asked = await fetch(`${node.url}/fear-greed?x402Version=1`, { headers: FETCH });
    // It reads the header, and the body only where there is none; after this it asks its own RPC about the token.
    const header = asked.headers.get("payment-required");
    const { accepts } = header ? JSON.parse(atob(header)) : ((await asked.json()) as { accepts: { payTo: string }[] });
    expect(accepts.length).toBeGreaterThan(0);
    const unread = accepts.filter(({ payTo }: { payTo: string }) => !EVM.test(payTo) && !SOLANA.test(payTo));
    expect(unread).toEqual([]);
  });
});

test("a2a-ai-provider turns a skill's example into text it can show", async () => {
  const log = spyOn(console, "log").mockImplementation(() => undefined);
  const card = `${node.url}/.well-known/agent-card.json`;
  const { skills } = (await (await fetch(card)).json()) as { skills: { id: string; examples: string[] }[] };
  const example = skills.find(({ id }) => id === "fear_greed")?.examples[0] ?? "";
  const ask = async (prompt: string) => (await generateText({ model: a2a(card) as never, prompt })).text;
  expect(await ask(example)).toContain("/fear-greed costs $0.01 per call");
  expect(await ask(`GET ${node.url}/buy-credits?preview=1`)).toContain('"product":"buy-credits"');
  log.mockRestore();
});
