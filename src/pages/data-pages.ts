import { getOwn } from "../core/own.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { renderData } from "./data-view.ts";
import { html } from "./html.ts";
import { renderPage } from "./layout.ts";
import type { Phrase, Words } from "./words.ts";

const SAMPLE = { title: "Sample", about: "The newest free previews of the sampled products." } as const;

/** JSON documents that a browser gets as pages, by path: the same answer, laid out. */
export const DATA_PAGES: Readonly<Record<string, { readonly title: Phrase; readonly about: Phrase }>> = {
  "/live": { title: "Live figures", about: "How this node is doing at this moment." },
  "/welcome": { title: "Welcome", about: "A coupon for one free call." },
  "/try": { title: "Samples", about: "Real, delayed data of six products." },
  "/sample": SAMPLE,
};

export interface DataPageOptions {
  readonly model: SurfaceModel;
  readonly path: string;
  readonly data: unknown;
  readonly words: Words;
}

/** Lays out a JSON answer of this node as a page. */
export function renderDataPage({ model, path, data, words }: DataPageOptions): string {
  const { say } = words;
  const { title, about } = getOwn(DATA_PAGES, path) ?? SAMPLE;
  const body = html`<div class="hero"><h1>${say(title)}</h1><p class="lead">${say(about)}</p>
<p class="small soft">${say("The same as JSON")}: <code>curl ${model.node.public_url}${path}</code></p></div>
<div class="shown all">${renderData(data, words)}</div>`;
  return renderPage({ model, title: say(title), description: say(about), path, body, words });
}
