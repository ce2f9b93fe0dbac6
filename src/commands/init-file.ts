/** The answers for `init`, from flags or questions. An empty answer leaves its key out. */
export type AnswerName =
  | "name"
  | "publicUrl"
  | "basePayTo"
  | "solanaPayTo"
  | "algorandPayTo"
  | "facilitatorUrl"
  | "baseRpc"
  | "solanaRpc"
  | "algorandRpc"
  | "proxy"
  | "dataDir"
  | "port"
  | "contactEmail";
export type InitAnswers = Partial<Record<AnswerName, string>>;

interface Question {
  readonly name: AnswerName;
  readonly question: string;
  readonly fallback: (before: InitAnswers) => string;
  /** Absent: the question is always asked. */
  readonly isAsked?: (before: InitAnswers) => boolean;
}

const LOCAL_PROXY = "127.0.0.1, ::1";
const nothing = (): string => "";
const rpcOf = (name: AnswerName, wallet: AnswerName, chain: string): Question => ({
  name,
  question: `A ${chain} server of yours (its RPC address), to check payments with; Enter trusts the facilitator`,
  fallback: nothing,
  isAsked: (before) => Boolean(before[wallet]),
});

export const QUESTIONS: readonly Question[] = [
  { name: "publicUrl", question: "The web address buyers will use (https://…)", fallback: nothing },
  { name: "basePayTo", question: "Your wallet on Base that receives USDC (0x…); Enter to skip", fallback: nothing },
  { name: "solanaPayTo", question: "Your wallet on Solana that receives USDC; Enter to skip", fallback: nothing },
  { name: "algorandPayTo", question: "Your wallet on Algorand that receives USDC; Enter to skip", fallback: nothing },
  {
    name: "facilitatorUrl",
    question: "The service that takes the payments to the chain (an x402 facilitator)",
    fallback: () => "https://facilitator.payai.network",
  },
  rpcOf("baseRpc", "basePayTo", "Base"),
  rpcOf("solanaRpc", "solanaPayTo", "Solana"),
  rpcOf("algorandRpc", "algorandPayTo", "Algorand (algod)"),
  {
    name: "proxy",
    question: 'The proxy in front of the node (Caddy, nginx, …): its addresses, or "none"',
    fallback: ({ publicUrl = "" }) => (publicUrl.startsWith("https:") ? LOCAL_PROXY : "none"),
  },
  { name: "dataDir", question: "Folder for the books and the node's key", fallback: () => "./data" },
  { name: "port", question: "Port to listen on", fallback: () => "8402" },
  { name: "contactEmail", question: "E-mail address shown to buyers; Enter to skip", fallback: nothing },
];

/** Quotes a text for TOML: as JSON does, except for the one control character that JSON does not escape. */
const quote = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");
const listOf = (text: string): string =>
  `[${text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map(quote)
    .join(", ")}]`;

/** Answers that only the set-up in a browser has. */
export interface FurtherAnswers {
  /** Prices in USD by path; only those that differ from the product's own. */
  readonly prices: readonly (readonly [path: string, usd: string])[];
  /** Keys of one [[alerts]] entry, "kind" first; empty for none. */
  readonly alert: readonly (readonly [key: string, value: string])[];
  /** By the provider's id. */
  readonly provider_keys: readonly (readonly [provider: string, api_key: string])[];
  /** Wallets' signed statements about this node, by the name of the wallet's table. */
  readonly proofs: Readonly<Partial<Record<WalletName, string>>>;
}
export type WalletName = "base" | "solana" | "algorand";

const NOTHING_FURTHER: FurtherAnswers = { prices: [], alert: [], provider_keys: [], proofs: {} };
const NODE_ID_WHY = "# Keeps the node from starting in an empty folder, as one that nobody knows.";

/** A table with its lines, or the same as a comment that shows the form. */
const tableOf = (header: string, lines: readonly string[], example: readonly string[]): string =>
  lines.length > 0 ? [header, ...lines].join("\n") : [header, ...example].map((line) => `#${line}`).join("\n");

const renderValue = (key: string, value: string): string =>
  key === "port" && /^\d{1,9}$/.test(value) ? `${key} = ${Number(value)}` : `${key} = ${quote(value)}`;

function renderFurther({ prices, alert, provider_keys }: FurtherAnswers): string {
  const keys = provider_keys.map(([id, key]) => `[providers.${id}]\napi_key = ${quote(key)}\n`);
  return `
# Your own prices in USD, by path; what is not here costs what its product says.
${tableOf(
  "[prices]",
  prices.map(([path, usd]) => `${quote(path)} = ${quote(usd)}`),
  ['"/fear-greed" = "0.02"'],
)}

# How you are told of trouble and of sales: "ntfy", "webhook" or "email". Try it with "intel-node alerts test".
${tableOf(
  "[[alerts]]",
  alert.map(([key, value]) => renderValue(key, value)),
  ['kind = "ntfy"', 'url = "https://ntfy.sh/a-long-secret-topic"'],
)}

# Keys of providers that ask for one: "intel-node check" says what each turns on.
${keys.length > 0 ? keys.join("\n") : '#[providers.coinmarketcap]\n#api_key = "…"\n'}`;
}

/**
 * The file for these answers. Keys without an answer become comments, which can be filled in later.
 * @param node_id of the node; null if it has no key yet.
 */
export function renderConfig(
  answers: InitAnswers,
  node_id: string | null = null,
  further: FurtherAnswers = NOTHING_FURTHER,
): string {
  const line = (key: string, value: string | undefined, example: string) =>
    value ? `${key} = ${quote(value)}` : `#${key} = ${quote(example)}`;
  const proof = (text: string | undefined) => (text ? `\n# What the wallet signed.\nproofs = [${quote(text)}]` : "");
  const wallet = (chain: WalletName, value: string | undefined, example: string) =>
    value
      ? `[wallets.${chain}]\npay_to = ${quote(value)}${proof(further.proofs[chain])}`
      : `#[wallets.${chain}]\n#pay_to = ${quote(example)}`;
  const rpc = (chain: string, value: string | undefined) =>
    value ? `\n[chains.${chain}]\nrpc = ${listOf(value)}\n` : "";
  const { baseRpc, solanaRpc, algorandRpc } = answers;
  const chains = [rpc("base", baseRpc), rpc("solana", solanaRpc), rpc("algorand", algorandRpc)];
  const { proxy = "none", port = "8402", dataDir = "./data", facilitatorUrl = "" } = answers;
  const known = proxy.trim().toLowerCase() === "none" || proxy.trim() === "" ? "" : proxy;
  const identity = node_id === null ? "" : `${NODE_ID_WHY}\nnode_id = ${quote(node_id)}\n`;
  return `# Written by intel-node at its set-up. All keys: "intel-node config example". Check it: "intel-node check".
[node]
${identity}${line("name", answers.name, "intel-node")}
${line("public_url", answers.publicUrl, "https://node.example.com")}
${line("contact_email", answers.contactEmail, "ops@example.com")}

[server]
host = "127.0.0.1"
port = ${port === "" ? 8402 : port}
# Whose X-Forwarded-For is believed: the proxy in front of this node.
${known === "" ? `#trusted_proxies = ${listOf(LOCAL_PROXY)}` : `trusted_proxies = ${listOf(known)}`}

[data]
# A relative folder is meant from the folder of this file.
dir = ${quote(dataDir === "" ? "./data" : dataDir)}

# Addresses that are paid: only addresses, never keys.
${wallet("base", answers.basePayTo, "0x…")}
${wallet("solana", answers.solanaPayTo, "…")}
${wallet("algorand", answers.algorandPayTo, "…")}

[[facilitators]]
kind = "remote"
url = ${quote(facilitatorUrl === "" ? "https://facilitator.payai.network" : facilitatorUrl)}
${chains.join("")}${renderFurther(further)}`;
}
