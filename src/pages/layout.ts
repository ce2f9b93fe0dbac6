import { createHash } from "node:crypto";
import type { SurfaceModel } from "../surfaces/types.ts";
import { HEAD_SCRIPT, PLAYGROUND_SCRIPT, SCRIPT, SIGN_IN_SCRIPT, STYLE, VERIFY_SCRIPT } from "./assets.gen.ts";
import { type Html, html, renderHtml, trusted } from "./html.ts";
import { ENGLISH, LANGUAGES, type Phrase, type Words } from "./words.ts";

/** The first part runs at once, in the head; the others once the page is read. */
const joinScripts = (...parts: readonly string[]): string =>
  `${HEAD_SCRIPT}\ndocument.addEventListener("DOMContentLoaded",()=>{${parts.join("\n")}\n});`;

/** The script of a page: one text, so that the policy in the header of every 402 names only one hash. */
const SCRIPTS = {
  plain: joinScripts(SCRIPT),
  verify: joinScripts(SCRIPT, VERIFY_SCRIPT),
  playground: joinScripts(SCRIPT, PLAYGROUND_SCRIPT),
  sign_in: joinScripts(SCRIPT, SIGN_IN_SCRIPT),
} as const;
export type PageScript = keyof typeof SCRIPTS;

export interface PageOptions {
  readonly model: SurfaceModel;
  /** Title for the browser's tab and for links to the page; the node's name follows it. */
  readonly title: string;
  /** One sentence, for search engines and link previews. */
  readonly description: string;
  /** Path of the page; null if it has none of its own. */
  readonly path: string | null;
  readonly body: Html;
  /** The reader's language and formats; default: English. */
  readonly words?: Words;
  /** Its script; default: that of every page. */
  readonly script?: PageScript;
  /** Pictures and feeds of this page, for link previews and readers. */
  readonly image?: string;
  readonly feed?: { readonly path: string; readonly title: string };
  /** Whether it has room for tables side by side. */
  readonly is_wide?: boolean;
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows only what a page needs: its own style and script by hash, and data from its own node. */
const policyOf = (scripts: readonly PageScript[]): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${scripts.map((name) => hashOf(SCRIPTS[name])).join(" ")}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Besides the policy, prevents windows of other sites from holding a reference to a page. */
const headersOf = (scripts: readonly PageScript[]): Readonly<Record<string, string>> => ({
  "Content-Security-Policy": policyOf(scripts),
  "Cross-Origin-Opener-Policy": "same-origin",
});

/** Headers of every page. */
export const PAGE_HEADERS = headersOf(["plain", "verify", "playground", "sign_in"]);
/** Headers of a product's page as the body of a 402, whose header has little room. */
export const PRODUCT_PAGE_HEADERS = headersOf(["playground"]);

const STYLE_TAG = trusted(`<style>${STYLE}</style>`);
const scriptTag = (text: string): Html => trusted(`<script>${text}</script>`);

const LINKS: readonly (readonly [path: string, text: Phrase])[] = [
  ["/", "Products"],
  ["/track-record", "Track record"],
  ["/status", "Status"],
  ["/receipts", "Receipts"],
  ["/docs", "Reference"],
];

/** Links to further pages and to documents for software, if this node serves them. */
const FOOT_LINKS: readonly (readonly [path: string, text: Phrase])[] = [
  ["/guide", "Guide"],
  ["/methodology", "Methodology"],
  ["/quote", "Calculator"],
  ["/wallet", "Your wallet"],
  ["/verify", "Check an answer"],
  ["/changes", "Changes"],
  ["/about", "About"],
  ["/terms", "Terms"],
  ["/errors", "Errors"],
  ["/live", "Live figures"],
  ["/try", "Samples"],
  ["/welcome", "Welcome"],
];
const MACHINE_LINKS: readonly (readonly [path: string, text: Phrase])[] = [
  ["/openapi.json", "OpenAPI"],
  ["/llms.txt", "llms.txt"],
  ["/get-pricing", "Prices as JSON"],
  ["/tools.json", "Function schemas"],
  ["/.well-known/x402.json", "x402 manifest"],
  ["/.well-known/agent-card.json", "Agent card"],
  ["/.well-known/mcp.json", "MCP"],
  ["/sitemap.xml", "Sitemap"],
];

/** Links between pages keep a requested language; those to products and documents stay unchanged. */
const PAGE_LINK = /href="(\/|\/(?:p|docs|guide|receipts|methodology)\/[^"?#]*|\/[a-z-]+)((?:#[^"]*)?)"/g;
const keepLanguage = (page: string, { is_chosen, language }: Words): string =>
  is_chosen
    ? page
        .replaceAll(PAGE_LINK, (link, path: string, anchor: string) =>
          isPage(path) ? `href="${path}?lang=${language}${anchor}"` : link,
        )
        .replaceAll(OWN_FORM, (form) => `${form}<input type="hidden" name="lang" value="${language}">`)
    : page;
/** Forms keep it too. */
const OWN_FORM = /<form [^>]*action="\/(?:receipts|quote|guide\/search)?"[^>]*>/g;
const PAGES = new Set([...LINKS, ...FOOT_LINKS].map(([path]) => path));
const isPage = (path: string): boolean => PAGES.has(path) || /^\/(?:p|docs|guide|receipts|methodology)\//.test(path);

const OTHER = { en: ["pt-BR", "Português"], "pt-BR": ["en", "English"] } as const;

function renderNav({ path, words, served }: { path: string | null; words: Words; served: ReadonlySet<string> }): Html {
  const [code, name] = OTHER[words.language];
  const here = (link: string) => (link === path ? trusted(' aria-current="page"') : "");
  const shown = LINKS.filter(([link]) => served.has(link));
  // A page without an address of its own, such as a 402, is reloaded from the address where it was found.
  const other = html`<a href="${path ?? ""}?lang=${code}" lang="${code}" hreflang="${code}">${name}</a>`;
  return html`<nav aria-label="${words.say("Pages")}">${shown.map(
    ([link, text]) => html`<a href="${link}"${here(link)}>${words.say(text)}</a>`,
  )}${other}</nav>`;
}

/** Links to the page in each language, and in the language its reader prefers (RFC 8288, HTML 4.6.7.1). */
const renderAddresses = (url: string, { is_chosen, language }: Words): Html =>
  html`<link rel="canonical" href="${url}${is_chosen ? `?lang=${language}` : ""}">
${LANGUAGES.map((one) => html`<link rel="alternate" hreflang="${one}" href="${url}?lang=${one}">`)}
<link rel="alternate" hreflang="x-default" href="${url}">`;

/** Metadata for link previews, feed readers and search engines. */
function renderHead(options: PageOptions, title: string): Html {
  const { model, description, path, image, feed, words = ENGLISH } = options;
  const { node, sandbox } = model;
  return html`<title>${title}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
${sandbox || path === null ? trusted('<meta name="robots" content="noindex">') : ""}
<meta property="og:type" content="website">
<meta property="og:locale" content="${words.language.replace("-", "_")}"><meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${node.public_url}${image ?? "/icon.png"}">
${image ? html`<meta name="twitter:card" content="summary_large_image">` : ""}
${path === null ? "" : html`<meta property="og:url" content="${node.public_url}${path}">`}
${path === null ? "" : renderAddresses(`${node.public_url}${path}`, words)}
${feed ? html`<link rel="alternate" type="application/atom+xml" href="${feed.path}" title="${feed.title}">` : ""}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="describedby" href="/llms.txt" type="text/markdown">`;
}

/** A whole page: head, banner of a sandbox, navigation, body, links for software. It loads nothing else. */
export function renderPage(options: PageOptions): string {
  const { model, title, path, body, words = ENGLISH, script = "plain" } = options;
  const { node, sandbox } = model;
  const served = new Set(model.free.map((one) => one.path));
  const full_title = title === node.name ? title : `${title} · ${node.name}`;
  const link = ([to, text]: readonly [string, Phrase]) => html`<a href="${to}">${words.say(text)}</a>`;
  const wrap = options.is_wide === true ? "wrap wide" : "wrap";
  const contact = node.contact_email;
  const page = html`<!doctype html>
<html lang="${words.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
${renderHead(options, full_title)}
${STYLE_TAG}
${scriptTag(SCRIPTS[script])}</head><body data-copy="${words.say("Copy")}" data-copied="${words.say("Copied")}">
<a class="skip" href="#main">${words.say("Skip to content")}</a>
${sandbox ? renderSandboxBanner(words, wrap) : ""}
<header class="${wrap} top"><a class="name" href="/">${node.name}</a>${renderNav({ path, words, served })}</header>
<main id="main" class="${wrap}">${body}</main>
<footer class="${wrap} foot"><nav aria-label="${words.say("More pages")}">${FOOT_LINKS.filter(([to]) =>
    served.has(to),
  ).map(link)}</nav><nav aria-label="${words.say("For software")}">${MACHINE_LINKS.filter(([to]) => served.has(to)).map(
    link,
  )}</nav>
<p>${words.say("Node")} <code>${node.node_id}</code> · ${words.say("version")} ${node.version}${
    contact === null ? "" : html` · <a href="mailto:${contact}">${contact}</a>`
  }</p></footer></body></html>`;
  return keepLanguage(renderHtml(page), words);
}

const renderSandboxBanner = ({ say }: Words, wrap: string): Html =>
  html`<div class="banner" role="note"><p class="${wrap}"><strong>${say("Sandbox.")}</strong>
${say("Networks, payments and data are simulated; nothing here is real money or a real price.")}</p></div>`;
