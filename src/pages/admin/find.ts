import type { FindAnswer, StoryAnswer } from "../../admin/answers.ts";
import { type Html, html } from "../html.ts";
import { facts, renderField, table } from "./parts.ts";

const HINT = "0x… · rcp_… · pay_… · call_… · key_… · req_… · payer · label";

/** The form above the results. */
export const renderFindForm = (word = ""): Html =>
  html`<form class="op" method="get" action="/admin/find" role="search">${renderField({
    name: "word",
    label: "Transaction, payer, receipt, payment, call, key, request or label",
    value: word,
    hint: HINT,
  })}<button>Find</button></form>`;

type Value = string | number | boolean | null | undefined;
const show = (value: Value): string => String(value ?? "-");
const spell = (name: string): string => name.replaceAll("_", " ");

/** The link from a fact: a receipt or a payment has a page; a key and a payer have stories of their own. */
function link(name: string, value: Value): Html | string {
  const text = show(value);
  const code = html`<code>${text}</code>`;
  if (typeof value !== "string") return text;
  if (name === "explorer_url") return html`<a href="${value}" rel="noopener noreferrer nofollow">${text}</a>`;
  if (name === "receipt_id") return html`<a href="/receipts/${value}">${code}</a>`;
  if (name === "bought_key" || name === "key_id" || name === "balance_of") {
    return html`<a href="/admin/keys?key=${value}">${code}</a>`;
  }
  const leads_on = ["payer", "purchaser", "payment_id"].includes(name) || (name === "id" && value.includes("_"));
  return leads_on ? html`<a href="/admin/find?word=${encodeURIComponent(value)}">${code}</a>` : text;
}

function renderList(name: string, rows: StoryAnswer["lists"][string]): Html | "" {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return "";
  const cells = rows.map((row) => columns.map((column) => link(column, row[column])));
  return html`<h3>${spell(name)}</h3>${table(name, columns.map(spell), cells)}`;
}

const renderStory = ({
  kind,
  id,
  verdict,
  facts: known,
  lists,
}: StoryAnswer): Html => html`<section aria-label="${kind}">
<h2>${kind} <code>${id}</code></h2><p>${verdict}</p>${facts(
  Object.entries(known)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => [spell(name), link(name, value)] as const),
)}${Object.entries(lists).map(([name, rows]) => renderList(name, rows))}</section>`;

/** Everything that matches a word; null before a search. */
export function renderFound(found: FindAnswer | null): Html {
  if (found === null) return html`<p class="soft">What a buyer complains with is enough: one of these words.</p>`;
  const { word, stories, has_more, log } = found;
  if (stories.length + log.length === 0) return html`<p>Nothing is known of <code>${word}</code>.</p>`;
  const lines = log.map((line) => html`<li><code>${JSON.stringify(line)}</code></li>`);
  return html`${stories.map(renderStory)}${log.length === 0 ? "" : html`<h2>In the log</h2><ul>${lines}</ul>`}${
    has_more ? html`<p>There is more than is shown: ask for one of them by its id.</p>` : ""
  }`;
}
