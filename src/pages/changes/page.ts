import { productPagePath } from "../../surfaces/docs-path.ts";
import type { SurfaceModel, SurfaceNode } from "../../surfaces/types.ts";
import { renderAtom } from "../atom.ts";
import { html } from "../html.ts";
import { renderPage } from "../layout.ts";
import { renderMoment } from "../parts.ts";
import { ENGLISH, showDollars, type Words } from "../words.ts";
import type { CatalogChange, NotedChanges } from "./changes.ts";

export const CHANGES_PATH = "/changes";
export const CHANGES_FEED_PATH = "/changes.atom";
const ENTRIES_MAX = 50;

/** Shown characters of a digest, which are enough for a reader to tell two apart. */
const DIGEST_CHARS = 12;
const shorten = (digest: string | null): string => digest?.slice(0, DIGEST_CHARS) ?? "–";

function describeChange(change: CatalogChange, words: Words): string {
  const { say, number } = words;
  switch (change.kind) {
    case "recorded":
      return say("The record of changes begins; products then: {0}.", number(change.products));
    case "added":
      return say("New: {0} (/{1}), {2}.", change.title, change.product, showDollars(change.price_usd, words));
    case "removed":
      return say("No longer sold: {0} (/{1}).", change.title, change.product);
    case "price": {
      const [to, from] = [showDollars(change.to_usd, words), showDollars(change.from_usd, words)];
      return say("/{0} costs {1}; before, {2}.", change.product, to, from);
    }
    case "contract":
      return say("/{0}: parameters or fields changed.", change.product);
    case "method":
      return say("Method {0}: {1}, before {2}.", change.method, shorten(change.to), shorten(change.from));
    default:
      return change satisfies never;
  }
}

/** Changes of the catalog as an Atom feed. An entry's id is made from the moment of notice. */
export function renderChangesFeed(node: SurfaceNode, noted: readonly NotedChanges[], since_ms: number): string {
  const entries = noted.slice(0, ENTRIES_MAX).map(({ at_ms, changes }) => {
    const lines = changes.map((change) => describeChange(change, ENGLISH));
    return {
      anchor: String(at_ms),
      title: lines.length === 1 ? (lines[0] ?? "") : `${lines.length} changes`,
      text: lines.join("\n"),
      published_ms: at_ms,
      updated_ms: at_ms,
    };
  });
  const feed = { path: CHANGES_FEED_PATH, page: CHANGES_PATH, title: "changes of the catalog", since_ms, entries };
  return renderAtom(node, feed);
}

export interface ChangesPageOptions {
  readonly model: SurfaceModel;
  /** Newest first. */
  readonly noted: readonly NotedChanges[];
  readonly words: Words;
}

/** `/changes`: the changes of the catalog, with the time of notice. */
export function renderChangesPage({ model, noted, words }: ChangesPageOptions): string {
  const { say } = words;
  const [title, description] = [say("Changes"), say("New products, prices, fields and methods, as they changed.")];
  const linkOf = (change: CatalogChange) => {
    const id = "product" in change ? change.product : null;
    const product = model.products.find((one) => one.id === id);
    return product ? html` <a href="${productPagePath(product)}">${product.title}</a>` : "";
  };
  const body = html`<div class="hero"><h1>${title}</h1><p class="lead">${description}</p>
<p class="small soft"><a href="${CHANGES_FEED_PATH}">Atom</a></p></div>
${noted.length === 0 ? html`<p class="soft">${say("Nothing has been recorded yet.")}</p>` : ""}
${noted.map(
  ({ at_ms, changes }) => html`<section aria-labelledby="${at_ms}"><h2 id="${at_ms}">${renderMoment(at_ms, words)}</h2>
<ul class="list">${changes.map(
    (change) => html`<li><span>${describeChange(change, words)}</span>${linkOf(change)}</li>`,
  )}</ul></section>`,
)}`;
  const feed = { path: CHANGES_FEED_PATH, title };
  return renderPage({ model, title, description, path: CHANGES_PATH, body, words, feed });
}
