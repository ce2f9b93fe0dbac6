import { listAt, textAt } from "../../core/json-values.ts";
import { documentOf, type EndpointFacts } from "../facts.ts";

/** A document and what its readers ask of it. */
export interface Shape {
  readonly path: string;
  /** JSON Schema; null for what is no JSON. */
  readonly schema: unknown;
  /** What a schema cannot say, in words; null when all is well. */
  readonly check?: (facts: EndpointFacts, text: string) => string | null;
}

const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text };
const some = { type: "array", minItems: 1 };
const object = (required: Readonly<Record<string, unknown>>, optional: Readonly<Record<string, unknown>> = {}) => ({
  type: "object",
  required: Object.keys(required),
  properties: { ...required, ...optional },
});
const stamped = { node_id: text, generated_at: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$" } };

const RESOURCE = object({
  url: text,
  method: text,
  description: { type: "string", minLength: 1, maxLength: 450 },
  accepts: some,
  asset: text,
  network: text,
  payTo: text,
  scheme: text,
  maxAmountRequired: { type: "string", pattern: "^[1-9]\\d*$" },
  maxTimeoutSeconds: { type: "integer", minimum: 1 },
  mimeType: text,
  inputSchema: object({ type: { const: "object" }, properties: { type: "object" } }),
  outputSchema: object({ type: { const: "object" } }),
});
const SKILL = object({ id: text, name: text, description: text, tags: texts });
const CARD = object({
  name: text,
  description: text,
  url: text,
  version: text,
  protocolVersion: text,
  capabilities: { type: "object" },
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: { type: "array", minItems: 1, items: SKILL },
  supportedInterfaces: { type: "array", minItems: 1, items: object({ url: text, protocolBinding: text }) },
});

/** llmstxt.org: one H1, a quote, prose without headings, then H2 sections of links alone. */
function findTextFault(_: EndpointFacts, body: string): string | null {
  const lines = body.split("\n").map((line) => line.trimEnd());
  if (!lines[0]?.startsWith("# ")) return "the first line is no H1";
  if (lines.filter((line) => line.startsWith("# ")).length > 1) return "there is more than one H1";
  if (!lines.some((line) => line.startsWith("> "))) return "there is no summary in a quote";
  if (lines.some((line) => /^#{3,} /.test(line))) return "there is a heading below H2";
  const from = lines.findIndex((line) => line.startsWith("## "));
  if (from < 0) return "there is no section of links";
  const loose = lines.slice(from).find((line) => line !== "" && !/^## \S|^- \[[^\]]+\]\([^)\s]+\)(: .*)?$/.test(line));
  if (loose !== undefined) return `a section holds more than links: "${loose.slice(0, 60)}"`;
  return body.length > 16_384 ? `it has ${body.length} characters, readers expect at most 16 KiB` : null;
}

const sameBytes = (facts: EndpointFacts): string | null =>
  JSON.stringify(documentOf(facts, "/.well-known/agent.json")) ===
  JSON.stringify(documentOf(facts, "/.well-known/agent-card.json"))
    ? null
    : "it differs from the agent card under the other path";

const kid = (facts: EndpointFacts): string | null => {
  const document = documentOf(facts, "/.well-known/did.json");
  const expected = `did:web:${new URL(facts.public_url).host.replace(":", "%3A")}`;
  if (textAt(document, "id") !== expected) return `its id is not ${expected}`;
  const keys = listAt(document, "verificationMethod").map((one) => textAt(one, "id"));
  return listAt(document, "assertionMethod").every((id) => keys.includes(String(id)))
    ? null
    : "it vouches for no key of its own";
};

/** What every node serves. */
export const SHAPES: readonly Shape[] = [
  {
    path: "/.well-known/x402.json",
    schema: object({
      x402Version: { const: 2 },
      node: object({ name: text, url: text, node_id: text, chains: texts, openapi: text, mcp: text, freeSample: text }),
      ownershipProofs: texts,
      resources: { type: "array", minItems: 1, items: RESOURCE },
      lastUpdated: { type: "integer", minimum: 1 },
    }),
  },
  {
    path: "/.well-known/x402",
    schema: object({ version: { type: "number" }, resources: { ...some, items: text } }, { endpoints: some }),
  },
  {
    path: "/openapi.json",
    schema: object({
      openapi: { type: "string", pattern: "^3\\.1\\." },
      info: object({ title: text, version: text }),
      servers: { type: "array", minItems: 1, items: object({ url: text }) },
      paths: { type: "object" },
    }),
  },
  {
    path: "/bazaar.json",
    schema: object({
      x402Version: { const: 2 },
      items: {
        type: "array",
        minItems: 1,
        items: object({ resource: text, type: text, accepts: some, lastUpdated: text }),
      },
      pagination: object({ limit: { type: "integer" }, offset: { type: "integer" }, total: { type: "integer" } }),
    }),
  },
  { path: "/.well-known/agent-card.json", schema: CARD },
  { path: "/.well-known/agent.json", schema: CARD, check: sameBytes },
  {
    path: "/.well-known/mcp.json",
    schema: object({
      name: text,
      endpoint: text,
      transport: { const: "streamable-http" },
      tools: {
        ...some,
        items: object({ name: text, description: text, inputSchema: object({ type: { const: "object" } }) }),
      },
    }),
  },
  {
    path: "/mcp/server-card",
    schema: object({
      name: { type: "string", pattern: "^[^/\\s]+/[^/\\s]+$" },
      version: text,
      description: { type: "string", minLength: 1, maxLength: 100 },
      remotes: { ...some, items: object({ type: text, url: text }) },
    }),
  },
  { path: "/.well-known/mcp/catalog.json", schema: object({ entries: { ...some, items: object({ url: text }) } }) },
  {
    path: "/.well-known/did.json",
    schema: object({ id: text, verificationMethod: some, assertionMethod: { ...some, items: text } }),
    check: kid,
  },
  { path: "/get-pricing", schema: object({ ...stamped, products: some, networks: some, free: texts }) },
  { path: "/tools.json", schema: {} },
  { path: "/live", schema: object({ ...stamped, status: text, networks: some, products: some }) },
  { path: "/receipts", schema: object({ ...stamped, items: { type: "array" }, totals: { type: "object" } }) },
  { path: "/welcome", schema: object({ ...stamped, header: text, terms: text }) },
  { path: "/try", schema: object({ ...stamped, items: { type: "array" }, warnings: { type: "array" } }) },
  { path: "/sample", schema: object({ ...stamped, warnings: { type: "array" } }) },
  { path: "/llms.txt", schema: null, check: findTextFault },
  {
    path: "/llms-full.txt",
    schema: null,
    check: (_, body) => (body.startsWith("# ") ? null : "the first line is no H1"),
  },
  { path: "/terms", schema: null },
  { path: "/about", schema: null },
];
