import type { ProviderDefinition } from "../catalog/provider.ts";
import { nodeKeyId } from "../trust/did.ts";
import type { SurfaceModel } from "./types.ts";

/** An entry of a list; with `url`, a link. */
export interface TextItem {
  readonly text: string;
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

const SANDBOX_NOTE = "This is a sandbox: networks, money, prices and data are simulated, and nothing here can be owed.";

/** On what terms this node sells. */
export function renderTermsText(model: SurfaceModel): TextDocument {
  const { node, sandbox, networks } = model;
  const providers = listProviders(model);
  const where = networks.map(({ title }) => title).join(", ");
  return {
    title: `Terms of ${node.name}`,
    summary: "What is charged, when, what for, and what the data may be used for.",
    blocks: [
      ...(sandbox ? [paragraph(SANDBOX_NOTE)] : []),
      heading("Price"),
      paragraph(
        `Each path has one price in US dollars, paid in USDC${where === "" ? "" : ` on ${where}`} or from a prepaid ` +
          "key. The 402 answer of the path is what counts; every list of prices is made from the same figure.",
      ),
      heading("When you are charged"),
      paragraph(
        "Only for data. A payment is checked first, the answer is produced next, and only then is the payment " +
          "settled. " +
          "A wrong parameter, a missing upstream, a timeout or any other failure costs nothing and says so " +
          "(charged: false).",
      ),
      paragraph(
        "While the outcome of a settlement is not known, the answer says charged: unknown; send the same request " +
          "with the " +
          "same payment again and you get its answer without paying twice.",
      ),
      heading("Refunds"),
      paragraph(
        "A settled payment is final: it is a transfer on a public chain. What was charged to a prepaid key by " +
          "mistake can " +
          "be given back to that key by the operator, and stands in its statement. Write to the contact below and " +
          "name the " +
          "receipt or the X-Request-Id.",
      ),
      heading("Prepaid keys and passes"),
      paragraph(
        "What a plan grants and how long it lasts is in its preview and in /get-pricing. A key is shown once; " +
          "whoever " +
          "holds it can spend it.",
      ),
      heading("Data sources"),
      paragraph(
        "Answers are made from the sources below, within their terms. Where one asks to be named, it is named in the " +
          "sources of the answer, and has to stay named when you show the data on.",
      ),
      list(providers.map(describeProvider)),
      heading("No advice"),
      paragraph(
        "Data, scores and verdicts are computed from public sources without any knowledge of your situation. They " +
          "are " +
          "neither advice nor an offer, and come without warranty of any kind.",
      ),
      heading("Operator"),
      paragraph(`${node.name} is run by its operator. ${describeContact(model)}`),
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
export function renderAboutText(model: SurfaceModel): TextDocument {
  const { node, sandbox, products, networks, free } = model;
  const { public_url } = node;
  const links = free.filter(({ asks, methods }) => asks !== true && methods.includes("GET"));
  const key_id = nodeKeyId(public_url, node.key_name);
  const calls = products.filter(({ plan }) => plan === null);
  const where = networks.length === 0 ? "" : ` in USDC on ${networks.map(({ title }) => title).join(", ")}`;
  return {
    title: `About ${node.name}`,
    summary: `Market data for software agents: ${calls.length} products, paid call by call${where}.`,
    blocks: [
      ...(sandbox ? [paragraph(SANDBOX_NOTE)] : []),
      paragraph(
        "Ask any path: without payment the answer is HTTP 402 with the price. Add ?preview=1 for free, delayed data " +
          "of " +
          "the same shape. No account is needed.",
      ),
      heading("Operator"),
      paragraph(describeContact(model)),
      heading("Identity"),
      list([
        { text: `Node id: ${node.node_id}` },
        { text: `Public key (Ed25519): ${node.public_key}` },
        { text: `Key id: ${key_id}` },
        { text: `Version: ${node.version}` },
      ]),
      heading("Networks"),
      networks.length === 0
        ? paragraph("No network can be paid on right now.")
        : list(networks.map(({ title, network, pay_to }) => ({ text: `${title} (${network}), paid to ${pay_to}` }))),
      heading("Everything else"),
      list(links.map(({ path, summary }) => ({ text: `${path}: ${summary}`, url: `${public_url}${path}` }))),
    ],
    facts: {
      name: node.name,
      url: public_url,
      version: node.version,
      operator: { contact: node.contact_email, security: node.security_contact },
      key: { id: key_id, ed25519: node.public_key },
      networks: networks.map(({ network, title, asset, pay_to }) => ({ network, title, asset, pay_to })),
      products: calls.length,
      plans: products.length - calls.length,
      links: links.map(({ path, summary, content_type }) => ({ url: `${public_url}${path}`, summary, content_type })),
    },
  };
}

function describeContact({ node }: SurfaceModel): string {
  const mail =
    node.contact_email === null ? "The operator gives no public contact." : `Contact: ${node.contact_email}.`;
  return node.security_contact === null ? mail : `${mail} To report a weakness: ${node.security_contact}.`;
}

/** Upstreams of what is sold, once each, by title. */
function listProviders({ products }: SurfaceModel): readonly ProviderDefinition[] {
  const found = new Map(products.flatMap(({ providers }) => providers.map((one) => [one.id, one] as const)));
  return [...found.values()].sort((a, b) => a.title.localeCompare(b.title));
}

function describeProvider({ title, docs_url, terms }: ProviderDefinition): TextItem {
  const named = terms.attribution ? ` Named as: ${terms.attribution.text} (${terms.attribution.url}).` : "";
  return { text: `${title}: ${terms.note}${named}`, url: docs_url };
}
