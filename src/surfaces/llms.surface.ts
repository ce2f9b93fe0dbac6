import { type Chapter, renderFullText } from "./llms/full-text.ts";
import { renderIndexText } from "./llms/index-text.ts";
import { renderQuickStarts } from "./quick-starts.ts";
import { defineSurface, type Rendered } from "./types.ts";

/** The part of /llms-full.txt after the products. */
const CHAPTERS: readonly Chapter[] = [{ title: "Quick starts", render: renderQuickStarts }];

const text = (body: string): Rendered => ({ content_type: "text/plain; charset=utf-8", body });

export const surfaces = [
  defineSurface({
    path: "/llms.txt",
    summary: "This node for language models: every product, priced",
    content_type: "text/plain",
    render: (model) => text(renderIndexText(model)),
  }),
  defineSurface({
    path: "/llms-full.txt",
    summary: "Every product with parameters, fields and an example",
    content_type: "text/plain",
    render: (model) => text(renderFullText(model, CHAPTERS)),
  }),
];
