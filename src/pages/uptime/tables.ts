import { productPagePath } from "../../surfaces/docs-path.ts";
import type { SurfaceModel } from "../../surfaces/types.ts";
import { type Html, html } from "../html.ts";
import { renderAge } from "../parts.ts";
import { productTexts } from "../product/texts.ts";
import { listWants } from "../wants.ts";
import { inLanguage, type Phrase, type Words } from "../words.ts";
import { renderDayLine } from "./by-day.ts";
import type { DayCounts } from "./samples.ts";

/** The current state of each product and source. */
export interface StatusLists {
  /** Time of each product's last live answer, ms, by id; absent until the first since the start. */
  readonly answered_ms: ReadonlyMap<string, number>;
  /** Reasons why products cannot be produced now, by path. */
  readonly unavailable: ReadonlyMap<string, string>;
  readonly sources: readonly { readonly id: string; readonly title: string; readonly ok: boolean }[];
  /** The products that this node does not sell, with reasons for buyers. */
  readonly withheld: readonly { readonly path: string; readonly for_buyers: string }[];
}

interface TableOptions {
  readonly lists: StatusLists;
  readonly now_ms: number;
  readonly words: Words;
}

interface Row {
  readonly name: Html;
  readonly counts: DayCounts | undefined;
  readonly last: Html | string;
  /** Its current fault. */
  readonly cause: string | null;
}

const HEADS: readonly Phrase[] = ["90 days", "answered", "failed, uncharged"];

function renderTable(rows: readonly Row[], { head, last, words }: { head: Phrase; last: Phrase; words: Words }): Html {
  const { say, number } = words;
  const heads = [head, ...HEADS, last].map((one) => html`<th scope="col">${say(one)}</th>`);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${say(head)}"><table class="num tight">
<thead><tr>${heads}</tr></thead><tbody>${rows.map(
    ({ name, counts, last: told, cause }) =>
      html`<tr><td><span class="dot${cause === null ? "" : " bad"}"></span>${name}${
        cause === null ? "" : html`<br><span class="soft small">${inLanguage(cause, words)}</span>`
      }</td><td>${renderDayLine(counts, words)}</td><td>${number(counts?.answered ?? 0)}</td><td>${number(
        counts?.failed ?? 0,
      )}</td><td class="soft">${told}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Every product on each of 90 days, grouped by a buyer's wishes, with the reason if it cannot be produced now. */
export function renderProductDays(
  { products }: SurfaceModel,
  counts: ReadonlyMap<string, DayCounts>,
  { lists, now_ms, words }: TableOptions,
): Html {
  const { say } = words;
  const { answered_ms, unavailable } = lists;
  return html`<section aria-labelledby="products"><h2 id="products">${say("By product")}</h2>
${listWants(products).map(({ title, products: own }) => {
  const rows = own.map((product): Row => {
    const at_ms = answered_ms.get(product.id);
    return {
      name: html`<a href="${productPagePath(product)}">${productTexts(product, words).shown.title}</a>`,
      counts: counts.get(product.id),
      last: at_ms === undefined ? "–" : renderAge((now_ms - at_ms) / 1_000),
      cause: unavailable.get(product.path) ?? null,
    };
  });
  const down = rows.filter(({ cause }) => cause !== null).length;
  return html`<details${down > 0 ? html` open` : ""}><summary>${inLanguage(title, words)} · ${say(
    "{0} of {1} can be produced",
    own.length - down,
    own.length,
  )}</summary>${renderTable(rows, { head: "Product", last: "Last live answer", words })}</details>`;
})}</section>`;
}

/** Every called source on each of 90 days. */
export function renderSourceDays(counts: ReadonlyMap<string, DayCounts>, { lists, words }: TableOptions): Html {
  const { say } = words;
  const called = lists.sources.filter(({ id }) => counts.has(id));
  if (called.length === 0) return html``;
  const rows = called.map(
    ({ id, title, ok }): Row => ({
      name: html`${title}`,
      counts: counts.get(id),
      last: say(ok ? "yes" : "no"),
      cause: ok ? null : say("does not answer now"),
    }),
  );
  const down = rows.filter(({ cause }) => cause !== null).length;
  return html`<section aria-labelledby="sources"><h2 id="sources">${say("By source")}</h2>
<details${down > 0 ? html` open` : ""}><summary>${say(
    "{0} of {1} answering",
    called.length - down,
    called.length,
  )}</summary>
${renderTable(rows, { head: "Source", last: "Answers now", words })}</details></section>`;
}

/** The products that could be sold but are not, with the reasons. */
export function renderWithheld({ withheld }: StatusLists, words: Words): Html {
  if (withheld.length === 0) return html``;
  const { say } = words;
  return html`<section aria-labelledby="withheld"><h2 id="withheld">${say("Not sold here")}</h2>
<ul class="list">${withheld.map(
    ({ path, for_buyers }) =>
      html`<li><code>${path}</code><span class="sub">${inLanguage(for_buyers, words)}</span></li>`,
  )}</ul></section>`;
}
