import { productPagePath } from "../surfaces/docs-path.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { type Html, html, trusted } from "./html.ts";
import { renderPage } from "./layout.ts";
import { exampleProduct } from "./parts.ts";
import { productTexts } from "./product/texts.ts";
import { inLanguage, showDollars, type Words } from "./words.ts";

/** One way to pay planned calls, in the form of the JSON answer. */
export interface QuoteOfferFacts {
  readonly plan: string;
  readonly path: string;
  readonly purchases: number;
  readonly total_usd: string;
  /** For a balance: the rest after all calls. */
  readonly left_usd?: string;
}

/** The costs of planned calls, in the form of the JSON answer. */
export interface QuoteFacts {
  readonly calls: readonly {
    readonly path: string;
    readonly count: number;
    readonly price_usd: string;
    readonly total_usd: string;
  }[];
  readonly single: { readonly payments: number; readonly total_usd: string };
  readonly credits: readonly QuoteOfferFacts[];
  readonly passes: readonly QuoteOfferFacts[];
  readonly cheapest: { readonly kind: string; readonly path?: string; readonly total_usd: string };
  readonly warnings: readonly string[];
}

export interface QuotePageOptions {
  readonly model: SurfaceModel;
  readonly words: Words;
  /** The values of its form, one for each line. */
  readonly asked: {
    readonly lines: readonly { readonly product: string; readonly calls: number | null }[];
    readonly days: number;
  };
  /** Null before the form is sent. */
  readonly quote: QuoteFacts | null;
}

/** `/quote`: takes calls a day, and shows the cheapest way to pay them. The form uses GET and needs no script. */
export function renderQuotePage(options: QuotePageOptions): string {
  const { model, words, quote } = options;
  const { say } = words;
  const title = say("Calculator");
  const description = say("What planned calls cost one by one, from a prepaid balance and under each pass.");
  const body = html`<div class="hero"><h1>${title}</h1><p class="lead">${description}</p></div>
${renderForm(options)}${quote ? renderQuote(model, quote, words) : ""}
<p class="small soft">${say("The same as JSON")}: <code>curl -X POST ${model.node.public_url}/quote</code></p>`;
  return renderPage({ model, title, description, path: "/quote", body, words });
}

function renderForm({ model, words, asked }: QuotePageOptions): Html {
  const { say } = words;
  const example = exampleProduct(model.products)?.id;
  const sold = model.products.filter(({ plan }) => plan === null);
  return html`<form class="play lines" action="/quote" method="get">${asked.lines.map(({ product, calls }, index) => {
    const suffix = index === 0 ? "" : `_${index + 1}`;
    const chosen = product === "" && index === 0 ? example : product;
    return html`<div><label for="quote-product${suffix}">${say("Product {0}", index + 1)}</label><select
id="quote-product${suffix}" name="product${suffix}"><option value=""></option>${sold.map(
      (one) =>
        html`<option value="${one.id}"${one.id === chosen ? trusted(" selected") : ""}>${
          productTexts(one, words).title
        } · ${one.id}</option>`,
    )}</select></div><div><label for="quote-calls${suffix}">${say("calls a day")}</label><input
id="quote-calls${suffix}" name="calls${suffix}" type="number" min="1" max="250000" inputmode="numeric" value="${
      calls ?? ""
    }"></div>`;
  })}<div><label for="quote-days">${say("days")}</label><input id="quote-days" name="days" type="number" min="1"
max="3660" inputmode="numeric" value="${asked.days}"></div>
<p class="buttons"><button>${say("Calculate")}</button></p></form>`;
}

function renderQuote(model: SurfaceModel, quote: QuoteFacts, words: Words): Html {
  const { say, number } = words;
  const { cheapest, single, calls } = quote;
  const usd = (value: string) => showDollars(value, words);
  const titleOf = (path: string) => model.products.find((one) => one.path === path);
  const named = (path: string): Html | string => {
    const found = titleOf(path);
    return found ? html`<a href="${productPagePath(found)}">${productTexts(found, words).shown.title}</a>` : path;
  };
  const offers = [...quote.credits, ...quote.passes].sort((a, b) => Number(a.total_usd) - Number(b.total_usd));
  const best = cheapest.path === undefined ? say("one by one") : named(cheapest.path);
  return html`<section aria-labelledby="cheapest"><h2 id="cheapest">${say("Cheapest")}: ${best}, ${usd(
    cheapest.total_usd,
  )}</h2>
<ul class="list num">${calls.map(
    ({ path, count, price_usd, total_usd }) =>
      html`<li><span>${named(path)}</span><span class="soft">${say(
        "{0} calls at {1}",
        number(count),
        usd(price_usd),
      )}</span><strong>${usd(total_usd)}</strong></li>`,
  )}</ul>
<div class="scroll" tabindex="0" role="group" aria-label="${say("Ways to pay")}"><table class="num"><thead><tr><th
scope="col">${say("Way to pay")}</th><th scope="col">${say("Purchases")}</th><th scope="col">${say(
    "Total",
  )}</th><th scope="col">${say("Left over")}</th></tr></thead><tbody><tr><td>${say(
    "one by one",
  )}</td><td>${number(single.payments)}</td><td>${usd(single.total_usd)}</td><td>–</td></tr>${offers.map(
    ({ path, purchases, total_usd, left_usd }) =>
      html`<tr><td>${named(path)}</td><td>${number(
        purchases,
      )}</td><td>${usd(total_usd)}</td><td>${left_usd === undefined ? "–" : usd(left_usd)}</td></tr>`,
  )}</tbody></table></div>${quote.warnings.map((one) => html`<p class="small soft">${inLanguage(one, words)}</p>`)}
<p class="small soft">${say("Calls spread evenly over the days. What counts in the end is the price in the 402.")}</p>
</section>`;
}
