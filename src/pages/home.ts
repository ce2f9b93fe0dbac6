import { productPagePath } from "../surfaces/docs-path.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import { renderBestFor, renderBestOne } from "./best-for.ts";
import { CHANGES_FEED_PATH } from "./changes/page.ts";
import type { HeadlineFigure } from "./data-view.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import {
  callOf,
  exampleProduct,
  groupProducts,
  linkTo,
  listWords,
  networkTitles,
  priceRange,
  renderAge,
  renderFirst,
} from "./parts.ts";
import { comparePlans } from "./plan-math.ts";
import { HOME_CARD_PATH } from "./product/card.ts";
import { productTexts } from "./product/texts.ts";
import type { RowFacts } from "./row-facts.ts";
import { renderSparkline } from "./sparkline.ts";
import { type HealthFacts, type ReceiptFacts, renderHealth, renderReceiptList } from "./status.ts";
import { listWants, type Want } from "./wants.ts";
import { ENGLISH, inLanguage, showDollars, showPrice, type Words } from "./words.ts";

/** The data of the first page besides the catalog, gathered when the page is rendered and not per request. */
export interface HomeFacts extends HealthFacts {
  /** Newest first. */
  readonly receipts: readonly ReceiptFacts[];
  /** Free figures by product id; absent if no sample is old enough to be free. */
  readonly rows: ReadonlyMap<string, RowFacts>;
  /** Ids of the products to show first. */
  readonly featured: readonly string[];
  /** Id of the product with the figure on top; null for the first featured one with a line. */
  readonly headline: string | null;
}

export interface HomeOptions {
  readonly model: SurfaceModel;
  readonly facts: HomeFacts;
  readonly words?: Words;
  /** A search made without script, and its results; null shows everything. */
  readonly found?: { readonly query: string; readonly products: readonly SurfaceProduct[] } | null;
}

const FEATURED_MAX = 6;

/** `/`: the state of the market, the products and prices, how to pay, the state of the node, and the latest sales. */
export function renderHome({ model, facts, words = ENGLISH, found = null }: HomeOptions): string {
  const { node, products } = model;
  const { say } = words;
  const calls = products.filter(({ plan }) => plan === null);
  const range = priceRange(products);
  const { low, high } = range ?? { low: "", high: "" };
  const from =
    low === high ? showDollars(low, words) : say("{0} to {1}", showDollars(low, words), showDollars(high, words));
  const sold = say("{0} products of market data for software agents", calls.length);
  const priced = range === null ? "" : `, ${say("{0} a call", from)}`;
  const description = `${sold}${priced}, ${say("paid in USDC over x402")}.`;
  const body = html`<div class="hero home">${renderLead(model, facts, words)}
${renderHeadline(model, facts, words)}</div>
${found ? "" : renderFeatured(model, facts, words)}
${renderProducts({ model, facts, words, found })}
<div class="three">${renderPlans(model, words)}${renderHealth(model, facts, words)}${renderReceiptList(facts.receipts, {
    model,
    words,
    title: say("Newest receipts"),
  })}</div>`;
  const feed = { path: CHANGES_FEED_PATH, title: say("Changes") };
  const options = {
    model,
    title: node.name,
    description,
    path: "/",
    body,
    words,
    is_wide: true,
    feed,
    image: HOME_CARD_PATH,
  };
  return renderPage(options);
}

function renderLead(model: SurfaceModel, facts: HomeFacts, words: Words): Html {
  const { say } = words;
  const titles = networkTitles(model);
  const on = titles.length === 0 ? "" : say(" on {0}", listWords(titles, say("and")));
  const example = exampleOf(model, facts);
  const call = example ? callOf(example) : null;
  const preview = example ? `"${example.url}?preview=1"` : "";
  return html`<div><h1>${say("Market data for agents, paid by the call")}</h1>
<p class="lead">${say(
    "No account, no subscription: software asks, pays in USDC{0}, and gets its answer. No answer, no charge.",
    on,
  )}</p>${
    call === null
      ? ""
      : html`<pre tabindex="0"><code>curl ${preview}  # ${say("free, delayed")}
curl -i ${call}  # ${say("402: the price, and how to pay it")}
curl -H "X-API-Key: &lt;key&gt;" ${call}  # ${say("from a prepaid key")}</code></pre>`
  }<p class="small"><span class="dot${facts.ok ? "" : " bad"}"></span>${
    facts.ok ? say("Up") : html`<span class="bad-text">${say("Failing")}</span>`
  } · ${say("{0} paid calls in 24 hours", words.number(facts.paid_24h))}${linkTo(
    model,
    "/guide",
    say("How to pay"),
  )}</p></div>`;
}

/** The product on top of the page: the operator's choice, else the first featured one that has a line. */
function headlineOf({ products }: SurfaceModel, { headline, featured, rows }: HomeFacts): SurfaceProduct | null {
  const hasLine = (id: string) => (rows.get(id)?.line.length ?? 0) > 1;
  const id = headline !== null && rows.has(headline) ? headline : [...featured, ...rows.keys()].find(hasLine);
  return products.find((one) => one.id === id) ?? null;
}

/** The product that the three example lines buy: a call without parameters is easiest to read. */
const exampleOf = (model: SurfaceModel, facts: HomeFacts): SurfaceProduct | null =>
  headlineOf(model, facts) ?? exampleProduct(model.products);

function renderHeadline(model: SurfaceModel, facts: HomeFacts, words: Words): Html {
  const product = headlineOf(model, facts);
  const row = product ? facts.rows.get(product.id) : undefined;
  if (!product || !row?.figure) return html``;
  const { say } = words;
  const { figure, line, line_title, age_s, subject } = row;
  const about = [subject, line.length > 1 ? line_title : "", model.sandbox ? say("simulated") : ""].filter(
    (one) => one !== "",
  );
  // The age has a line of its own: where it shared one, an age that grew could wrap it, which moved all below.
  return html`<a class="headline" href="${productPagePath(product)}"><span class="soft">${
    productTexts(product, words).shown.title
  }</span><strong>${figure.value}</strong>${
    figure.is_bare ? html`<span class="soft">${figure.name}</span>` : ""
  }${renderSparkline(line)}${
    about.length === 0 ? "" : html`<span class="soft small">${about.join(" · ")}</span>`
  }<span class="soft small">${renderAge(age_s, say("free sample, {0} old"))}</span></a>`;
}

/** The meaning of a figure, after its subject. */
const nameFigure = ({ subject }: RowFacts, { name }: HeadlineFigure): string =>
  [subject, name].filter((one) => one !== "").join(" · ");

function renderFeatured({ products }: SurfaceModel, { featured, rows }: HomeFacts, words: Words): Html {
  const shown = featured.flatMap((id) => products.find((one) => one.id === id) ?? []).slice(0, FEATURED_MAX);
  if (shown.length === 0) return html``;
  return html`<ul class="cards">${shown.map((product) => {
    const row = rows.get(product.id);
    return html`<li><a href="${productPagePath(product)}">${productTexts(product, words).shown.title}</a>
<span class="price">${showDollars(product.price_usd, words)}</span>${
      row?.figure
        ? html`<strong>${row.figure.value}</strong><span class="soft small">${nameFigure(row, row.figure)}</span>`
        : ""
    }</li>`;
  })}</ul>`;
}

type ListOptions = Required<HomeOptions>;

function renderProducts(options: ListOptions): Html {
  const { model, facts, words, found } = options;
  const { say } = words;
  const best = found?.products[0];
  const groups = listWants(model.products);
  const told = !found
    ? ""
    : found.products.length === 0
      ? say("Nothing matches.")
      : say(found.products.length === 1 ? "{0} product found." : "{0} products found.", found.products.length);
  return html`<section aria-labelledby="products"><div class="head"><h2 id="products">${say("Products")}</h2>
<form class="search" role="search" action="/" method="get"><input id="q" name="q" type="search" maxlength="100"
placeholder="${say("Ask or search: is this token a scam, gas")}" aria-label="${say("Search products")}"
autocomplete="off" value="${found?.query ?? ""}"><button>${say("Search")}</button></form></div>
<p id="found" class="soft small" role="status" data-none="${say("Nothing matches.")}" data-some="${say(
    "{0} of {1}",
  )}">${told}</p>
${
  found
    ? html`${best ? renderBestOne(best, facts.rows.get(best.id), words) : ""}<p class="small"><a href="/">${say(
        "Show all",
      )}</a></p>`
    : html`<p class="best-one" data-best="${say("Best for this")}" hidden></p>
${renderBestFor(model, facts.rows, words)}`
}
<div class="wants">${
    found
      ? renderTable({ title: say("Found"), anchor: "in-found", products: found.products }, options)
      : splitEvenly(groups).map((column) => renderColumn(column, options))
  }</div></section>`;
}

/** Height of a group's caption and of the space above it, in rows. */
const CAPTION_ROWS = 2;

/** Splits the groups into two columns of similar height, keeping their order: each goes to the shorter column. */
function splitEvenly(groups: readonly Want[]): readonly (readonly Want[])[] {
  const columns = [0, 1].map(() => ({ rows: 0, groups: [] as Want[] }));
  for (const group of groups) {
    const [left, right] = columns;
    const column = left && right && right.rows < left.rows ? right : left;
    column?.groups.push(group);
    if (column) column.rows += group.products.length + CAPTION_ROWS;
  }
  return columns.map((column) => column.groups);
}

/** Groups of a column visible on a phone without opening a fold: an operator's plugins may add many. */
const GROUPS_SEEN = 5;

function renderColumn(column: readonly Want[], options: ListOptions): Html {
  const render = (groups: readonly Want[]): Html => html`${groups.map((group) => renderTable(group, options))}`;
  const rest = column.slice(GROUPS_SEEN);
  if (rest.length === 0) return html`<div>${render(column)}</div>`;
  const more = options.words.say(
    "{0} more",
    rest.reduce((sum, { products }) => sum + products.length, 0),
  );
  const folded = html`<details class="more" data-group><summary>${more}</summary>${render(rest)}</details>`;
  return html`<div>${render(column.slice(0, GROUPS_SEEN))}${folded}</div>`;
}

/** Products of a group visible on a phone without opening a fold. */
const ROWS_SEEN = 3;
/** Plans visible on a phone without opening a fold. */
const PLANS_SEEN = 3;

function renderTable({ title, anchor, products }: Want, { facts, words, found }: ListOptions): Html {
  if (products.length === 0) return html``;
  const seen = found || products.length <= ROWS_SEEN + 1 ? products.length : ROWS_SEEN;
  const renderRows = (some: readonly SurfaceProduct[]): Html =>
    html`<tbody>${some.map((product) => renderRow(product, facts.rows.get(product.id), words))}</tbody>`;
  const name = inLanguage(title, words);
  const rest = products.slice(seen);
  const folded =
    rest.length === 0
      ? ""
      : html`<details class="more" data-group><summary>${words.say(
          "Show all {0}",
          products.length,
        )}<span class="unseen"> · ${name}</span></summary><table class="want" aria-labelledby="${anchor}">${renderRows(
          rest,
        )}</table></details>`;
  return html`<div class="part" data-group><table class="want"><caption id="${anchor}">${name}</caption>${renderRows(
    products.slice(0, seen),
  )}</table>${folded}</div>`;
}

const renderFigure = ({ name, value, is_bare }: HeadlineFigure): Html =>
  is_bare ? html`${value} <span class="unit soft">${name}</span>` : html`<span title="${name}">${value}</span>`;

const renderRow = (product: SurfaceProduct, row: RowFacts | undefined, words: Words): Html =>
  html`<tr data-row="${product.path}"><th scope="row"><a href="${productPagePath(product)}">${
    productTexts(product, words).shown.title
  }</a>${row?.subject ? html` <span class="soft small">${row.subject}</span>` : ""}</th><td>${
    row?.figure ? renderFigure(row.figure) : ""
  }</td><td
class="soft">${row ? renderAge(row.age_s) : ""}</td><td>${renderSparkline(row?.line ?? [])}</td>${renderPrice(
    product,
    words,
  )}</tr>`;

/** A price that depends on the call is a longer text, and may need more than one line. */
const renderPrice = (product: SurfaceProduct, words: Words): Html =>
  product.priced_by === undefined
    ? html`<td>${showPrice(product, words)}</td>`
    : html`<td class="from">${showPrice(product, words)}</td>`;

function renderPlans(model: SurfaceModel, words: Words): Html {
  const { say } = words;
  const { plans } = groupProducts(model.products);
  const example = exampleProduct(model.products);
  if (plans.length === 0 || !example) return html``;
  const price = showDollars(example.price_usd, words);
  const offers = comparePlans(plans, BigInt(example.price_atomic));
  return html`<section aria-labelledby="pay"><h2 id="pay">${say("Prepaid")}</h2>
${renderFirst(offers, {
  seen: PLANS_SEEN,
  words,
  render: (some) =>
    html`<ul class="list num">${some.map(
      ({ plan, break_even_calls }) => html`<li><a href="${productPagePath(plan)}"
${words.language === "en" ? html` title="${plan.plan?.description ?? plan.description}"` : ""}>${
        productTexts(plan, words).shown.title
      }</a>
<strong>${showDollars(plan.price_usd, words)}</strong><span class="soft">${
        break_even_calls === null ? "–" : say("from {0} calls", words.number(Number(break_even_calls)))
      }</span></li>`,
    )}</ul>`,
})}
<p class="small soft">${say("From so many calls at {0} on, it costs less than calls one by one.", price)}${linkTo(
    model,
    "/quote",
    say("Calculator"),
  )}</p></section>`;
}
