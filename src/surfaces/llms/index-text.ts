import { GUIDE_PATH } from "../guide-path.ts";
import { priceText } from "../price-text.ts";
import type { FreeEndpoint, SurfaceModel, SurfaceProduct } from "../types.ts";

/** Readers take this much of the file at once. */
export const INDEX_BYTES_MAX = 16_000;
const NOTE_CHARS_MAX = 110;
const VALUE_CHARS_MAX = 40;

/** llmstxt.org: one H1, a summary, prose, then H2 sections of nothing but links. */
export function renderIndexText(model: SurfaceModel): string {
  const { free } = model;
  const documents = free.filter(isDocument);
  const optional = free.filter(isOptional);
  const services = free.filter((one) => isShown(one) && !documents.includes(one) && !optional.includes(one));
  const whole = ({ notes, hints }: { readonly notes: boolean; readonly hints: boolean }) =>
    [
      ...renderHead(model),
      ...renderHints(model, hints),
      ...section("Products", callsOf(model).map(renderProduct)),
      ...section("Prepaid", plansOf(model).map(renderProduct)),
      ...section(
        "Free",
        services.map((one) => renderLink(one, model, notes)),
      ),
      ...section(
        "Documents",
        documents.map((one) => renderLink(one, model, notes)),
      ),
      ...section(
        "Optional",
        optional.map((one) => renderLink(one, model, notes)),
      ),
    ].join("\n");
  const fits = (text: string) => Buffer.byteLength(text) <= INDEX_BYTES_MAX;
  const [first, second] = [whole({ notes: true, hints: true }), whole({ notes: false, hints: true })];
  if (fits(first)) return first;
  return fits(second) ? second : whole({ notes: false, hints: false });
}

export const callsOf = ({ products }: SurfaceModel) => products.filter(({ plan }) => plan === null);
export const plansOf = ({ products }: SurfaceModel) => products.filter(({ plan }) => plan !== null);

/** Title, summary and how to pay; the start of both texts. */
export function renderHead({ node, sandbox, networks }: SurfaceModel): readonly string[] {
  const titles = [...new Set(networks.map(({ title }) => title))];
  const where = titles.length > 0 ? `USDC on ${titles.join(", ")} through x402` : "USDC through x402";
  return [
    `# ${plainText(node.name)}`,
    "",
    `> Pay-per-call market data for software agents. ${where}, or a prepaid key.`,
    "",
    ...(sandbox ? ["This is a sandbox: networks, money, prices and data are simulated.", ""] : []),
    "Call any path. Without payment you get HTTP 402 with the price in the PAYMENT-REQUIRED header. Any path with " +
      "?preview=1 alone is free, delayed data of the parameters that preview_of names; others have no preview.",
    "No account is needed.",
    "You are charged only when data is returned.",
    "",
  ];
}

/** What an agent needs beyond a call and its 402; the guide has the rest. */
const renderHints = ({ node, free }: SurfaceModel, whole: boolean): readonly string[] => {
  const has = (path: string) => free.some((one) => one.path === path);
  const told = [
    "Headers: `X-API-Key` a prepaid key; `X-Coupon` a free first call (GET /welcome); `Idempotency-Key` (16 " +
      "characters or more, random) makes a call safe to repeat; `X-Allow-Duplicate: true` buys the same data " +
      "twice in a minute.",
    "Before: POST /quote prices what you plan. After: GET /payments/{id} with the header you paid with says what " +
      "became of a payment; GET /receipts/{id}/bundle, with the same, is all it takes to make the answer again " +
      "(`intel-node recompute`). With a key: GET /credits-status, GET /statement (json, csv), POST /keys mints keys " +
      "with limits. With a wallet that signs in (x402 extension sign-in-with-x, free): GET /wallet/purchases, " +
      "/wallet/statement, /wallet/keys, /wallet/answers/{payment_id}.",
  ];
  return [
    ...(whole ? told : []),
    ...(has(GUIDE_PATH) ? [`The whole guide for agents: ${node.public_url}${GUIDE_PATH}`] : []),
    "",
  ];
};

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}`, "", ...lines, ""];

/** Crawlers read the address and the one amount behind it. */
function renderProduct(product: SurfaceProduct): string {
  const { id, url, title, example } = product;
  const call = Object.entries(example.params).map(([name, value]) => showParam(name, value));
  const note = [plainText(title), ...call].join(", ").slice(0, NOTE_CHARS_MAX);
  return `- [${id}](${url}): ${note}. ${priceText(product)}`;
}

/** A value that does not fit into a line is not shown in part: half a JSON list is invalid. */
function showParam(name: string, value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > VALUE_CHARS_MAX || plainText(text) !== text ? `with ${name}` : `${name}=${text}`;
}

const renderLink = ({ path, summary }: FreeEndpoint, { node }: SurfaceModel, notes: boolean): string =>
  `- [${nameOf(path)}](${node.public_url}${path})${notes ? `: ${plainText(summary)}` : ""}`;

const nameOf = (path: string): string => path.slice(1) || "home";

const OPTIONAL = ["/", "/terms", "/about", "/healthz", "/readyz", "/errors", "/mcp/server-card", "/docs"];
const isShown = ({ asks, methods, content_type, path }: FreeEndpoint): boolean =>
  asks !== true &&
  methods.includes("GET") &&
  !content_type.startsWith("image/") &&
  !/(robots|security)\.txt$|sitemap\.xml$/.test(path);
const isOptional = (one: FreeEndpoint): boolean => isShown(one) && OPTIONAL.includes(one.path);
const isDocument = (one: FreeEndpoint): boolean =>
  isShown(one) && !isOptional(one) && (one.path.startsWith("/.well-known/") || /\.(json|txt)$/.test(one.path));

/** Text of a plugin or a configuration on one line, without what would look like a link or a price. */
const plainText = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll(/[[\]]/g, "").replaceAll("$", "USD ");
