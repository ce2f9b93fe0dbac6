import { docsPath, productPagePath } from "../surfaces/docs-path.ts";
import { renderOpenAPI, renderProductOpenAPI } from "../surfaces/openapi/document.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import { renderAPIText } from "./api-texts.ts";
import { type Html, html } from "./html.ts";
import { isJson, type Json } from "./json.ts";
import { renderPage } from "./layout.ts";
import { callOf, exampleProduct, groupProducts, nameCategory, previewPath, renderWays } from "./parts.ts";
import { productTexts } from "./product/texts.ts";
import { jsonAt, list, renderBody, renderFields, renderParameters, showJSON, text } from "./schema-table.ts";
import { ENGLISH, inLanguage, type Phrase, showPrice, type Words } from "./words.ts";

/** One path and method of the OpenAPI document. */
interface Operation {
  readonly path: string;
  readonly method: string;
  readonly content: Json;
}

/**
 * `/docs`: how to pay, the form of answers, every paid path with a link to its page, every free path. A product's row
 * has the anchor `#<its id>`, so that links from the time before products had pages still lead to it.
 */
export function renderDocs(model: SurfaceModel, words: Words = ENGLISH): string {
  const { say } = words;
  const document = renderOpenAPI(model);
  const operations = listOperations(document);
  const { categories, plans } = groupProducts(model.products);
  const paid = new Set(model.products.map(({ path }) => path));
  const open = new Set(model.free.filter(({ asks }) => asks !== true).map(({ path }) => path));
  const free = operations.filter(({ path }) => !paid.has(path));
  const first = exampleProduct(model.products);
  const body = html`<div class="hero"><h1>${say("Reference")}</h1>
<p class="lead">${say("Every path of this node, from its OpenAPI document.")}
${say("Base address")}: <code>${model.node.public_url}</code> · <a href="/openapi.json">OpenAPI</a></p></div>
${
  first
    ? html`<section aria-labelledby="pay"><h2 id="pay">${say("Paying")}</h2>
${renderWays(model, first, words)}</section>`
    : ""
}
${renderAnswers(document, words)}
<section aria-labelledby="paths"><div class="head"><h2 id="paths">${say("Paid paths")}</h2>${renderSearch(words)}</div>
<p id="found" class="soft small" role="status" data-none="${say("Nothing matches.")}" data-some="${say(
    "{0} of {1}",
  )}"></p>
${categories.map(({ name, anchor, products }) => renderGroup({ name, anchor, products }, words))}
${plans.length === 0 ? "" : renderGroup({ name: null, anchor: "plans", products: plans }, words)}</section>
<section aria-labelledby="free"><h2 id="free">${say("Free paths")}</h2><details class="group fold"><summary>${say(
    "All of them",
  )} <span class="soft small">${free.length}</span></summary><div class="ops">
${free.map((operation) => renderFree(operation, { document, open, words }))}</div></details></section>`;
  const description = say("Reference of every paid path: parameters, prices, fields, examples, errors.");
  return renderPage({ model, title: say("Reference"), description, path: "/docs", body, words });
}

interface Group {
  /** The category; null for plans. */
  readonly name: string | null;
  readonly anchor: string;
  readonly products: readonly SurfaceProduct[];
}

const nameGroup = (name: string | null, words: Words): Html =>
  name === null ? html`${words.say("Prepaid balances and passes")}` : inLanguage(nameCategory(name), words);

const renderGroup = ({ name, anchor, products }: Group, words: Words): Html =>
  html`<details class="group fold" data-group><summary><h3 id="${anchor}">${nameGroup(name, words)}</h3> <span
class="soft small">${products.length}</span></summary>
<ul class="list">${products.map((product) => renderLine(product, words))}</ul></details>`;

const renderLine = (product: SurfaceProduct, words: Words): Html => html`<li id="${product.id}"
data-row="${product.path}"><span><a href="${docsPath(product)}"><code>${product.path}</code></a>
${productTexts(product, words).shown.title}</span>
${renderPrice(product, words)}</li>`;

/** The price: a plan is paid once, everything else per call. */
const renderPrice = (product: SurfaceProduct, words: Words): Html =>
  html`<strong class="num">${showPrice(product, words)}${product.plan ? ` ${words.say("once")}` : ""}</strong>`;

/** `/docs/<product>`: its parameters, fields, an example and its errors, from the product's own OpenAPI document. */
export function renderProductDocs(product: SurfaceProduct, model: SurfaceModel, words: Words = ENGLISH): string {
  const { title, summary, shown } = productTexts(product, words);
  const group = nameGroup(product.plan ? null : product.category, words);
  const body = html`<div class="hero"><p class="soft"><a href="/docs">${words.say("Reference")}</a> ·
<a href="/docs#${anchorOf(product)}">${group}</a></p>
<h1>${shown.title}</h1>
<p class="lead">${shown.description}</p></div>
${renderProduct(product, renderProductOpenAPI(product, model), words)}`;
  return renderPage({ model, title, description: summary, path: docsPath(product), body, words });
}

const anchorOf = (product: SurfaceProduct): string => groupProducts([product]).categories[0]?.anchor ?? "plans";

/** A search field, shown only with script. Without script the browser's own search finds everything. */
const renderSearch = ({ say }: Words): Html =>
  html`<form class="search" role="search" action="/" method="get"><input id="q" name="q" type="search"
maxlength="100" placeholder="${say("Search")}" aria-label="${say("Search paths")}" autocomplete="off"
><button>${say("Search")}</button></form>`;

function listOperations(document: Json): readonly Operation[] {
  return Object.entries(jsonAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(isJson(item) ? item : {}).flatMap(([method, content]) =>
      isJson(content) ? [{ path, method: method.toUpperCase(), content }] : [],
    ),
  );
}

/** The target of a $ref in the document; anything else unchanged. */
function resolve(value: unknown, document: Json): Json {
  const ref = isJson(value) ? text(value.$ref) : "";
  if (ref.startsWith("#/")) return jsonAt(document, ...ref.slice(2).split("/"));
  return isJson(value) ? value : {};
}

/** The members of every paid answer, and the statuses of every paid path. */
function renderAnswers(document: Json, words: Words): Html {
  const { say } = words;
  const rows: readonly (readonly [status: string, ...told: Phrase[]])[] = [
    ["200", "The data in its envelope."],
    ["402", "Not paid: the price, in the PAYMENT-REQUIRED header and in the body."],
    ["422", "A parameter is unknown or wrong."],
    ["429", "Too many free requests; Retry-After says when to go on."],
    [
      ...(["503", "No data now; nothing is charged."] as const),
      "Send the same again after settlement_unknown: it is not charged twice.",
    ],
  ];
  return html`<section aria-labelledby="answers"><h2 id="answers">${say("Answers")}</h2>
<p class="soft">${say("Every paid path answers with the same envelope around its own data.")}</p>
${renderFields("The envelope", jsonAt(document, "components", "schemas", "Envelope"), words)}
<h3 class="group">${say("Statuses of a paid path")}</h3><ul class="list">${rows.map(
    ([status, ...told]) =>
      html`<li><span><strong class="num">${status}</strong> <span class="soft">${told
        .map((one) => say(one))
        .join(" ")}</span></span></li>`,
  )}</ul><p class="small"><a href="/errors">${say("Every error code")}</a></p></section>`;
}

function renderProduct(product: SurfaceProduct, document: Json, words: Words): Html {
  const { say } = words;
  const own = listOperations(document).filter(({ path }) => path === product.path);
  const [main] = own;
  if (!main) return html``;
  const parameters = list(main.content.parameters).map((one) => resolve(one, document));
  const answer = jsonAt(main.content, "responses", "200", "content", "application/json");
  const fields = dataSchema(answer, document);
  const bought = product.plan ? jsonAt(document, "components", "schemas", "PlanAnswer") : null;
  const input = jsonAt(main.content, "requestBody", "content", "application/json", "schema");
  const example = answer.example === undefined ? { data: product.example.data } : answer.example;
  return html`<section class="reference">
<p><span class="verb">${own.map((one) => one.method).join(" ")}</span> <code>${product.path}</code>
${renderPrice(product, words)}</p>
<p><a href="${productPagePath(product)}#sample">${say("Free sample")}</a> ·
<a href="${previewPath(product)}">${say("Free preview")} (JSON)</a></p>
${isJson(input.properties) ? html`<h2>${say("Body")}</h2>${renderBody(input, words)}` : ""}
<h2>${say("Parameters")}</h2>${renderParameters(parameters, words)}
<h2>${say("Example call")}</h2><pre tabindex="0"><code>curl -i ${callOf(product)}</code></pre>
${bought ? html`<h2>${say("What a buyer gets")}</h2>${renderFields("Answer", bought, words)}` : ""}
<h2>${say(nameFields(product))}</h2>
${renderFields("Fields", fields, words)}
<h2>${say("Example answer")}</h2>${showJSON(example)}
${renderStatuses(main, words)}
<p class="small"><a href="/openapi.json?product=${product.id}">${say("This path as OpenAPI")}</a></p></section>`;
}

const nameFields = ({ plan, is_bare }: SurfaceProduct): Phrase =>
  plan ? "Fields of the preview" : is_bare ? "Fields of the answer" : "Fields of the data";

/** The parameters of a path. Parts of the path that have no description speak for themselves. */
function renderAsked(parameters: readonly Json[], words: Words): Html {
  if (parameters.length === 0) return html`<p class="soft">${words.say("No parameters.")}</p>`;
  const says_more = parameters.some((one) => one.in !== "path" || text(one.description) !== "");
  if (says_more) return renderParameters(parameters, words);
  return html`<p class="soft">${words.say("Nothing but what stands in its path.")}</p>`;
}

/** The schema of `data` in the envelope, or of the whole answer without an envelope. */
function dataSchema(answer: Json, document: Json): Json {
  const { anyOf } = jsonAt(answer, "schema");
  const named = resolve(anyOf === undefined ? answer.schema : list(anyOf).at(-1), document);
  const whole = resolve(named, document);
  for (const part of list(whole.allOf)) {
    const data = jsonAt(part, "properties", "data");
    if (Object.keys(data).length > 0) return resolve(data, document);
  }
  return isJson(whole.properties) ? whole : {};
}

const renderStatuses = ({ content }: Operation, { say }: Words): Html =>
  html`<h2>${say("Errors")}</h2><p class="soft">${Object.keys(jsonAt(content, "responses"))
    .filter((status) => status !== "200")
    .join(", ")} · <a href="/docs#answers">${say("What they mean")}</a></p>`;

interface FreeOptions {
  readonly document: Json;
  /** Paths for which a plain GET is enough. */
  readonly open: ReadonlySet<string>;
  readonly words: Words;
}

function renderFree({ path, method, content }: Operation, { document, open, words }: FreeOptions): Html {
  const { say } = words;
  const parameters = list(content.parameters).map((one) => resolve(one, document));
  const linked = method === "GET" && open.has(path);
  return html`<details class="op"><summary><span class="verb">${method}</span><code>${path}</code>
<span class="title">${renderAPIText(text(content.summary), words)}</span></summary><div>
${renderAsked(parameters, words)}
${
  linked
    ? html`<p><a href="${path}" aria-label="${say("Open {0}", path)}"
>${say("Open")}</a></p>`
    : ""
}</div></details>`;
}
