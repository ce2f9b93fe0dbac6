import { readFileSync } from "node:fs";
import { buyByTools, NO_TRANSPORT, need } from "./calls.mjs";

/** With a prepaid key in a header. */
export async function load({ url, api_key }) {
  const { MultiServerMCPClient } = need(await import("@langchain/mcp-adapters"), "MultiServerMCPClient");
  // Before 0.4 it passes over a transport it does not know instead of refusing it.
  const { version } = JSON.parse(readFileSync("node_modules/@langchain/mcp-adapters/package.json", "utf8"));
  if (/^0\.[0-3]\./.test(version)) throw new Error(NO_TRANSPORT);
  const server = { transport: "http", url: `${url}/mcp`, headers: { "X-API-Key": api_key } };
  const client = new MultiServerMCPClient({ mcpServers: { node: server } });
  let tools;
  return buyByTools(async (name, args) => {
    tools ??= await client.getTools();
    const tool = tools.find((one) => one.name === name || one.name.endsWith(`__${name}`));
    if (!tool) throw new Error(`lists no tool ${name}`);
    return tool.invoke(args);
  });
}
