import { existsSync } from "node:fs";
import { buyByTools, need, QUESTION } from "./calls.mjs";

const isInstalled = (name) => existsSync(new URL(`./node_modules/${name}/package.json`, import.meta.url));

/** The client of MCP that belongs to a release: a package of its own since 6, before that the official transport's. */
async function findTools(sdk, url, headers) {
  const createMCPClient = isInstalled("@ai-sdk/mcp")
    ? (await import("@ai-sdk/mcp")).createMCPClient
    : sdk.experimental_createMCPClient;
  if (!createMCPClient) return null;
  if (isInstalled("@ai-sdk/mcp")) {
    return async () => (await createMCPClient({ transport: { type: "http", url, headers } })).tools();
  }
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  return async () => {
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    return (await createMCPClient({ transport })).tools();
  };
}

/** A model behind the chat door, by the provider that belongs to the release. */
async function createModel(baseURL, apiKey) {
  if (!isInstalled("@ai-sdk/openai-compatible")) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ baseURL, apiKey }).chat("intel-fast");
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({ name: "node", baseURL, apiKey })("intel-fast");
}

/** With a prepaid key: the chat door as a model, and the tools of MCP where the release has a client for them. */
export async function load({ url, api_key }) {
  const sdk = need(await import("ai"), "generateText", "streamText");
  const { generateText, streamText } = sdk;
  const model = await createModel(`${url}/v1`, api_key);
  const request = { model, prompt: QUESTION, maxRetries: 0 };
  const listTools = await findTools(sdk, `${url}/mcp`, { "X-API-Key": api_key });
  let tools;
  const callTool = async (name, args) => {
    tools ??= await listTools();
    return tools[name].execute(args, { toolCallId: "1", messages: [] });
  };
  return {
    chat: async () => ({ text: (await generateText(request)).text }),
    chat_stream: async () => {
      let text = "";
      for await (const part of (await streamText(request)).textStream) text += part;
      return { text };
    },
    ...(listTools ? buyByTools(callTool) : {}),
  };
}
