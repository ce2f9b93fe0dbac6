import { productPagePath } from "../surfaces/docs-path.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import type { NotedChanges } from "./changes/changes.ts";
import { CHANGES_PATH } from "./changes/page.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { readMethod } from "./methods/text.ts";
import { renderWorked, type WorkedSample } from "./methods/worked.ts";
import { renderMoment } from "./parts.ts";
import { productTexts } from "./product/texts.ts";
import { listWants } from "./wants.ts";
import { inLanguage, type Phrase, sayKnown, type Words } from "./words.ts";

/** The method of a product's figures, or of a family of products that share models or formulas. */
export interface MethodFamily {
  readonly id: string;
  readonly title: string;
  /** Markdown: formulas, sources, limits. */
  readonly text: string;
  /** Whether it has a name of its own instead of that of its product. */
  readonly is_named: boolean;
  /** Ids of its products. */
  readonly products: readonly string[];
  /** Current digests by name: of the text, and of the model whose record is signed. */
  readonly digests: Readonly<Record<string, string>>;
}

/** One noticed change of a digest. */
export interface DigestChange {
  readonly at_ms: number;
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The changes of one family, in order of notice. */
export const listDigestChanges = (
  noted: readonly NotedChanges[],
  { digests }: Pick<MethodFamily, "digests">,
): readonly DigestChange[] =>
  noted.flatMap(({ at_ms, changes }) =>
    changes.flatMap((one) =>
      one.kind === "method" && Object.hasOwn(digests, one.method)
        ? [{ at_ms, name: one.method, from: one.from, to: one.to }]
        : [],
    ),
  );

export const METHODOLOGY_PATH = "/methodology";

export const methodPath = ({ id }: Pick<MethodFamily, "id">): string => `${METHODOLOGY_PATH}/${id}`;

/** The method with a name; for a product's id, the product's own method rather than a shared one. */
export const findMethod = (families: readonly MethodFamily[], id: string): MethodFamily | null => {
  const of_product = families.filter(({ products }) => products.includes(id));
  return (
    families.find((one) => one.id === id) ??
    of_product.find(({ products: [, second] }) => !second) ??
    of_product[0] ??
    null
  );
};

interface MethodologyOptions {
  readonly model: SurfaceModel;
  readonly families: readonly MethodFamily[];
  readonly words: Words;
}

/** `/methodology`: shared and named methods first, then that of each product by desk. */
export function renderMethodology({ model, families, words }: MethodologyOptions): string {
  const { say } = words;
  const [title, description] = [say("Methodology"), say("How the figures are made: formulas, sources and limits.")];
  const methodOf = (product: SurfaceProduct) => findMethod(families, product.id);
  const body = html`<div class="hero"><h1>${title}</h1><p class="lead">${description}</p></div>
<ul class="list">${families
    .filter(({ is_named }) => is_named)
    .map(
      (family) => html`<li><a href="${methodPath(family)}">${inLanguage(family.title, words)}</a><span
class="soft">${listSold(model, family.products)
        .map((product) => product.path)
        .join(", ")}</span></li>`,
    )}</ul>
<h2>${say("Each product")}</h2>
${listWants(model.products).map(
  ({ title: want, products }) => html`<details class="group fold"><summary><h3>${inLanguage(want, words)}</h3> <span
class="soft small">${products.length}</span></summary><ul class="list">${products.map((product) => {
    const method = methodOf(product);
    const name = productTexts(product, words).shown.title;
    return html`<li>${method ? html`<a href="${METHODOLOGY_PATH}/${product.id}">${name}</a>` : name}<code
class="soft">${product.path}</code></li>`;
  })}</ul></details>`,
)}`;
  return renderPage({ model, title, description, path: METHODOLOGY_PATH, body, words });
}

const listSold = ({ products }: SurfaceModel, ids: readonly string[]): readonly SurfaceProduct[] =>
  ids.flatMap((id) => products.find((product) => product.id === id) ?? []);

/** Shown characters of a digest, which are enough to tell two apart; its title has the whole digest. */
const DIGEST_CHARS = 16;
const renderDigest = (digest: string | null): Html =>
  digest === null ? html`–` : html`<code title="${digest}">${digest.slice(0, DIGEST_CHARS)}…</code>`;

/** The current digests and the earlier ones, so that no formula changes without a trace. */
function renderDigests({ digests }: MethodFamily, changes: readonly DigestChange[], words: Words): Html {
  const { say } = words;
  return html`<section aria-labelledby="digests"><h2 id="digests">${say("Digests and their changes")}</h2>
<p class="soft small">${say("SHA-256 of the text above and of each model's parameters, as this node noted them.")}</p>
<ul class="list num">${Object.entries(digests).map(
    ([name, digest]) => html`<li><span>${name}</span>${renderDigest(digest)}</li>`,
  )}${changes.map(
    ({ at_ms, name, from, to }) =>
      html`<li><span>${renderMoment(at_ms, words)} · ${name}</span><span class="soft">${renderDigest(
        from,
      )} → ${renderDigest(to)}</span></li>`,
  )}</ul>
<p class="small soft">${changes.length === 0 ? say("No change was noted here since the record began.") : ""}
<a href="${CHANGES_PATH}">${say("Changes")}</a></p></section>`;
}

interface MethodOptions extends Omit<MethodologyOptions, "families"> {
  /** Newest first. */
  readonly changes: readonly DigestChange[];
  /** The answer that its example is computed on; null before the first free answer. */
  readonly sample: WorkedSample | null;
}

/** `/methodology/{id}`: one method, from the same text as the documents of the code. */
export function renderMethod({ model, words, changes, sample }: MethodOptions, family: MethodFamily): string {
  const { say } = words;
  const sold = listSold(model, family.products);
  const [first] = sold;
  const { lead, sections, formulas } = readMethod(family.text);
  const own_title = first && !family.is_named ? productTexts(first, words) : null;
  const title = own_title?.title ?? sayKnown(family.title, words);
  const links = sold.map((product, index) => {
    const link = html`<a href="${productPagePath(product)}">${productTexts(product, words).shown.title}</a>`;
    return index === 0 ? link : html` · ${link}`;
  });
  const example = first ? renderWorked({ formulas, sample, product: first, words }) : "";
  const slugs = sections.map(({ heading }) => slugOf(heading));
  const back = html`<p class="soft"><a href="${METHODOLOGY_PATH}">${say("Methodology")}</a></p>`;
  const body = html`<div class="hero text guide">${back}
<h1>${own_title?.shown.title ?? inLanguage(family.title, words)}</h1>
<p>${links}</p>
${words.language === "en" ? "" : html`<p class="small soft">${say("This text is in English only.")}</p>`}
${renderPart(lead, words)}${sections.map(
  ({ heading, text }, index) =>
    html`<section aria-labelledby="${slugs[index]}"><h2 id="${slugs[index]}">${renderHeading(
      heading,
      words,
    )}</h2>${renderPart(text, words)}</section>${heading === "Method" ? example : ""}`,
)}${renderDigests(family, changes, words)}</div>`;
  const description = say("How the figures are made: formulas, sources and limits.");
  return renderPage({ model, title, description, path: methodPath(family), body, words });
}

/** Headings of the documents, translated above a text in English. */
const HEADINGS: readonly Phrase[] = [
  "Method",
  "Sources",
  "Limits",
  "Degraded answers",
  "Editions",
  "Measured",
  "Which books count",
  "Two addresses of a chain",
  "Theses",
  "The report",
  "Records",
  "Grading",
  "Fees",
  "False alarms",
  "Checking",
  "For plugins",
];
const renderHeading = (heading: string, words: Words): Html => {
  const phrase = HEADINGS.find((one) => one === heading);
  return phrase === undefined ? inLanguage(heading, words) : html`${words.say(phrase)}`;
};

const slugOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** The node does not serve the code that the documents link to. */
function resolveLink(href: string): string | null {
  if (href.endsWith("/docs/signals.md")) return `${METHODOLOGY_PATH}/signals`;
  return /^(?:https?:|\/|#)/.test(href) ? href : null;
}

const renderPart = (text: string, { language }: Words): Html => {
  const part = renderMarkdown(text, { resolve: resolveLink });
  return language === "en" ? part : html`<div lang="en">${part}</div>`;
};
