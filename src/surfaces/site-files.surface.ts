import { renderTime } from "../core/clock.ts";
import { docsPath, productPagePath } from "./docs-path.ts";
import { listGuidePages } from "./guide/pages.ts";
import { defineSurface, type Rendered, type SurfaceModel } from "./types.ts";

const plain = (lines: readonly string[]): Rendered => ({
  content_type: "text/plain; charset=utf-8",
  body: `${lines.join("\n")}\n`,
});

/** RFC 9309. Paid paths stay open: a 402 is information. A sandbox must never be indexed as a real node. */
const renderRobots = ({ node, sandbox }: SurfaceModel): Rendered =>
  plain([
    `# Written for agents: ${node.public_url}/llms.txt`,
    `# For machines: ${node.public_url}/openapi.json`,
    "User-agent: *",
    ...(sandbox ? ["Disallow: /"] : ["Allow: /", "Disallow: /admin", `Sitemap: ${node.public_url}/sitemap.xml`]),
  ]);

const PAGES = [
  ...["/", "/track-record", "/status", "/receipts", "/docs", "/guide", "/methodology", "/about", "/terms"],
  ...["/errors", "/live", "/welcome"],
];

/** What people may read, in the sitemaps.org form. A paid path is no page: a product's pages are others. */
function renderSitemap(model: SurfaceModel): Rendered {
  const { node, products, sandbox, free } = model;
  const note = sandbox ? "<!-- sandbox: nothing here is real -->" : "";
  const served = new Set(free.map(({ path }) => path));
  const own = PAGES.filter((path) => served.has(path));
  const tasks = listGuidePages(model).map(({ path }) => path);
  const pages = [...own, ...tasks, ...products.flatMap((one) => [productPagePath(one), docsPath(one)])].map(
    (path) => `<url><loc>${escapeXML(`${node.public_url}${path}`)}</loc></url>`,
  );
  const set = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages.join("")}</urlset>`;
  return { content_type: "application/xml", body: `<?xml version="1.0" encoding="UTF-8"?>${note}${set}` };
}

const escapeXML = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** RFC 9116 wants less than a year; documents are rendered again far more often than this runs out. */
const SECURITY_VALID_MS = 180 * 86_400_000;
const DAY_MS = 86_400_000;

function renderSecurity({ node, now_ms }: SurfaceModel): Rendered {
  const contact = node.security_contact ?? "";
  // To the day, so that a render changes the ETag once a day and not each time.
  const expires_ms = Math.floor((now_ms + SECURITY_VALID_MS) / DAY_MS) * DAY_MS;
  return plain([
    `Contact: ${asContact(contact)}`,
    `Expires: ${renderTime(expires_ms)}`,
    `Canonical: ${node.public_url}/.well-known/security.txt`,
    `Policy: ${node.public_url}/terms`,
  ]);
}

/** A URI, as the RFC asks; an address without a scheme is e-mail. One line, whatever the configuration holds. */
function asContact(text: string): string {
  const line = text.replaceAll(/\s+/g, "");
  return /^(https|mailto|tel):/i.test(line) ? line : `mailto:${line}`;
}

const hasSecurityContact = ({ node }: SurfaceModel): boolean => (node.security_contact ?? "").trim() !== "";

const security = (path: `/${string}`) =>
  defineSurface({
    path,
    summary: "Where to report a weakness (RFC 9116)",
    content_type: "text/plain",
    isServed: hasSecurityContact,
    render: renderSecurity,
  });

const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** RFC 9727: where the API of this origin is described. */
function renderCatalog({ node, sandbox }: SurfaceModel): Rendered {
  const { public_url } = node;
  const link = (path: string, type: string) => ({ href: `${public_url}${path}`, type });
  const entry = {
    anchor: `${public_url}/`,
    "service-desc": [link("/openapi.json", "application/json")],
    "service-doc": [link("/about", "text/html"), link("/llms-full.txt", "text/plain")],
    "service-meta": [link("/get-pricing", "application/json")],
    status: [link("/live", "application/json")],
  };
  return {
    content_type: LINKSET,
    body: JSON.stringify({ linkset: [entry], ...(sandbox ? { sandbox: true } : {}) }),
  };
}

export const surfaces = [
  defineSurface({
    path: "/robots.txt",
    summary: "What crawlers may read",
    content_type: "text/plain",
    render: renderRobots,
  }),
  defineSurface({
    path: "/sitemap.xml",
    summary: "The pages for people",
    content_type: "application/xml",
    render: renderSitemap,
  }),
  security("/.well-known/security.txt"),
  security("/security.txt"),
  defineSurface({
    path: "/.well-known/api-catalog",
    summary: "Where this API is described (RFC 9727)",
    content_type: "application/linkset+json",
    render: renderCatalog,
  }),
];
