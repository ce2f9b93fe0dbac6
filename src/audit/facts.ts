import { parseJSON } from "../core/json-values.ts";

/** What one request to the node was answered with. */
export interface AuditedAnswer {
  /** 0 when there was no answer at all. */
  readonly status: number;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Of the body, before any packing. */
  readonly bytes: number;
  /** There was no answer within the time limit. Who is slow is not gone. */
  readonly is_late?: boolean;
}

/** What checking the node's signatures came to. */
export interface OwnershipFacts {
  readonly verdict: string;
  /** Why it is not all proven, in words. */
  readonly doubts: readonly string[];
  /** False when a signature or digest is wrong; true when nothing is wrong, even if not all is proven. */
  readonly sound: boolean;
}

/** Everything the rules look at: fetched once, then only read. */
export interface EndpointFacts {
  /** Address that was asked, without a slash at its end. */
  readonly asked_url: string;
  /** Address the node's documents begin their links with. */
  readonly public_url: string;
  readonly sandbox: boolean;
  readonly now_ms: number;
  /** By method and path with its query: "GET /live", "HEAD /live"; "304 /live" is the call with its ETag. */
  readonly answers: ReadonlyMap<string, AuditedAnswer>;
  /** Paths that cost something, by every document. Sorted. */
  readonly products: readonly string[];
  /** Paths that the documents name as links, with their queries. Sorted. */
  readonly links: readonly string[];
  /** Null when the node has no signed manifest. */
  readonly ownership: OwnershipFacts | null;
  /** Lines for the operator to set elsewhere. */
  readonly hints: readonly { readonly about: string; readonly fix: string }[];
}

/** Documents made from the catalog or the configuration: kept by readers for some minutes. */
export const MANIFESTS = [
  "/.well-known/x402.json",
  "/.well-known/x402",
  "/openapi.json",
  "/bazaar.json",
  "/.well-known/agent-card.json",
  "/.well-known/agent.json",
  "/.well-known/mcp.json",
  "/mcp/server-card",
  "/.well-known/mcp/catalog.json",
  "/llms.txt",
  "/llms-full.txt",
  "/.well-known/verify-manifest",
  "/.well-known/did.json",
  "/.well-known/api-catalog",
  "/get-pricing",
  "/tools.json",
  "/tools.json?format=openai",
  "/tools.json?format=anthropic",
  "/tools.json?format=gemini",
  "/terms",
  "/about",
  "/robots.txt",
  "/favicon.ico",
  "/icon.png",
] as const;

/** What a page of the bazaar list after the first is asked as, before its offset. */
export const BAZAAR_PAGE = "/bazaar.json?offset=";

/** Documents answered anew per call. */
export const ANSWERED = ["/live", "/receipts", "/welcome", "/try", "/sample", "/mcp"] as const;

/** Nice to have. */
export const OPTIONAL = ["/.well-known/security.txt", "/", "/favicon.svg"] as const;

/** No answer. */
export const NOTHING: AuditedAnswer = { status: 0, headers: {}, text: "", bytes: 0 };

/** No answer within the time limit. */
export const LATE: AuditedAnswer = { ...NOTHING, is_late: true };

/** What a finding says of a status: "it answers ...". */
export const tellStatus = ({ status, is_late }: AuditedAnswer): string =>
  is_late ? "too slowly" : status === 0 ? "nothing" : String(status);

/** What a request was answered with; status 0 when it was not made. */
export const answerOf = ({ answers }: EndpointFacts, path: string, method = "GET"): AuditedAnswer =>
  answers.get(`${method} ${path}`) ?? NOTHING;

/** Each body is read once, however many rules look at it. */
const read = new WeakMap<AuditedAnswer, { readonly value: unknown }>();

/** The JSON of a document that answered 200, or undefined. It is everybody's: who reads it changes nothing in it. */
export const documentOf = (facts: EndpointFacts, path: string): unknown => {
  const answer = answerOf(facts, path);
  if (answer.status !== 200) return undefined;
  const known = read.get(answer);
  if (known !== undefined) return known.value;
  const value = parseJSON(answer.text);
  read.set(answer, { value });
  return value;
};

/** The path of a link to this node, without query and fragment; null for a link to somewhere else. */
export const pathOf = ({ public_url }: Pick<EndpointFacts, "public_url">, url: string): string | null => {
  if (!url.startsWith(`${public_url}/`)) return url === public_url ? "/" : null;
  return url.slice(public_url.length).split(/[?#]/)[0] ?? null;
};
