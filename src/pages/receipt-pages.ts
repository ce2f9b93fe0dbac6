import type { SurfaceModel } from "../surfaces/types.ts";
import { renderData } from "./data-view.ts";
import { type Html, html, trusted } from "./html.ts";
import { renderPage } from "./layout.ts";
import { type ReceiptFacts, renderReceiptItems } from "./status.ts";
import type { Words } from "./words.ts";

/** The filter of the list of receipts. */
export interface ReceiptsAsked {
  readonly label?: string | undefined;
  readonly network?: string | undefined;
  readonly product?: string | undefined;
}

export interface ReceiptsPageOptions {
  readonly model: SurfaceModel;
  readonly words: Words;
  readonly asked: ReceiptsAsked;
  readonly receipts: readonly ReceiptFacts[];
  /** Cursor of the next page; null on the last. */
  readonly next_cursor: string | null;
  readonly totals: { readonly organic: number; readonly operator_test: number };
}

const select = (name: string, label: string, options: { all: string; values: readonly string[]; given: string }) =>
  html`<div><label for="by-${name}">${label}</label><select id="by-${name}" name="${name}"><option value="">${
    options.all
  }</option>${options.values.map(
    (value) => html`<option${value === options.given ? trusted(" selected") : ""}>${value}</option>`,
  )}</select></div>`;

function renderFilter({ model, words, asked }: ReceiptsPageOptions): Html {
  const { say } = words;
  const all = say("all");
  return html`<form class="play" action="/receipts" method="get">${select("product", say("Product"), {
    all,
    values: model.products.map(({ id }) => id),
    given: asked.product ?? "",
  })}${select("network", say("Network"), {
    all,
    values: model.networks.map(({ network }) => network),
    given: asked.network ?? "",
  })}${select("label", say("Paid by"), { all, values: ["organic", "operator-test"], given: asked.label ?? "" })}
<p class="buttons"><button>${say("Show")}</button></p></form>`;
}

/** `/receipts`: every settled payment, which anyone can check. */
export function renderReceiptsPage(options: ReceiptsPageOptions): string {
  const { model, words, asked, receipts, next_cursor, totals } = options;
  const { say, number } = words;
  const title = say("Receipts");
  const description = say("Every settled payment of this node, with its transaction on chain.");
  const more = new URLSearchParams(
    Object.entries(asked).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : [])),
  );
  if (next_cursor !== null) more.set("cursor", next_cursor);
  const body = html`<div class="hero"><h1>${title}</h1><p class="lead">${description}</p>
<dl class="facts num"><div><dt>${say("organic")}</dt><dd>${number(totals.organic)}</dd></div>
<div><dt>${say("operator test")}</dt><dd>${number(totals.operator_test)}</dd></div></dl></div>
${renderFilter(options)}
${receipts.length > 0 ? renderReceiptItems(receipts, words) : html`<p class="soft">${say("Nothing was sold yet.")}</p>`}
${next_cursor === null ? "" : html`<p><a href="/receipts?${more.toString()}" rel="next">${say("Older")}</a></p>`}`;
  return renderPage({ model, title, description, path: "/receipts", body, words });
}

const CHECKED = "In this browser: the signature by the node's key, and that what is shown is what was signed.";

export interface ReceiptPageOptions {
  readonly model: SurfaceModel;
  readonly words: Words;
  /** The receipt in the form of the JSON answer. */
  readonly receipt: Readonly<Record<string, unknown>>;
}

/** `/receipts/{id}`: one payment, with a button that checks its signature in the browser. */
export function renderReceiptPage({ model, words, receipt }: ReceiptPageOptions): string {
  const { say } = words;
  const { id, explorer_url, signed, verify, node_id, generated_at, ...shown } = receipt;
  const title = say("Receipt {0}", String(id));
  const description = say("A settled payment, signed by the node.");
  const explorer =
    typeof explorer_url === "string" && explorer_url.startsWith("https://")
      ? html` · <a href="${explorer_url}" rel="noopener noreferrer nofollow">${say("Transaction in the explorer")}</a>`
      : "";
  const body = html`<div class="hero"><p class="soft"><a href="/receipts">${say("Receipts")}</a></p>
<h1>${title}</h1><p class="lead">${description}</p></div>
<div class="shown all">${renderData(shown, words)}</div>
<p><a href="/p/${String(receipt.product)}">/${String(receipt.product)}</a>${explorer}</p>
<section aria-labelledby="check"><h2 id="check">${say("Check it yourself")}</h2>
<p class="soft">${say(CHECKED)}</p>
<p><button class="act" data-verify-receipt hidden>${say("Verify this receipt")}</button></p>
<div role="status"><ul class="steps" data-steps lang="en"></ul></div>
<p class="small soft">${say("Without script: send its JSON to /verify-receipt.")}</p></section>`;
  return renderPage({ model, title, description, path: `/receipts/${String(id)}`, body, words, script: "verify" });
}
