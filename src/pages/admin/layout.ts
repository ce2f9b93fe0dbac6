import { createHash } from "node:crypto";
import { ADMIN_SCRIPT, ADMIN_STYLE, STYLE } from "../assets.gen.ts";
import { type Html, html, renderHtml, trusted } from "../html.ts";

/** Every page, in the order of the navigation. */
export const SECTIONS = [
  ["", "Overview"],
  ["sales", "Sales"],
  ["find", "Find"],
  ["products", "Products"],
  ["keys", "Keys"],
  ["watches", "Watches"],
  ["sources", "Sources"],
  ["jobs", "Jobs"],
  ["attention", "Attention"],
  ["alerts", "Alerts"],
  ["backups", "Backups"],
  ["config", "Configuration"],
  ["logs", "Log"],
] as const;

export type AdminSection = (typeof SECTIONS)[number][0];

export const sectionPath = (section: AdminSection): string => (section === "" ? "/admin" : `/admin/${section}`);

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows only its own style and script by hash, and data from its own node. Pages may not be stored or framed. */
export const ADMIN_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src ${hashOf(STYLE + ADMIN_STYLE)}`,
    `script-src ${hashOf(ADMIN_SCRIPT)}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const STYLE_TAG = trusted(`<style>${STYLE}${ADMIN_STYLE}</style>`);
const SCRIPT_TAG = trusted(`<script>${ADMIN_SCRIPT}</script>`);

export interface AdminPage {
  readonly node_name: string;
  readonly title: string;
  /** Null before the login: then there is no navigation. */
  readonly here: AdminSection | null;
  readonly csrf: string | null;
  readonly flash: { readonly ok: boolean; readonly text: string; readonly secret?: string } | null;
  readonly body: Html;
}

/** A whole page for the operator. */
export function renderAdminPage({ node_name, title, here, csrf, flash, body }: AdminPage): string {
  const link = ([section, name]: (typeof SECTIONS)[number]) =>
    html`<a href="${sectionPath(section)}"${section === here ? trusted(' aria-current="page"') : ""}>${name}</a>`;
  const logout = html`<form method="post" action="/admin/logout"><input type="hidden" name="csrf" value="${csrf ?? ""}"
><button class="plain">Log out</button></form>`;
  return renderHtml(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · ${node_name}</title><meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">${STYLE_TAG}</head><body>
<a class="skip" href="#main">Skip to content</a>
<header class="wrap top admin"><a class="name" href="/admin">${node_name}</a>${
    here === null ? "" : html`<nav aria-label="Pages">${SECTIONS.map(link)}</nav>${logout}`
  }</header>
<main id="main" class="wrap"><h1>${title}</h1>${
    flash === null
      ? ""
      : html`<div class="flash${flash.ok ? "" : " bad"}" role="status"><p>${flash.text}</p>${
          flash.secret === undefined
            ? ""
            : html`<pre tabindex="0"><code>${flash.secret}</code></pre><p>Copy it now: it is not shown again.</p>`
        }</div>`
  }${body}</main>
<footer class="wrap foot">
<p>All times UTC · <a href="/admin/openapi.json">API</a> · <a href="/">Public page</a></p></footer>
${SCRIPT_TAG}</body></html>`);
}

/** The login with the operator's token. */
export const renderLogin = (node_name: string, wrong: string | null): string =>
  renderAdminPage({
    node_name,
    title: "Operator",
    here: null,
    csrf: null,
    flash: wrong === null ? null : { ok: false, text: wrong },
    body: html`<form class="op login" method="post" action="/admin/login"><label>Operator token<input type="password"
name="token" autocomplete="current-password" required></label><button>Log in</button></form>
<p class="soft">It stands in <code>operator.token</code> in the data folder.</p>`,
  });
