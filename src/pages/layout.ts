import { createHash } from "node:crypto";
import type { SurfaceModel } from "../surfaces/types.ts";
import { SCRIPT, STYLE } from "./assets.gen.ts";
import { type Html, html, renderHtml, trusted } from "./html.ts";

export interface PageOptions {
  readonly model: SurfaceModel;
  /** Of the browser's tab and of links to the page; the node's name follows it. */
  readonly title: string;
  /** One sentence, for search engines and link previews. */
  readonly description: string;
  /** Path of the page itself; null where it has none of its own. */
  readonly path: string | null;
  readonly body: Html;
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Lets a page do what it needs: its own style and script by their hashes, its own node for data, no one else. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Of every page: besides the policy, no window of another site holds on to it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": PAGE_POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
};

const STYLE_TAG = trusted(`<style>${STYLE}</style>`);
const SCRIPT_TAG = trusted(`<script>${SCRIPT}</script>`);

const LINKS: readonly (readonly [path: string, text: string])[] = [
  ["/", "Products"],
  ["/docs", "Reference"],
  ["/about", "About"],
];

/** Documents that software reads, as far as this node serves them. */
const MACHINE_LINKS: readonly (readonly [path: string, text: string])[] = [
  ["/openapi.json", "OpenAPI"],
  ["/llms.txt", "llms.txt"],
  ["/get-pricing", "Prices as JSON"],
  ["/.well-known/x402.json", "x402 manifest"],
  ["/.well-known/agent-card.json", "Agent card"],
  ["/.well-known/mcp.json", "MCP"],
  ["/live", "Live figures"],
  ["/receipts", "Receipts"],
  ["/errors", "Errors"],
  ["/terms", "Terms"],
];

/** A whole page: head, banner of a sandbox, navigation, body, links for software. Makes no request of its own. */
export function renderPage({ model, title, description, path, body }: PageOptions): string {
  const { node, sandbox } = model;
  const served = new Set(model.free.map((one) => one.path));
  const full_title = title === node.name ? title : `${title} · ${node.name}`;
  const here = (link: string) => (link === path ? trusted(' aria-current="page"') : "");
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${full_title}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
${sandbox || path === null ? trusted('<meta name="robots" content="noindex">') : ""}
<meta property="og:type" content="website"><meta property="og:title" content="${full_title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${node.public_url}/icon.png">
${path === null ? "" : html`<meta property="og:url" content="${node.public_url}${path}">`}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="describedby" href="/llms.txt" type="text/markdown">
${STYLE_TAG}</head><body>
<a class="skip" href="#main">Skip to content</a>
${sandbox ? SANDBOX_BANNER : ""}
<header class="wrap top"><a class="name" href="/">${node.name}</a><nav aria-label="Pages">${LINKS.filter(([link]) =>
    served.has(link),
  ).map(([link, text]) => html`<a href="${link}"${here(link)}>${text}</a>`)}</nav></header>
<main id="main" class="wrap">${body}</main>
<footer class="wrap foot"><nav aria-label="For software">${MACHINE_LINKS.filter(([link]) => served.has(link)).map(
    ([link, text]) => html`<a href="${link}">${text}</a>`,
  )}</nav>
<p>Node <code>${node.node_id}</code> · version ${node.version}${
    node.contact_email === null ? "" : html` · <a href="mailto:${node.contact_email}">${node.contact_email}</a>`
  }</p></footer>
${SCRIPT_TAG}</body></html>`;
  return renderHtml(page);
}

const SANDBOX_BANNER = html`<div class="banner" role="note"><p class="wrap"><strong>Sandbox.</strong>
Networks, payments and data are simulated; nothing here is real money or a real price.</p></div>`;
