import { priceText } from "./price-text.ts";
import type { Surface, SurfaceModel, SurfaceProduct } from "./types.ts";
import { defineSurface, json } from "./types.ts";

/** Both spellings of the x402 extension; whichever a client activates, the flow is the same. */
const X402_EXTENSIONS = [
  "https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2",
  "https://github.com/google-a2a/a2a-x402/v0.1",
] as const;

/** Set by a data part with the order as its params; told by push notifications. */
const WATCH_SKILL = {
  id: "watch",
  name: "Watch a product",
  description:
    "Asks a product again and again for your prepaid key (X-API-Key) and tells you when a condition holds: a task " +
    "that goes on until the watch ends, told by push notifications. Setting it is free.",
  tags: ["watch", "alert", "webhook"],
  examples: [
    JSON.stringify({
      skill: "watch",
      params: {
        product: "<skill or path>",
        condition: { field: "<a field of its data>", op: "changed" },
        every: "1h",
        budget_usd: "1",
      },
    }),
  ],
};

/** Its example is a call that works as it stands, also as the text of a message. */
const renderSkill = (product: SurfaceProduct) => ({
  id: product.skill_id,
  name: product.title,
  description: `${product.description} Price: ${priceText(product)} ${product.plan ? "once" : "per call"}.`,
  tags: product.tags,
  examples: [renderExample(product)],
});

function renderExample({ method, url, example }: SurfaceProduct): string {
  if (method === "POST") return `POST ${url} ${JSON.stringify(example.params)}`;
  const query = Object.entries(example.params).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replaceAll("%2F", "/")}`,
  );
  return `GET ${url}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

/**
 * The A2A agent card. Members of A2A 0.3 and of 1.0 are listed together, as neither line of clients minds the
 * other's; `securitySchemes` is left out, because there the two clash.
 */
function renderAgentCard({ node, sandbox, products, free }: SurfaceModel) {
  const { public_url } = node;
  const has_watches = free.some(({ path }) => path === "/watch");
  const url = `${public_url}/a2a`;
  return {
    name: node.name,
    description: "Pay-per-call market intelligence for software agents, in USDC over x402 or with a prepaid key.",
    provider: { organization: node.name, url: `${public_url}/about` },
    schemaVersion: "0.3",
    protocolVersion: "0.3.0",
    version: node.version,
    ...(sandbox ? { sandbox: true } : {}),
    url,
    preferredTransport: "JSONRPC",
    additionalInterfaces: [{ url, transport: "JSONRPC" }],
    supportedInterfaces: ["1.0", "0.3"].map((protocolVersion) => ({
      url,
      protocolBinding: "JSONRPC",
      protocolVersion,
    })),
    capabilities: {
      streaming: false,
      pushNotifications: has_watches,
      stateTransitionHistory: true,
      extensions: X402_EXTENSIONS.map((uri) => ({ uri, description: "Pay per skill with x402", required: false })),
    },
    defaultInputModes: ["application/json", "text/plain"],
    defaultOutputModes: ["application/json"],
    documentationUrl: `${public_url}/llms.txt`,
    iconUrl: `${public_url}/icon.png`,
    skills: [...products.map(renderSkill), ...(has_watches ? [WATCH_SKILL] : [])],
  };
}

const createCard = (path: Surface["path"], summary: string): Surface =>
  defineSurface({
    path,
    summary,
    content_type: "application/json",
    render: (model) => json(renderAgentCard(model)),
  });

/** The same bytes under the path both lines of clients ask for, and under the older one. */
export const surfaces = [
  createCard("/.well-known/agent-card.json", "A2A agent card: every product as a skill"),
  createCard("/.well-known/agent.json", "The agent card under its older path"),
];
