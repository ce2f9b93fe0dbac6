import { type Html, html } from "../html.ts";
import type { Words } from "../words.ts";
import { renderSetupButton, setupPath } from "./page.ts";

/** One step of a sale on test money, described in English. */
export interface ShownStep {
  readonly title: string;
  readonly lines: readonly string[];
  readonly checks: readonly { readonly what: string; readonly ok: boolean }[];
}

export interface ShownSale {
  readonly ok: boolean;
  readonly steps: readonly ShownStep[];
  readonly error: string | null;
}

export const renderSaleForm = (words: Words, csrf: string): Html =>
  html`<p>${words.say(
    "A buyer in this program calls your products and pays with test money, which takes some seconds.",
  )}</p>${renderSetupButton(setupPath("sale", words), csrf, words.say("Make a test sale"))}
<p><a href="${setupPath("finish", words)}">${words.say("Keep and start")}</a></p>`;

/** The result of the sale, step by step. */
export function renderSale({ ok, steps, error }: ShownSale, { say }: Words): Html {
  const text = ok ? say("Sold: every step was checked and held.") : say("The test sale did not go through.");
  const list = steps.map(
    ({ title, lines, checks }) =>
      html`<li><strong>${title}</strong>${lines.map((line) => html`<br>${line}`)}<ul>${checks.map(
        ({ what, ok: held }) => html`<li>${held ? "✓" : "✗"} ${what}</li>`,
      )}</ul></li>`,
  );
  return html`<div class="flash${ok ? "" : " bad"}" role="${ok ? "status" : "alert"}"><p>${text}</p>${
    error === null ? "" : html`<pre lang="en" tabindex="0"><code>${error}</code></pre>`
  }</div><ol lang="en">${list}</ol>`;
}
