import type { TermsClass } from "../../catalog/provider.ts";
import { docsPath, productPagePath } from "../../surfaces/docs-path.ts";
import type { SurfaceModel, SurfaceProduct } from "../../surfaces/types.ts";
import { describeSources, keepDays } from "../answer/answer.ts";
import { answerReaderOf } from "../answer/answer-texts.ts";
import { toHtml } from "../answer/to-html.ts";
import { renderAPIText } from "../api-texts.ts";
import { renderData } from "../data-view.ts";
import { renderDocument } from "../document-view.ts";
import { type Html, html } from "../html.ts";
import { renderPage } from "../layout.ts";
import { METHODOLOGY_PATH } from "../methodology.ts";
import {
  networkTitles,
  previewPath,
  renderAge,
  renderMoment,
  renderMore,
  renderPreviewOf,
  showDelay,
} from "../parts.ts";
import { renderProductFields, renderProductParameters } from "../schema-table.ts";
import { renderReceiptList } from "../status.ts";
import { listWants } from "../wants.ts";
import { inLanguage, type Phrase, showAge, showPrice, type Words } from "../words.ts";
import { renderByHand } from "./by-hand.ts";
import { cardPath } from "./card.ts";
import type { ProductFacts } from "./facts.ts";
import { renderPlayground } from "./playground.ts";
import { renderPrices } from "./prices.ts";
import { renderSnippets } from "./snippets.ts";
import { type ProductTexts, productTexts } from "./texts.ts";
import { renderWatchThis } from "./watch-this.ts";

/** The reason why a payment was refused. */
export interface PaymentFault {
  readonly code: string;
  readonly message: string;
}

export interface ProductPageOptions {
  readonly model: SurfaceModel;
  readonly product: SurfaceProduct;
  readonly facts: ProductFacts;
  readonly words: Words;
  /** Set if this page is the 402 of the product's own path. */
  readonly refused?: {
    readonly request_id: string;
    /** Null for a call without a payment. */
    readonly fault: PaymentFault | null;
  };
}

/** The page of one product: its answer, a current sample, its price, and how to buy it. */
export function renderProductPage(options: ProductPageOptions): string {
  const { model, product, facts, words, refused } = options;
  const texts = productTexts(product, words);
  const { title, summary } = texts;
  const parts = [
    renderSample(options),
    facts.charts,
    renderMethodLink(options),
    renderPlayground(product, words),
    renderBuying(options),
    renderByHand(model, product, words),
    renderWatchThis(model, product, words),
    html`<div class="pair">${renderPrices(model, product, words)}${renderNetworks(options)}</div>`,
    renderReference(product, words),
    html`<div class="pair">${renderSources(product, words)}<div>${renderRecord(product, facts, words)}
${renderRecompute(options)}
${renderReceiptList(facts.receipts, { model, words, title: words.say("Last receipts"), more: product.id })}</div>
</div>`,
  ];
  const body = html`<div class="hero">${renderHead(options, texts)}
${refused?.fault ? renderFault(refused.fault, words) : ""}</div>
${parts}
${
  refused
    ? html`<p class="small soft">${words.say("Request")} <code>${refused.request_id}</code>. ${words.say(
        "402 · Payment required: nothing was charged.",
      )}</p>`
    : ""
}`;
  return renderPage({
    model,
    title,
    description: summary,
    path: refused ? null : productPagePath(product),
    body,
    words,
    script: "playground",
    image: cardPath(product),
  });
}

function renderHead({ model, product, words }: ProductPageOptions, { shown }: ProductTexts): Html {
  const { say } = words;
  const want = listWants([product])[0];
  const networks = networkTitles(model);
  return html`<p class="soft"><a href="/">${say("Products")}</a>${
    want ? html` · <a href="/#${want.anchor}">${inLanguage(want.title, words)}</a>` : ""
  }</p><h1>${shown.title}</h1>
<p class="lead">${shown.description}</p>
<dl class="facts num"><div><dt>${say(product.plan ? "once" : "a call")}</dt><dd>${showPrice(product, words)}</dd></div>
<div><dt>${say("path")}</dt><dd><code>${product.path}</code></dd></div>
${
  networks.length === 0 ? "" : html`<div><dt>${say("paid in USDC on")}</dt><dd>${networks.join(", ")}</dd></div>`
}</dl>`;
}

const renderFault = ({ code, message }: PaymentFault, words: Words): Html =>
  html`<section aria-labelledby="fault" class="note"><h2 id="fault">${words.say("The payment was not taken")}</h2>
<p>${inLanguage(message, words)}</p>
<p class="small"><a href="/errors#${code}"><code>${code}</code></a></p></section>`;

function renderSample({ product, facts, words }: ProductPageOptions): Html {
  const { say } = words;
  const { sample } = facts;
  if (!sample) {
    const why = product.plan ? "" : say("No sample is old enough to be free yet; the first comes by itself.");
    return why === ""
      ? html``
      : html`<section aria-labelledby="sample"><h2 id="sample">${say("Free sample")}</h2>
<p class="soft">${why}</p></section>`;
  }
  const late =
    product.preview_delay_s > 0
      ? say("Free sample, {0} delayed or more", showDelay(product.preview_delay_s, words))
      : say("Free sample");
  const told = [
    ...(sample.sandbox ? [html`${say("Simulated")} · `] : []),
    html`${say("as of")} ${renderMoment(Date.parse(sample.as_of), words)} · `,
  ];
  const age = sample.age_seconds === undefined ? "" : html` · ${renderAge(sample.age_seconds, say("{0} old"))}`;
  return html`<section aria-labelledby="sample"><h2 id="sample">${product.plan ? say("What it grants") : late}</h2>
<p class="soft small">${renderPreviewOf(sample.preview_of, words)}${told}<a
href="${previewPath(product)}">JSON</a>${age}</p>
${sample.text === undefined ? "" : html`<p class="lead">${keepDays(sample.text).map(toHtml)}</p>`}
${
  renderDocument(sample.data, words) ??
  html`<div class="shown" tabindex="0" role="group" aria-label="${say("Free sample")}">${renderData(
    sample.data,
    words,
  )}</div>`
}
${renderWarnings(sample.warnings, words)}${describeSources(sample.sources, answerReaderOf(words)).map(
  toHtml,
)}</section>`;
}

const renderMethodLink = ({ product, facts, words }: ProductPageOptions): Html =>
  facts.has_method
    ? html`<p><a href="${METHODOLOGY_PATH}/${product.id}">${words.say(
        "How this is made: formula, sources, limits and a worked example",
      )}</a></p>`
    : html``;

const WARNINGS_MAX = 20;

function renderWarnings(warnings: readonly string[], words: Words): Html {
  const { length } = warnings;
  if (length === 0) return html``;
  const told = words.say(length === 1 ? "{0} warning" : "{0} warnings", length);
  return html`<details class="small"><summary>${told}</summary><ul>${warnings
    .slice(0, WARNINGS_MAX)
    .map((one) => html`<li>${inLanguage(one, words)}</li>`)}</ul></details>`;
}

const renderBuying = ({ model, product, words }: ProductPageOptions): Html =>
  html`<section aria-labelledby="buy"><h2 id="buy">${words.say("Buy it")}</h2>
${renderSnippets(model, product, words)}</section>`;

function renderNetworks({ model, product, words }: ProductPageOptions): Html {
  const { say } = words;
  const titleOf = (id: string): string => model.networks.find(({ network }) => network === id)?.title ?? id;
  const { accepts } = product.challenge;
  const list = html`<ul class="list num">${accepts.map(
    ({ network, payTo }) => html`<li><span>${titleOf(network)}</span><span class="soft">USDC</span>
<span class="sub"><span>${say("to")} <code>${payTo}</code></span><code>${network}</code></span></li>`,
  )}</ul>`;
  return html`<section aria-labelledby="networks"><h2 id="networks">${say("Where it can be paid")}</h2>
${renderMore(say("Networks and addresses"), list)}</section>`;
}

const renderReference = (product: SurfaceProduct, words: Words): Html => {
  const { say } = words;
  return html`<section aria-labelledby="fields"><h2 id="fields">${say("Fields")}</h2>
<details class="op" open><summary><span class="title">${say("Parameters")}</span></summary>
<div>${renderProductParameters(product, words)}</div></details>
<details class="op"><summary><span class="title">${say("Fields of the answer, with units")}</span></summary><div
>${renderProductFields(product, words)}</div></details>
<p class="small"><a href="${docsPath(product)}">${say("Full reference with an example")}</a> · <a
href="/openapi.json?product=${product.id}">OpenAPI</a></p></section>`;
};

const TERMS: Readonly<Record<TermsClass, Phrase>> = {
  open: "open data",
  attribution: "with attribution",
  unclear: "terms unclear",
  restricted: "licensed to the operator",
};

function renderSources({ providers, ttl_s, max_age_s }: SurfaceProduct, words: Words): Html {
  if (providers.length === 0) return html``;
  const { say } = words;
  const kept = ttl_s > 0 ? say("An answer is kept for {0} at most.", showAge(ttl_s)) : "";
  const old = max_age_s === null ? "" : say("Data older than {0} is refused, uncharged.", showAge(max_age_s));
  const list = html`<ul class="list">${providers.map(
    ({ title, docs_url, terms }) => html`<li><a href="${docs_url}" rel="noopener noreferrer" lang="en">${title}</a>
<span class="tag">${say(TERMS[terms.class])}</span><span class="sub">${renderAPIText(terms.note, words)}${
      terms.attribution ? html` <span lang="en">${terms.attribution.text}</span>` : ""
    }</span></li>`,
  )}</ul>`;
  return html`<section aria-labelledby="sources"><h2 id="sources">${say("Sources")}</h2>
<p class="soft">${say(
    "Every number names its source; what a source does not give is null with a warning, never a guess.",
  )} ${kept} ${old}</p>
${renderMore(say("Show all {0}", providers.length), list)}</section>`;
}

function renderRecord(product: SurfaceProduct, { runs, last_success, now_ms }: ProductFacts, words: Words): Html {
  if (product.plan) return html``;
  const { say, number } = words;
  const then_s = last_success ? Math.max(0, (last_success.at_ms - last_success.as_of_ms) / 1000) : 0;
  const last = last_success
    ? renderAge((now_ms - last_success.at_ms) / 1000, `{0} · ${say("data {0} old then", showAge(then_s))}`)
    : say("none since the start");
  const share = runs && runs.ok + runs.failed > 0 ? (100 * runs.ok) / (runs.ok + runs.failed) : null;
  return html`<section aria-labelledby="record"><h2 id="record">${say("Freshness and failures")}</h2>
<ul class="list num"><li><span>${say("Last live answer")}</span><span class="soft">${last}</span></li>
<li><span>${say("Runs of {0} days", runs?.days ?? 30)}</span><span class="soft">${
    share === null
      ? say("not sampled yet")
      : say(
          "{0} of {1} gave data ({2})",
          number(runs?.ok ?? 0),
          number((runs?.ok ?? 0) + (runs?.failed ?? 0)),
          words.percent(share, 2),
        )
  }</span></li><li><span>${say("Failures")}</span><span class="soft">${
    runs ? say("{0}, none of them charged", number(runs.failed)) : say("not sampled yet")
  }</span></li></ul></section>`;
}

/** How a buyer recomputes the bought bytes. Answers of plans contain keys and are not kept. */
function renderRecompute({ model, product, facts, words }: ProductPageOptions): Html {
  if (product.plan || !facts.keeps_inputs) return html``;
  const { say } = words;
  const bundle = `${model.node.public_url}/receipts/$RECEIPT_ID/bundle`;
  const some = product.providers.some(({ terms }) => terms.class === "restricted");
  const code = html`<pre tabindex="0"><code>curl -H "PAYMENT-SIGNATURE: $PAYMENT" \\
  ${bundle} | intel-node recompute -</code></pre>`;
  return html`<section aria-labelledby="recompute"><h2 id="recompute">${say("Recompute this answer")}</h2>
<p class="soft">${say("The same bytes, made again offline from the same inputs; ask with what you paid with.")} ${
    some ? say("Inputs that a licence forbids to hand on are named by their hash.") : ""
  }</p>
${renderMore(say("Show"), code)}</section>`;
}
