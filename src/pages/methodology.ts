import { productPagePath } from "../surfaces/docs-path.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import type { NotedChanges } from "./changes/changes.ts";
import { CHANGES_PATH } from "./changes/page.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { renderEnglishText } from "./markdown.ts";
import { renderMoment } from "./parts.ts";
import { productTexts } from "./product/texts.ts";
import { inLanguage, sayKnown, type Words } from "./words.ts";

/** A family of models or formulas. */
export interface MethodFamily {
  readonly id: string;
  readonly title: string;
  /** Markdown: formulas, sources, limits. */
  readonly text: string;
  /** Ids of the products it is about. */
  readonly products: readonly string[];
  /** Digests in force, by name: of the text, and of the model whose record is signed. */
  readonly digests: Readonly<Record<string, string>>;
}

/** One change of a digest that the node noticed. */
export interface DigestChange {
  readonly at_ms: number;
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** Those of one family, in the order they were noted. */
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

const PATH = "/methodology";

interface MethodologyOptions {
  readonly model: SurfaceModel;
  readonly families: readonly MethodFamily[];
  readonly words: Words;
}

/** `/methodology`: the families. */
export function renderMethodology({ model, families, words }: MethodologyOptions): string {
  const { say } = words;
  const [title, description] = [say("Methodology"), say("How the figures are made: formulas, sources and limits.")];
  const body = html`<div class="hero"><h1>${title}</h1><p class="lead">${description}</p></div>
<ul class="list">${families.map(
    ({ id, title: name, products }) => html`<li><a href="${PATH}/${id}">${inLanguage(name, words)}</a><span
class="soft">${listSold(model, products)
      .map((product) => product.path)
      .join(", ")}</span></li>`,
  )}</ul>`;
  return renderPage({ model, title, description, path: PATH, body, words });
}

const listSold = ({ products }: SurfaceModel, ids: readonly string[]): readonly SurfaceProduct[] =>
  ids.flatMap((id) => products.find((product) => product.id === id) ?? []);

/** So much of a digest tells two apart for who reads; the whole one is in its title. */
const DIGEST_CHARS = 16;
const renderDigest = (digest: string | null): Html =>
  digest === null ? html`–` : html`<code title="${digest}">${digest.slice(0, DIGEST_CHARS)}…</code>`;

/** What is in force, and what was before: nobody can change a formula here without a trace. */
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
}

/** `/methodology/{id}`: one family, from the same text as the documents of the code. */
export function renderMethod({ model, words, changes }: MethodOptions, family: MethodFamily): string {
  const { say } = words;
  const { id, text, products } = family;
  const title = sayKnown(family.title, words);
  const links = listSold(model, products).map((product, index) => {
    const link = html`<a href="${productPagePath(product)}">${productTexts(product, words).shown.title}</a>`;
    return index === 0 ? link : html` · ${link}`;
  });
  const body = html`<div class="hero text guide"><p class="soft"><a href="${PATH}">${say("Methodology")}</a></p>
<h1>${title}</h1>
<p>${links}</p>
${renderEnglishText(text, words)}${renderDigests(family, changes, words)}</div>`;
  const description = say("How the figures are made: formulas, sources and limits.");
  return renderPage({ model, title, description, path: `${PATH}/${id}`, body, words });
}
