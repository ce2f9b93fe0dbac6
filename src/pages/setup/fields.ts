import type { Phrase } from "../words.ts";

/** The steps of the set-up, in order. Each can be skipped, and revisited. */
export const SETUP_STEPS = [
  ["shop", "Name and address"],
  ["wallets", "Wallets"],
  ["prices", "Prices"],
  ["alerts", "Alerts"],
  ["keys", "Provider keys"],
  ["sale", "Test sale"],
  ["finish", "Keep and start"],
] as const satisfies readonly (readonly [string, Phrase])[];

export type SetupStep = (typeof SETUP_STEPS)[number][0];

/** One question. */
export interface SetupField {
  /** Name of the form's field and of the kept answer. */
  readonly name: string;
  /** Key of the configuration, whose faults are shown beside this field. */
  readonly key: string;
  /** A phrase of the pages, or a name common to all languages. */
  readonly label: Phrase | (string & {});
  readonly hint?: Phrase;
  /** Shown while the field is empty. */
  readonly example?: string;
  readonly kind: "text" | "password" | "choice";
  readonly options?: readonly string[];
  /** Address at which the provider explains how to get a key. */
  readonly docs_url?: string;
  /** Whether something is not sold without it. */
  readonly is_needed?: true;
}

/** A line of text. @param at the field's name, and its key in the configuration. */
const line = (
  [name, key]: readonly [name: string, key: string],
  label: SetupField["label"],
  more: Pick<SetupField, "hint" | "example"> = {},
): SetupField => ({ name, key, label, kind: "text", ...more });

const secret = (at: readonly [name: string, key: string], label: Phrase): SetupField => ({
  ...line(at, label),
  kind: "password",
});

const RPC_HINT = { hint: "A server of yours, to check payments with; empty trusts the payment service." } as const;

const SHOP: readonly SetupField[] = [
  line(["name", "node.name"], "Name of the shop", { hint: "Shown to buyers.", example: "intel-node" }),
  line(["publicUrl", "node.public_url"], "Public address", {
    hint: "Under which buyers reach the node; empty as long as you have none.",
    example: "https://node.example.com",
  }),
  line(["contactEmail", "node.contact_email"], "E-mail address shown to buyers", { example: "ops@example.com" }),
  line(["proxy", "server.trusted_proxies"], "Addresses of the proxy in front", {
    hint: "Caddy, nginx or another on this machine: 127.0.0.1, ::1. Empty for none.",
    example: "127.0.0.1, ::1",
  }),
];

const WALLETS: readonly SetupField[] = [
  line(["basePayTo", "wallets.base"], "Address on Base", { example: "0x…" }),
  line(["solanaPayTo", "wallets.solana"], "Address on Solana"),
  line(["algorandPayTo", "wallets.algorand"], "Address on Algorand"),
  line(["facilitatorUrl", "facilitators"], "Payment service (x402 facilitator)", {
    hint: "It takes the payments to the chain.",
    example: "https://facilitator.payai.network",
  }),
  line(["baseRpc", "chains.base"], "RPC: Base", RPC_HINT),
  line(["solanaRpc", "chains.solana"], "RPC: Solana", RPC_HINT),
  line(["algorandRpc", "chains.algorand"], "RPC: Algorand (algod)", RPC_HINT),
];

/** The keys of each kind of [[alerts]] entry, besides the kind itself. */
export const ALERT_KEYS: Readonly<Record<string, readonly string[]>> = {
  ntfy: ["url", "token"],
  webhook: ["url", "secret"],
  email: ["host", "port", "user", "password", "from", "to"],
};

const alertKey = (key: string) => [`alert.${key}`, `alerts.0.${key}`] as const;

const ALERTS: readonly SetupField[] = [
  { ...line(alertKey("kind"), "How you are told"), kind: "choice", options: ["", ...Object.keys(ALERT_KEYS)] },
  line(alertKey("url"), "ntfy or webhook: address", { example: "https://ntfy.sh/a-long-secret-topic" }),
  secret(alertKey("token"), "ntfy: access token, if it asks for one"),
  line(alertKey("secret"), "webhook: what it is signed with", { example: "whsec_…" }),
  line(alertKey("host"), "email: server", { example: "smtp.example.com" }),
  line(alertKey("port"), "email: port", { example: "587" }),
  line(alertKey("user"), "email: user"),
  secret(alertKey("password"), "email: password"),
  line(alertKey("from"), "email: sender", { example: "node@example.com" }),
  line(alertKey("to"), "email: receiver", { example: "you@example.com" }),
];

/** The questions common to every node; those for prices and provider keys depend on what the node sells. */
export const SETUP_FIELDS: Readonly<Record<SetupStep, readonly SetupField[]>> = {
  shop: SHOP,
  wallets: WALLETS,
  prices: [],
  alerts: ALERTS,
  keys: [],
  sale: [],
  finish: [],
};
