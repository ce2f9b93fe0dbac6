/** A client of other people whose releases are tried, and how it is used. */
export interface Family {
  readonly package: string;
  /** File in `drivers`, without its ending. */
  readonly driver: string;
  /** What is installed beside a release, as npm is told it; `=` is the release's own version. */
  readonly beside: (version: string) => readonly string[];
}

const major = (version: string): number => Number(version.split(".")[0]);

const MCP_SDK = "@modelcontextprotocol/sdk@1";
/** Majors of what belongs to a major of `ai`; below 5 the same provider served every one. */
const AI_PROVIDERS: ReadonlyMap<number, readonly string[]> = new Map([
  [7, ["@ai-sdk/openai-compatible@3", "@ai-sdk/mcp@2"]],
  [6, ["@ai-sdk/openai-compatible@2", "@ai-sdk/mcp@1"]],
  [5, ["@ai-sdk/openai-compatible@1", MCP_SDK]],
]);
/** Before 3.4 a provider's chunks were others, and none was for what only speaks as OpenAI does. */
const AI_EARLY: readonly string[] = ["@ai-sdk/openai@0.0.9", MCP_SDK];

function providersOf(version: string): readonly string[] {
  if (/^3\.[0-3]\./.test(version)) return AI_EARLY;
  return AI_PROVIDERS.get(major(version)) ?? ["@ai-sdk/openai-compatible@0.2", MCP_SDK];
}
const X402_EVM = ["@x402/evm@="];

export const FAMILIES: readonly Family[] = [
  { package: "@x402/fetch", driver: "x402-fetch", beside: () => X402_EVM },
  { package: "@x402/axios", driver: "x402-axios", beside: () => [...X402_EVM, "axios@1"] },
  { package: "mppx", driver: "mppx", beside: () => ["viem@2"] },
  { package: "x402-fetch", driver: "x402-fetch-v1", beside: () => ["viem@2"] },
  { package: "x402-axios", driver: "x402-axios-v1", beside: () => ["viem@2", "axios@1"] },
  {
    package: "@faremeter/fetch",
    driver: "faremeter",
    beside: () => ["@faremeter/payment-evm@=", "@faremeter/wallet-evm@="],
  },
  { package: "@dexterai/x402", driver: "dexter", beside: () => ["viem@2"] },
  { package: "@payai/x402", driver: "payai", beside: () => ["@x402/evm@2"] },
  {
    package: "agents",
    driver: "agents",
    // Before 0.4 it paid by version 1 of the protocol.
    beside: (version) =>
      /^0\.[0-3]\./.test(version) ? ["x402@0.7", "viem@2"] : ["@x402/core@2", "@x402/evm@2", MCP_SDK],
  },
  { package: "openai", driver: "openai", beside: () => [] },
  {
    package: "ai",
    driver: "ai",
    beside: (version) => [...providersOf(version), "zod@3"],
  },
  { package: "@langchain/openai", driver: "langchain-openai", beside: () => [] },
  { package: "@langchain/mcp-adapters", driver: "langchain-mcp", beside: () => [] },
];
