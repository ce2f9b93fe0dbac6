import { renderTime } from "../core/clock.ts";
import { getOwn } from "../core/own.ts";
import { renderAboutText, renderTermsText, type TextBlock, type TextDocument, type TextItem } from "./texts.ts";
import { defineSurface, json, type Rendered, type SurfaceModel } from "./types.ts";

/** Three forms, chosen by Accept: HTML, JSON, Markdown. */
const renderForms = (document: TextDocument, model: SurfaceModel): readonly Rendered[] => [
  { content_type: "text/html; charset=utf-8", body: renderHTML(document) },
  json(renderJSON(document, model)),
  { content_type: "text/markdown; charset=utf-8", body: renderMarkdown(document) },
];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHTML = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => getOwn(ESCAPES, sign) ?? "");
const isWebAddress = (url: string): boolean => /^https?:\/\//.test(url);

function renderHTML({ title, summary, blocks }: TextDocument): string {
  const item = ({ text, url }: TextItem): string => {
    const shown = escapeHTML(text);
    return `<li>${url && isWebAddress(url) ? `<a href="${escapeHTML(url)}">${shown}</a>` : shown}</li>`;
  };
  const block = (one: TextBlock): string => {
    if (one.kind === "heading") return `<h2>${escapeHTML(one.text)}</h2>`;
    if (one.kind === "paragraph") return `<p>${escapeHTML(one.text)}</p>`;
    return `<ul>\n${one.items.map(item).join("\n")}\n</ul>`;
  };
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHTML(title)}</title>`,
    `<meta name="description" content="${escapeHTML(summary)}">`,
    '<link rel="icon" href="/favicon.svg">',
    '<link rel="describedby" href="/llms.txt">',
    `<h1>${escapeHTML(title)}</h1>`,
    `<p>${escapeHTML(summary)}</p>`,
    ...blocks.map(block),
    "</html>",
    "",
  ].join("\n");
}

function renderMarkdown({ title, summary, blocks }: TextDocument): string {
  const item = ({ text, url }: TextItem): string => {
    if (!url || !isWebAddress(url)) return `- ${text}`;
    const [name = text, ...rest] = text.split(": ");
    return `- [${name}](${url})${rest.length > 0 ? `: ${rest.join(": ")}` : ""}`;
  };
  const block = (one: TextBlock): string => {
    if (one.kind === "heading") return `## ${one.text}`;
    return one.kind === "paragraph" ? one.text : one.items.map(item).join("\n");
  };
  return `${[`# ${title}`, `> ${summary}`, ...blocks.map(block)].join("\n\n")}\n`;
}

function renderJSON({ title, summary, blocks, facts }: TextDocument, { node, sandbox, now_ms }: SurfaceModel) {
  const sections: { title: string; paragraphs: string[]; items: TextItem[] }[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") sections.push({ title: block.text, paragraphs: [], items: [] });
    const last = sections.at(-1);
    if (block.kind === "paragraph") last?.paragraphs.push(block.text);
    if (block.kind === "list") last?.items.push(...block.items);
  }
  return {
    node_id: node.node_id,
    generated_at: renderTime(now_ms),
    ...(sandbox ? { sandbox: true } : {}),
    title,
    summary,
    ...facts,
    sections,
  };
}

export const surfaces = [
  defineSurface({
    path: "/terms",
    summary: "Terms: price, charges, refunds, data sources",
    content_type: "text/html",
    render: (model) => renderForms(renderTermsText(model), model),
  }),
  defineSurface({
    path: "/about",
    summary: "Who runs this node, its key, and links to everything",
    content_type: "text/html",
    render: (model) => renderForms(renderAboutText(model), model),
  }),
];
