import { createHash } from "node:crypto";
import { ADMIN_STYLE, SETUP_SCRIPT, SETUP_STYLE, STYLE } from "../assets.gen.ts";
import { type Html, html, renderHtml, trusted } from "../html.ts";
import { inLanguage, type Words } from "../words.ts";
import { SETUP_STEPS, type SetupField, type SetupStep } from "./fields.ts";

const OWN_STYLE = STYLE + ADMIN_STYLE + SETUP_STYLE;
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows only its own style and script by hash, and data from its own node. Pages may not be stored or framed. */
export const SETUP_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src ${hashOf(OWN_STYLE)}`,
    `script-src ${hashOf(SETUP_SCRIPT)}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  // Not "no-referrer": browsers would then send "Origin: null" with a form, as another site might.
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

const STYLE_TAG = trusted(`<style>${OWN_STYLE}</style>`);
const SCRIPT_TAG = trusted(`<script>${SETUP_SCRIPT}</script>`);
const OTHER = { en: ["pt-BR", "Português"], "pt-BR": ["en", "English"] } as const;

export const setupPath = (step: SetupStep, words: Words): string =>
  `/setup/${step}${words.is_chosen ? `?lang=${words.language}` : ""}`;

/** The result of the last form. */
export interface SetupFlash {
  readonly ok: boolean;
  /** In the reader's language. */
  readonly text: string;
  /** Faults in the words of the configuration's schema, in English. */
  readonly details?: readonly string[];
}

export interface SetupPage {
  readonly words: Words;
  readonly title: string;
  /** Null without a next step. */
  readonly here: SetupStep | null;
  readonly flash: SetupFlash | null;
  readonly body: Html;
  /** Address that the browser opens by itself, and after how many seconds. */
  readonly next?: { readonly path: string; readonly after_s: number };
}

const renderFlash = ({ ok, text, details = [] }: SetupFlash): Html =>
  html`<div class="flash${ok ? "" : " bad"}" role="${ok ? "status" : "alert"}"><p>${text}</p>${
    details.length === 0 ? "" : html`<ul lang="en">${details.map((one) => html`<li>${one}</li>`)}</ul>`
  }</div>`;

/** A whole page of the set-up. It works without script; with script, a button lets the browser's wallet sign. */
export function renderSetupPage({ words, title, here, flash, body, next }: SetupPage): string {
  const { say, language } = words;
  const [code, name] = OTHER[language];
  const link = ([step, text]: (typeof SETUP_STEPS)[number]) =>
    html`<li><a href="${setupPath(step, words)}"${
      step === here ? trusted(' aria-current="step"') : ""
    }>${say(text)}</a></li>`;
  const steps =
    here === null
      ? ""
      : html`<nav aria-label="${say("Steps")}"><ol class="steps">${SETUP_STEPS.map(link)}</ol><a href="?lang=${code}"
lang="${code}" hreflang="${code}">${name}</a></nav>`;
  return renderHtml(html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${flash !== null && !flash.ok ? `${say("Error")}: ` : ""}${title} · intel-node</title>
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">${
    next === undefined ? "" : html`<meta http-equiv="refresh" content="${next.after_s};url=${next.path}">`
  }<link rel="icon" href="/favicon.svg" type="image/svg+xml">${STYLE_TAG}</head><body>
<a class="skip" href="#main">${say("Skip to content")}</a>
<header class="wrap top admin"><span class="name">intel-node</span>${steps}</header>
<main id="main" class="wrap setup"><h1>${title}</h1>${flash === null ? "" : renderFlash(flash)}${body}</main>
${here === "wallets" ? SCRIPT_TAG : ""}</body></html>`);
}

export interface SetupFormOptions {
  readonly words: Words;
  readonly step: SetupStep;
  readonly csrf: string;
  readonly fields: readonly SetupField[];
  readonly values: Readonly<Record<string, string>>;
  /** Faults by name of the field, in the schema's English words. */
  readonly faults: ReadonlyMap<string, string>;
  /** A further button beside "save and go on". */
  readonly more?: Html;
}

const idOf = (name: string): string => `f-${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}`;

function renderField(field: SetupField, { words, values, faults }: SetupFormOptions): Html {
  const { name, label, hint, example, kind, options = [], docs_url } = field;
  const [id, fault, value] = [idOf(name), faults.get(name), values[name] ?? ""];
  const described = [hint || docs_url ? `${id}-hint` : "", fault === undefined ? "" : `${id}-fault`].filter(Boolean);
  const about = html`id="${id}" name="${name}"${fault === undefined ? "" : trusted(' aria-invalid="true"')}${
    described.length > 0 ? html` aria-describedby="${described.join(" ")}"` : ""
  }`;
  const nothing = words.say("none");
  const control =
    kind === "choice"
      ? html`<select ${about}>${options.map(
          (one) => html`<option value="${one}"${one === value ? trusted(" selected") : ""}>${one || nothing}</option>`,
        )}</select>`
      : html`<input ${about} type="${kind}" value="${value}"${example ? html` placeholder="${example}"` : ""}
autocomplete="${kind === "password" ? "new-password" : "off"}" spellcheck="false">`;
  const link =
    docs_url === undefined ? "" : html` <a href="${docs_url}" rel="noreferrer">${words.say("Reference")}</a>`;
  const needed = field.is_needed ? words.say("Without it, what only this provider answers is not sold.") : "";
  const hinted =
    hint || docs_url ? html`<span class="soft" id="${id}-hint">${hint ? words.say(hint) : needed}${link}</span>` : "";
  return html`<div class="field"><label for="${id}">${inLanguage(label, words)}</label>${hinted}${control}${
    fault === undefined ? "" : html`<span class="fault" id="${id}-fault" lang="en">${fault}</span>`
  }</div>`;
}

/** Hidden values in every form of the set-up. */
export const hiddenFields = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;

/** The questions of a step, each with the fault of its answer. */
export function renderSetupForm(options: SetupFormOptions): Html {
  const { words, step, csrf, fields, more } = options;
  return html`<form class="op setup" method="post" action="${setupPath(step, words)}">${hiddenFields(csrf)}${fields.map(
    (field) => renderField(field, options),
  )}<div class="field"><button name="go" value="on">${words.say("Save and go on")}</button>${more ?? ""}</div></form>`;
}

/** A form with only a button. */
export const renderSetupButton = (action: string, csrf: string, text: string): Html =>
  html`<form class="op" method="post" action="${action}">${hiddenFields(csrf)}<button>${text}</button></form>`;
