import { a2aClient, mcpClient, mcpConfig } from "./quick-starts/agent-snippets.ts";
import { x402Algorand, x402Solana } from "./quick-starts/chain-snippets.ts";
import { viemByHand, x402Axios, x402Fetch, x402FetchV1 } from "./quick-starts/evm-snippets.ts";
import { mppxFetch, mppxMCP } from "./quick-starts/mpp-snippets.ts";
import { curl, openaiLoop, prepaidKey, python, walletSignIn } from "./quick-starts/plain-snippets.ts";
import { chooseShop } from "./quick-starts/shop.ts";
import type { QuickStart, QuickStartModel } from "./quick-starts/types.ts";

const MAKERS = [
  curl,
  x402Fetch,
  prepaidKey,
  walletSignIn,
  x402FetchV1,
  x402Axios,
  mppxFetch,
  viemByHand,
  x402Solana,
  x402Algorand,
  mcpConfig,
  mcpClient,
  mppxMCP,
  a2aClient,
  openaiLoop,
  python,
];

/** A complete snippet per stack for this node, in the order they are shown. Empty when nothing can be bought. */
export function listQuickStarts(model: QuickStartModel): readonly QuickStart[] {
  const shop = chooseShop(model);
  if (!shop) return [];
  return MAKERS.map((make) => make(shop)).filter((made) => made !== null);
}

/** A snippet with what it needs, in Markdown, without a heading. */
export function renderQuickStart({ note, requires, environment, language, code }: QuickStart): string {
  const install = language === "python" ? "pip install" : "npm install";
  const packages = requires.map((name) => (name.includes("[") ? `'${name}'` : name)).join(" ");
  const variables = Object.entries(environment).map(([name, what]) => `- \`${name}\`: ${what}`);
  return [
    note,
    ...(requires.length > 0 ? ["", `Install: \`${install} ${packages}\``] : []),
    ...(variables.length > 0 ? ["", ...variables] : []),
    "",
    `\`\`\`${language}`,
    code.trimEnd(),
    "```",
    "",
  ].join("\n");
}

/** All snippets under a heading each, in Markdown: a section for /llms-full.txt. "" when nothing can be bought. */
export const renderQuickStarts = (model: QuickStartModel): string =>
  listQuickStarts(model)
    .map((one) => `### ${one.title}\n\n${renderQuickStart(one)}`)
    .join("\n");
