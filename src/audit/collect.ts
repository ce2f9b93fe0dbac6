import { listAt, membersAt, parseJSON, textAt, valueAt } from "../core/json-values.ts";
import {
  ANSWERED,
  type AuditedAnswer,
  BAZAAR_PAGE,
  type EndpointFacts,
  MANIFESTS,
  NOTHING,
  OPTIONAL,
  type OwnershipFacts,
} from "./facts.ts";
import { readLinks, TEMPLATE } from "./links.ts";
import { listSold } from "./prices.ts";

/** Makes one request; a host that does not answer in time is LATE. @throws when no host answers. */
export type AskEndpoint = (
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<AuditedAnswer>;

export interface CollectOptions {
  /** Without a slash at its end. */
  readonly asked_url: string;
  readonly ask: AskEndpoint;
  readonly now_ms: () => number;
  /** Checks who the node is, at the address it gives itself. */
  readonly checkOwnership: (public_url: string) => Promise<OwnershipFacts | null>;
  /** What is worth setting outside the node, for the address it gives itself. */
  readonly hintsFor: (public_url: string, documents: ReadonlyMap<string, AuditedAnswer>) => EndpointFacts["hints"];
}

const PRICING = "/get-pricing";
const PRODUCTS_MAX = 1_000;
/** Links are followed to this number. */
const LINKS_MAX = 2_000;
const AT_ONCE = 8;
/** Documents whose links are followed; the others repeat theirs. */
const LINKING = [
  "/.well-known/x402.json",
  "/.well-known/x402",
  "/openapi.json",
  "/bazaar.json",
  "/.well-known/agent-card.json",
  "/.well-known/mcp.json",
  "/mcp/server-card",
  "/.well-known/mcp/catalog.json",
  "/.well-known/api-catalog",
  "/.well-known/verify-manifest",
  "/llms.txt",
  "/llms-full.txt",
  "/tools.json",
  "/terms",
  "/about",
  "/robots.txt",
  "/",
  "/welcome",
  "/try",
  "/sample",
] as const;

/**
 * Fetches everything the rules look at: documents in every way they are read, every product without a payment, every
 * link. Pays nothing.
 * @throws when the node does not answer at all.
 */
export async function collectFacts(options: CollectOptions): Promise<EndpointFacts> {
  const answers = new Map<string, AuditedAnswer>();
  const get = async (path: string, method = "GET", headers = {}): Promise<AuditedAnswer> => {
    // One request that fails is a finding; the first one tells whether anybody is there.
    const answer = await options.ask(method === "304" ? "GET" : method, path, headers).catch(() => NOTHING);
    answers.set(`${method} ${path}`, answer);
    return answer;
  };
  const pricing = await options.ask("GET", PRICING);
  if (pricing.is_late) throw new Error("it takes too long");
  await atOnce([...MANIFESTS, ...ANSWERED, ...OPTIONAL], async (path) => {
    const { headers } = await get(path);
    await Promise.all([get(path, "HEAD"), get(path, "OPTIONS")]);
    if (headers.etag) await get(path, "304", { "if-none-match": headers.etag });
  });
  await atOnce(listPages(answers.get("GET /bazaar.json")), async (path) => {
    await get(path);
  });
  const manifest = parseJSON(answers.get("GET /.well-known/x402.json")?.text ?? "");
  const named = textAt(manifest, "node", "url");
  const public_url = URL.canParse(named) && new URL(named).origin === named ? named : options.asked_url;
  const draft: EndpointFacts = {
    asked_url: options.asked_url,
    public_url,
    sandbox: valueAt(parseJSON(pricing.text), "sandbox") === true,
    now_ms: options.now_ms(),
    answers,
    products: [],
    links: [],
    ownership: await options.checkOwnership(public_url),
    hints: options.hintsFor(public_url, answers),
  };
  const products = listSold(draft).slice(0, PRODUCTS_MAX);
  await atOnce(products, async (path) => {
    await Promise.all([get(path), get(path, "HEAD"), get(path, "OPTIONS")]);
  });
  const links = findLinks(draft);
  await atOnce(
    links.filter((link) => !answers.has(`GET ${link}`)),
    async (link) => {
      await get(link);
    },
  );
  return { ...draft, products, links };
}

/** The pages of the bazaar list after the first. */
function listPages(first: AuditedAnswer | undefined): readonly string[] {
  const { limit, total } = Object.fromEntries(membersAt(parseJSON(first?.text ?? ""), "pagination"));
  if (typeof limit !== "number" || typeof total !== "number" || limit < 1) return [];
  const pages = Math.ceil(Math.min(total, PRODUCTS_MAX) / limit);
  return Array.from({ length: Math.max(0, pages - 1) }, (_, page) => `${BAZAAR_PAGE}${(page + 1) * limit}`);
}

async function atOnce<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...list];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, list.length) }, worker));
}

/** Links to the node itself in its documents: absolute ones anywhere, and paths where a document lists paths. */
function findLinks({ public_url, answers }: EndpointFacts): readonly string[] {
  const found = new Set<string>();
  const read = (path: string): unknown => parseJSON(answers.get(`GET ${path}`)?.text ?? "");
  for (const document of LINKING) {
    const answer = answers.get(`GET ${document}`);
    if (answer?.status !== 200) continue;
    for (const link of readLinks(answer.text, public_url)) found.add(link);
  }
  for (const [path, item] of membersAt(read("/openapi.json"), "paths")) if (membersAt(item).length > 0) found.add(path);
  for (const document of [read("/get-pricing"), read("/.well-known/x402")]) {
    const free = membersAt(document).filter(([key, value]) => /^free/.test(key) && Array.isArray(value));
    for (const path of free.flatMap(([, value]) => listAt(value))) found.add(String(path));
  }
  return [...found]
    .filter((path) => path.startsWith("/") && !TEMPLATE.test(path))
    .slice(0, LINKS_MAX)
    .sort();
}
