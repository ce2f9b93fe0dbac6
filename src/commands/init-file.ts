/** What `init` is told, by flags or by its questions. An empty answer leaves the key out. */
export type AnswerName =
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
export type Answers = Partial<Record<AnswerName, string>>;

interface Question {
  readonly name: AnswerName;
  readonly question: string;
  readonly fallback: (before: Answers) => string;
  /** Left out: it is always asked. */
  readonly isAsked?: (before: Answers) => boolean;
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

const quote = JSON.stringify;
const listOf = (text: string): string =>
  `[${text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word) => quote(word))
    .join(", ")}]`;

/** The file for these answers. What was left empty stands in it as a comment, so that it can be filled in later. */
export function renderConfig(answers: Answers, node_id: string | null = null): string {
  const line = (key: string, value: string | undefined, example: string) =>
    value ? `${key} = ${quote(value)}` : `#${key} = ${quote(example)}`;
  const wallet = (chain: string, value: string | undefined, example: string) =>
    value ? `[wallets.${chain}]\npay_to = ${quote(value)}` : `#[wallets.${chain}]\n#pay_to = ${quote(example)}`;
  const rpc = (chain: string, value: string | undefined) =>
    value ? `\n[chains.${chain}]\nrpc = ${listOf(value)}\n` : "";
  const { proxy = "none", port = "8402", dataDir = "./data", facilitatorUrl = "" } = answers;
  const known = proxy.trim().toLowerCase() === "none" || proxy.trim() === "" ? "" : proxy;
  const why = "# Keeps the node from starting in an empty folder, as one that nobody knows.";
  const identity = node_id === null ? "" : `${why}\nnode_id = ${quote(node_id)}\n`;
  return `# Written by "intel-node init". All keys: "intel-node config example". Check it with "intel-node check".
[node]
${identity}${line("public_url", answers.publicUrl, "https://node.example.com")}
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
${rpc("base", answers.baseRpc)}${rpc("solana", answers.solanaRpc)}${rpc("algorand", answers.algorandRpc)}`;
}
