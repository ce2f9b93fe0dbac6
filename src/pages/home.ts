import { docsPath } from "../surfaces/docs-path.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import {
  count,
  exampleProduct,
  groupProducts,
  listWords,
  nameCategory,
  networkTitles,
  previewPath,
  priceRange,
  renderWays,
  showPrice,
} from "./parts.ts";
import { type HealthFacts, type ReceiptFacts, renderHealth, renderReceipts } from "./status.ts";

/** What the first page shows besides the catalog; gathered when the page is rendered, never per request. */
export interface HomeFacts extends HealthFacts {
  /** Newest first. */
  readonly receipts: readonly ReceiptFacts[];
}

export interface HomeOptions {
  readonly model: SurfaceModel;
  readonly facts: HomeFacts;
  /** Words to search for, as a browser without script sends them; "" shows everything. */
  readonly query: string;
}

/** `/`: what is sold, at which price, how to pay, whether all is well, what was sold last. */
export function renderHome({ model, facts, query }: HomeOptions): string {
  const { node, products } = model;
  const titles = networkTitles(model);
  const range = priceRange(products);
  const calls = products.filter(({ plan }) => plan === null);
  const on = titles.length === 0 ? "" : ` on ${listWords(titles)}`;
  const from =
    range === null ? "" : `, ${range.low === range.high ? range.low : `${range.low} to ${range.high}`} a call`;
  const sold = `${count(calls.length, "product")} of market data for software agents${from}`;
  const description = `${sold}, paid in USDC over x402.`;
  const body = html`<div class="hero"><h1>Market data for agents, paid by the call</h1>
<p class="lead">No account and no subscription: software asks, pays in USDC${on}, and gets its answer.
When there is no answer, nothing is charged.</p>
<dl class="facts num"><div><dt>products</dt><dd>${calls.length}</dd></div>
${range === null ? "" : html`<div><dt>a call, from</dt><dd>${range.low}</dd></div>`}
<div><dt>paid calls, 24 h</dt><dd>${facts.paid_24h.toLocaleString("en-US")}</dd></div>
<div><dt>status</dt><dd>${renderState(facts)}</dd></div></dl></div>
${renderProducts(model, query)}
${renderPaying(model)}
<div class="pair">${renderHealth(facts)}${renderReceipts(facts.receipts, model)}</div>`;
  return renderPage({ model, title: node.name, description, path: "/", body });
}

const renderState = ({ ok }: HealthFacts): Html =>
  ok ? html`<span class="dot"></span>Up` : html`<span class="dot bad"></span><span class="bad-text">Failing</span>`;

/** Whether every word stands somewhere in what is shown of a product. */
function matches({ title, path, description, category }: SurfaceProduct, words: readonly string[]): boolean {
  const text = `${title} ${path} ${description} ${category}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function renderProducts(model: SurfaceModel, query: string): Html {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const { categories } = groupProducts(model.products.filter((product) => matches(product, words)));
  const found = categories.reduce((sum, { products }) => sum + products.length, 0);
  const told = words.length === 0 ? "" : found === 0 ? "Nothing matches." : `${count(found, "product")} found.`;
  const chips = categories.length > 1 && words.length === 0;
  return html`<section aria-labelledby="products"><div class="head"><h2 id="products">Products</h2>
<form class="search" role="search" action="/" method="get"><input id="q" name="q" type="search" maxlength="100"
placeholder="Search, such as gas or sentiment" aria-label="Search products" autocomplete="off" value="${query}">
<button>Search</button></form></div>
<p id="found" class="soft small" role="status">${told}</p>
${words.length > 0 ? html`<p class="small"><a href="/">Show all</a></p>` : ""}
${
  chips
    ? html`<ul class="chips">${categories.map(
        ({ name, anchor, products }) =>
          html`<li><a href="#${anchor}">${nameCategory(name)} <span class="num">${products.length}</span></a></li>`,
      )}</ul>`
    : ""
}
${categories.map(
  ({ name, anchor, products }) => html`<div class="group" data-group><h3 id="${anchor}">${nameCategory(name)}</h3>
<ul class="rows">${products.map(renderRow)}</ul></div>`,
)}</section>`;
}

const renderRow = (product: SurfaceProduct): Html => html`<li class="row" data-row data-host>
<h4>${product.title}</h4><div class="price">${showPrice(product.price_usd)}</div>
<p class="about">${product.description}</p>
<p class="acts"><code>${product.path}</code>
<a href="${previewPath(product)}" data-preview aria-label="Live preview of ${product.title}">Live preview</a>
<a href="${docsPath(product)}" aria-label="Reference of ${product.title}">Reference</a></p></li>`;

function renderPaying(model: SurfaceModel): Html {
  const product = exampleProduct(model.products);
  const { plans } = groupProducts(model.products);
  if (!product) return html``;
  return html`<section aria-labelledby="pay"><h2 id="pay">How to pay</h2>${renderWays(model, product)}
${
  plans.length === 0
    ? ""
    : html`<div class="group"><h3>Prepaid balances and passes</h3><ul class="list num">${plans.map(
        (one) => html`<li><a href="${docsPath(one)}">${one.title}</a>
<strong>${showPrice(one.price_usd)}</strong><span class="sub">${one.plan?.description ?? one.description}</span></li>`,
      )}</ul></div>`
}</section>`;
}
