import type { ProviderDefinition } from "../catalog/provider.ts";
import { nodeKeyId } from "../trust/did.ts";
import { MCP_VERSIONS } from "./mcp-versions.ts";
import type { RetiredKey, SurfaceModel, WalletClaimView } from "./types.ts";

/** Says a text of these documents in a reader's language, "{0}", "{1}" … replaced by `values`. */
export type Say = (text: string, ...values: readonly (string | number)[]) => string;

/** As it stands here: documents for software are in English always. */
export const sayEnglish: Say = (text, ...values) =>
  values.length === 0 ? text : text.replaceAll(/\{(\d)\}/g, (mark, place) => String(values[Number(place)] ?? mark));

/** An entry of a list; with `url`, a link. */
export interface TextItem {
  readonly text: string;
  /** A quotation, such as a provider's terms: English in every language. */
  readonly is_quoted?: boolean;
  readonly url?: string;
}

export type TextBlock =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly TextItem[] };

/** A page of prose: its HTML, JSON and Markdown forms are all made from this. */
export interface TextDocument {
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  readonly blocks: readonly TextBlock[];
  /** The same as figures and names, for programs. */
  readonly facts: Readonly<Record<string, unknown>>;
}

const heading = (text: string): TextBlock => ({ kind: "heading", text });
const paragraph = (text: string): TextBlock => ({ kind: "paragraph", text });
const list = (items: readonly TextItem[]): TextBlock => ({ kind: "list", items });

/** Sentences that make one paragraph. */
const sentences = (say: Say, texts: readonly string[]): TextBlock => paragraph(texts.map((one) => say(one)).join(" "));

const OWNERSHIP_PATH = "/.well-known/verify-manifest";
const DID_PATH = "/.well-known/did.json";

const NAME_FROM_KEY = [
  "The node id follows from the key: “in1” and the base58 of the first 16 bytes of its SHA-256.",
  "The key signs receipts, records and the manifest.",
] as const;
const PROOF_CHECK = [
  "A proven wallet has signed a statement that names this node, its key and a last day.",
  "The first address below has every statement, its signature and the steps to check it; the second has the keys.",
  "The command does all of it.",
] as const;
const SANDBOX_NOTE = [
  "This is a sandbox: networks, money, prices and data are simulated, and nothing here can be owed.",
] as const;
const CHARGED = [
  "Only for data.",
  "A payment is checked first, the answer is produced next, and only then is the payment settled.",
  "A wrong parameter, a missing upstream, a timeout or any other failure costs nothing.",
  "It says so, too: charged is false.",
] as const;
const UNKNOWN = [
  "While the outcome of a settlement is not known, the answer says that charged is unknown.",
  "Send the same request with the same payment again and you get its answer without paying twice.",
] as const;
const REFUNDS = [
  "A settled payment is final: it is a transfer on a public chain.",
  "What was charged to a prepaid key by mistake can be given back to that key by the operator.",
  "It stands in the key's statement.",
  "Write to the contact below and name the receipt or the X-Request-Id.",
] as const;
const PREPAID = [
  "What a plan grants and how long it lasts is in its preview and in /get-pricing.",
  "A key is shown once; whoever holds it can spend it.",
] as const;
const SOURCES = [
  "Answers are made from the sources below, within their terms.",
  "Where one asks to be named, it is named in the sources of the answer.",
  "It has to stay named when you show the data on.",
] as const;
const NO_ADVICE = [
  "Data, scores and verdicts are computed from public sources without any knowledge of your situation.",
  "They are neither advice nor an offer, and come without warranty of any kind.",
] as const;
const ASKING = [
  "Ask any path: without payment the answer is HTTP 402 with the price.",
  "With ?preview=1 alone it is free, delayed data of the same shape, for the parameters that preview_of names.",
  "No account is needed.",
] as const;

/** On what terms this node sells. */
export function renderTermsText(model: SurfaceModel, say: Say = sayEnglish): TextDocument {
  const { node, sandbox, networks } = model;
  const providers = listProviders(model);
  const where = networks.map(({ title }) => title).join(", ");
  const paid_in = where === "" ? "USDC" : say("USDC on {0}", where);
  const price = say("Each path has one price in US dollars, paid in {0} or from a prepaid key.", paid_in);
  const counts = say("The 402 answer of the path is what counts; every list of prices is made from the same figure.");
  return {
    title: say("Terms of {0}", node.name),
    summary: say("What is charged, when, what for, and what the data may be used for."),
    blocks: [
      ...(sandbox ? [sentences(say, SANDBOX_NOTE)] : []),
      heading(say("Price")),
      paragraph(`${price} ${counts}`),
      heading(say("When you are charged")),
      sentences(say, CHARGED),
      sentences(say, UNKNOWN),
      heading(say("Refunds")),
      sentences(say, REFUNDS),
      heading(say("Prepaid keys and passes")),
      sentences(say, PREPAID),
      heading(say("Data sources")),
      sentences(say, SOURCES),
      list(providers.map(describeProvider)),
      heading(say("No advice")),
      sentences(say, NO_ADVICE),
      heading(say("Operator")),
      paragraph(`${say("{0} is run by its operator.", node.name)} ${describeContact(model, say)}`),
    ],
    facts: {
      price: { currency: "USD", paid_in: "USDC", networks: networks.map(({ network }) => network) },
      charged_on_failure: false,
      refunds: { on_chain: false, prepaid: "by the operator, to the key" },
      data_sources: providers.map(({ id, title, docs_url, terms }) => ({
        id,
        title,
        url: docs_url,
        terms: terms.class,
        note: terms.note,
        attribution: terms.attribution ?? null,
      })),
      advice: false,
      contact: node.contact_email,
    },
  };
}

/** Who this node is and where everything about it is found. */
export function renderAboutText(model: SurfaceModel, say: Say = sayEnglish): TextDocument {
  const { node, sandbox, products, networks, free, wallets } = model;
  const { public_url } = node;
  const links = free.filter(({ asks, methods }) => asks !== true && methods.includes("GET"));
  const key_id = nodeKeyId(public_url, node.key_name);
  const calls = products.filter(({ plan }) => plan === null);
  const where = networks.map(({ title }) => title).join(", ");
  const paid = where === "" ? "" : say(" in USDC on {0}", where);
  return {
    title: say("About {0}", node.name),
    summary: say("Market data for software agents: {0} products, paid call by call{1}.", calls.length, paid),
    blocks: [
      ...(sandbox ? [sentences(say, SANDBOX_NOTE)] : []),
      sentences(say, ASKING),
      heading(say("Operator")),
      paragraph(describeContact(model, say)),
      heading(say("Identity")),
      list([
        { text: say("Node id: {0}", node.node_id) },
        { text: say("Public key (Ed25519): {0}", node.public_key) },
        { text: say("Key id: {0}", key_id) },
        ...node.retired_keys.map((key) => ({ text: describeRetired(public_url, key, say) })),
        { text: say("Version: {0}", node.version) },
        { text: say("Protocols: x402 versions 2 and 1, MCP {0}", MCP_VERSIONS.join(", ")) },
      ]),
      sentences(say, NAME_FROM_KEY),
      heading(say("Networks")),
      networks.length === 0
        ? paragraph(say("No network can be paid on right now."))
        : list(networks.map((one) => ({ text: say("{0} ({1}), paid to {2}", one.title, one.network, one.pay_to) }))),
      heading(say("Wallets")),
      wallets.length === 0
        ? paragraph(say("No wallet is set up to be paid."))
        : list(wallets.map((wallet) => ({ text: describeWallet(wallet, say) }))),
      sentences(say, PROOF_CHECK),
      list([
        { text: `${public_url}${OWNERSHIP_PATH}`, url: `${public_url}${OWNERSHIP_PATH}` },
        { text: `${public_url}${DID_PATH}`, url: `${public_url}${DID_PATH}` },
        { text: `intel-node verify ${public_url}` },
      ]),
      heading(say("What is simulated")),
      paragraph(say(sandbox ? "Networks, payments, upstreams and their data." : "Nothing.")),
      heading(say("Everything else")),
      list(
        links.map(({ path, summary }) => ({
          text: `${path}: ${summary}`,
          url: `${public_url}${path}`,
          is_quoted: true,
        })),
      ),
    ],
    facts: {
      name: node.name,
      url: public_url,
      version: node.version,
      operator: { contact: node.contact_email, security: node.security_contact },
      key: { id: key_id, ed25519: node.public_key },
      retired_keys: node.retired_keys.map(({ name, ...key }) => ({ id: nodeKeyId(public_url, name), ...key })),
      wallets: wallets.map(({ network, address, status, method, expires_at }) => ({
        network,
        address,
        status,
        method: method ?? null,
        expires_at: expires_at ?? null,
      })),
      verify: [`${public_url}${OWNERSHIP_PATH}`, `${public_url}${DID_PATH}`],
      simulated: sandbox,
      networks: networks.map(({ network, title, asset, pay_to }) => ({ network, title, asset, pay_to })),
      products: calls.length,
      plans: products.length - calls.length,
      links: links.map(({ path, summary, content_type }) => ({ url: `${public_url}${path}`, summary, content_type })),
    },
  };
}

function describeRetired(public_url: string, { name, retired_at, compromised }: RetiredKey, say: Say): string {
  const retired = say("Earlier key: {0}, until {1}", nodeKeyId(public_url, name), retired_at);
  return compromised ? `${retired}. ${say("What it signed proves nothing any more.")}` : retired;
}

/** Whether the address is shown to be the node's own, and until when. */
function describeWallet({ network, address, status, method, expires_at }: WalletClaimView, say: Say): string {
  const at = say("{0} on {1}", address, network);
  if (status === "unproven") return `${at}: ${say("not proven to be this node's")}`;
  const told = status === "proven" ? "proven by its own signature ({0}), until {1}" : "proof ({0}) expired at {1}";
  return `${at}: ${say(told, method ?? "–", expires_at ?? "–")}`;
}

function describeContact({ node }: SurfaceModel, say: Say): string {
  const { contact_email, security_contact } = node;
  const mail =
    contact_email === null ? say("The operator gives no public contact.") : say("Contact: {0}.", contact_email);
  return security_contact === null ? mail : `${mail} ${say("To report a weakness: {0}.", security_contact)}`;
}

/** Upstreams of what is sold, once each, by title. */
function listProviders({ products }: SurfaceModel): readonly ProviderDefinition[] {
  const found = new Map(products.flatMap(({ providers }) => providers.map((one) => [one.id, one] as const)));
  return [...found.values()].sort((a, b) => a.title.localeCompare(b.title));
}

function describeProvider({ title, docs_url, terms }: ProviderDefinition): TextItem {
  const named = terms.attribution ? ` Named as: ${terms.attribution.text} (${terms.attribution.url}).` : "";
  return { text: `${title}: ${terms.note}${named}`, url: docs_url, is_quoted: true };
}
