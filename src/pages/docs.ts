import { docsPath } from "../surfaces/docs-path.ts";
import { renderOpenAPI, renderProductOpenAPI } from "../surfaces/openapi/document.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import {
  callOf,
  count,
  exampleProduct,
  groupProducts,
  nameCategory,
  previewPath,
  renderWays,
  showPrice,
} from "./parts.ts";
import {
  isJson,
  type Json,
  jsonAt,
  list,
  renderBody,
  renderFields,
  renderParameters,
  showJSON,
  text,
} from "./schema-table.ts";

/** One path and method of the OpenAPI document. */
interface Operation {
  readonly path: string;
  readonly method: string;
  readonly content: Json;
}

/**
 * `/docs`: how to pay, what answers look like, every paid path with a link to its page, every free path. A product's
 * row is found under `#<its id>`, so that links from before each had a page of its own still lead to it.
 */
export function renderDocs(model: SurfaceModel): string {
  const document = renderOpenAPI(model);
  const operations = listOperations(document);
  const { categories, plans } = groupProducts(model.products);
  const paid = new Set(model.products.map(({ path }) => path));
  const open = new Set(model.free.filter(({ asks }) => asks !== true).map(({ path }) => path));
  const free = operations.filter(({ path }) => !paid.has(path));
  const first = exampleProduct(model.products);
  const body = html`<div class="hero"><h1>Reference</h1>
<p class="lead">Every path of this node, from its <a href="/openapi.json">OpenAPI document</a>.
Base address: <code>${model.node.public_url}</code></p></div>
${first ? html`<section aria-labelledby="pay"><h2 id="pay">Paying</h2>${renderWays(model, first)}</section>` : ""}
${renderAnswers(document)}
<section aria-labelledby="paths"><div class="head"><h2 id="paths">Paid paths</h2>${SEARCH}</div>
<p id="found" class="soft small" role="status"></p>
${categories.map(({ name, anchor, products }) => renderGroup(nameCategory(name), anchor, products))}
${plans.length === 0 ? "" : renderGroup("Prepaid balances and passes", "plans", plans)}</section>
<section aria-labelledby="free"><h2 id="free">Free paths</h2><div class="group"><div class="ops">
${free.map((operation) => renderFree(operation, document, open))}</div></div></section>`;
  const description = `Reference of ${count(paid.size, "paid path")}: parameters, prices, fields, examples, errors.`;
  return renderPage({ model, title: "Reference", description, path: "/docs", body });
}

const renderGroup = (title: string, anchor: string, products: readonly SurfaceProduct[]): Html =>
  html`<div class="group" data-group><h3 id="${anchor}">${title}</h3>
<ul class="list">${products.map(renderLine)}</ul></div>`;

const renderLine = (product: SurfaceProduct): Html => html`<li id="${product.id}" data-row>
<span><a href="${docsPath(product)}"><code>${product.path}</code></a> ${product.title}</span>
${renderPrice(product)}</li>`;

/** A plan is paid once, everything else per call. */
const renderPrice = ({ price_usd, plan }: SurfaceProduct): Html =>
  html`<strong class="num">${showPrice(price_usd)}${plan ? " once" : ""}</strong>`;

/** `/docs/<product>`: its parameters, fields, an example and its errors, from the product's own OpenAPI document. */
export function renderProductDocs(product: SurfaceProduct, model: SurfaceModel): string {
  const { title, description, path } = product;
  const body = html`<div class="hero" data-host><p class="soft"><a href="/docs">Reference</a> ·
<a href="/docs#${anchorOf(product)}">${product.plan ? "Prepaid" : nameCategory(product.category)}</a></p>
<h1>${title}</h1>
<p class="lead">${description}</p></div>
${renderProduct(product, renderProductOpenAPI(product, model))}`;
  return renderPage({ model, title, description, path: docsPath({ path }), body });
}

const anchorOf = (product: SurfaceProduct): string => groupProducts([product]).categories[0]?.anchor ?? "plans";

/** Only useful, so only shown, where script runs; without it the browser's own search finds everything. */
const SEARCH = html`<form class="search" role="search" action="/" method="get"><input id="q" name="q" type="search"
maxlength="100" placeholder="Search" aria-label="Search paths" autocomplete="off"><button>Search</button></form>`;

function listOperations(document: Json): readonly Operation[] {
  return Object.entries(jsonAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(isJson(item) ? item : {}).flatMap(([method, content]) =>
      isJson(content) ? [{ path, method: method.toUpperCase(), content }] : [],
    ),
  );
}

/** What a $ref of the document points at; anything else as it is. */
function resolve(value: unknown, document: Json): Json {
  const ref = isJson(value) ? text(value.$ref) : "";
  if (ref.startsWith("#/")) return jsonAt(document, ...ref.slice(2).split("/"));
  return isJson(value) ? value : {};
}

/** The members that every paid answer has, and the statuses every paid path may have. */
function renderAnswers(document: Json): Html {
  const rows = [
    ["200", "The data in its envelope."],
    ["402", "Not paid: the price, in the PAYMENT-REQUIRED header and in the body."],
    ["422", "A parameter is unknown or wrong."],
    ["429", "Too many free requests; Retry-After says when to go on."],
    ["503", "No data now; nothing is charged. With settlement_unknown: send the same again, it is not charged twice."],
  ] as const;
  return html`<section aria-labelledby="answers"><h2 id="answers">Answers</h2>
<p class="soft">Every paid path answers with the same envelope around its own data.</p>
${renderFields("The envelope", jsonAt(document, "components", "schemas", "Envelope"))}
<h3 class="group">Statuses of a paid path</h3><ul class="list">${rows.map(
    ([status, told]) =>
      html`<li><span><strong class="num">${status}</strong> <span class="soft">${told}</span></span></li>`,
  )}</ul><p class="small"><a href="/errors">Every error code</a></p></section>`;
}

function renderProduct(product: SurfaceProduct, document: Json): Html {
  const own = listOperations(document).filter(({ path }) => path === product.path);
  const [main] = own;
  if (!main) return html``;
  const parameters = list(main.content.parameters).map((one) => resolve(one, document));
  const answer = jsonAt(main.content, "responses", "200", "content", "application/json");
  const fields = dataSchema(answer, document);
  const bought = product.plan ? jsonAt(document, "components", "schemas", "PlanAnswer") : null;
  const input = jsonAt(main.content, "requestBody", "content", "application/json", "schema");
  const example = answer.example === undefined ? { data: product.example.data } : answer.example;
  return html`<section class="reference" data-host>
<p><span class="verb">${own.map((one) => one.method).join(" ")}</span> <code>${product.path}</code>
${renderPrice(product)}</p>
<p class="acts"><a href="${previewPath(product)}" data-preview aria-label="Try the preview of ${product.title}"
>Try the preview</a></p>
${isJson(input.properties) ? html`<h2>Body</h2>${renderBody(input)}` : ""}
<h2>Parameters</h2>${renderParameters(parameters)}
<h2>Example call</h2><pre tabindex="0"><code>curl -i ${callOf(product)}</code></pre>
${bought ? html`<h2>What a buyer gets</h2>${renderFields("Answer", bought)}` : ""}
<h2>Fields of ${product.is_bare ? "the answer" : html`<code>data</code>`}
${product.plan ? " in a preview" : ""}</h2>${renderFields("Fields", fields)}
<h2>Example answer</h2>${showJSON(example)}
${renderStatuses(main)}
<p class="small"><a href="/openapi.json?product=${product.id}">This path as OpenAPI</a></p></section>`;
}

/** The schema of `data` inside the envelope, or of the whole answer where there is none. */
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

const renderStatuses = ({ content }: Operation): Html =>
  html`<h2>Errors</h2><p class="soft">${Object.keys(jsonAt(content, "responses"))
    .filter((status) => status !== "200")
    .join(", ")}: <a href="/docs#answers">what they mean</a>.</p>`;

/** `open`: paths that a plain GET is enough for. */
function renderFree({ path, method, content }: Operation, document: Json, open: ReadonlySet<string>): Html {
  const parameters = list(content.parameters).map((one) => resolve(one, document));
  const linked = method === "GET" && open.has(path);
  return html`<details class="op"><summary><span class="verb">${method}</span><code>${path}</code>
<span class="title">${text(content.summary)}</span></summary><div>
${parameters.length > 0 ? renderParameters(parameters) : html`<p class="soft">No parameters.</p>`}
${linked ? html`<p><a href="${path}" aria-label="Open ${path}">Open</a></p>` : ""}</div></details>`;
}
