import { type GuidePage, listGuidePages, resolveGuideLink } from "../surfaces/guide/pages.ts";
import { GUIDE_PAGE_PATH, GUIDE_PATH } from "../surfaces/guide-path.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import { renderEnglishText } from "./markdown.ts";
import { inLanguage, sayKnown, type Words } from "./words.ts";

export const GUIDE_SEARCH_PATH = "/guide/search";

const renderSearch = ({ say }: Words, query = ""): Html =>
  html`<form class="search ask" role="search" action="${GUIDE_SEARCH_PATH}" method="get"><input name="q" type="search"
maxlength="100" placeholder="${say("Search the guide")}" aria-label="${say("Search the guide")}" value="${query}"
><button>${say("Search")}</button></form>`;

const renderEntry = ({ path, title, summary }: GuidePage, words: Words): Html =>
  html`<li><a href="${path}">${inLanguage(title, words)}</a><span class="sub" lang="en">${summary}</span></li>`;

const anchorOfGroup = (group: string): string => group.toLowerCase().replaceAll(" ", "-");

/** `/guide`: all pages by subject, and a search. */
export function renderGuideIndex(model: SurfaceModel, words: Words): string {
  const { say } = words;
  const pages = listGuidePages(model);
  const groups = [...new Set(pages.map(({ group }) => group))];
  const title = say("Guide");
  const description = say("How to buy from this node: paying, keys, recovery, MCP and A2A.");
  const body = html`<div class="hero text"><h1>${title}</h1><p class="lead">${description}</p>
${renderSearch(words)}<p class="small soft"><a href="${GUIDE_PATH}">${say("All of it as Markdown")}</a></p>
${groups.map(
  (group) =>
    html`<h2 id="${anchorOfGroup(group)}">${inLanguage(group, words)}</h2><ul class="list">${pages
      .filter((page) => page.group === group)
      .map((page) => renderEntry(page, words))}</ul>`,
)}</div>`;
  return renderPage({ model, title, description, path: GUIDE_PAGE_PATH, body, words });
}

/** `/guide/search?q=`: the pages that match a query, best first. */
export function renderGuideSearch(
  model: SurfaceModel,
  { query, found }: { readonly query: string; readonly found: readonly GuidePage[] },
  words: Words,
): string {
  const { say } = words;
  const title = say("Search the guide");
  const body = html`<div class="hero text"><p class="soft"><a href="${GUIDE_PAGE_PATH}">${say("Guide")}</a></p>
<h1>${title}</h1>${renderSearch(words, query)}<p class="soft small" role="status">${
    query === "" || found.length > 0 ? "" : say("Nothing matches.")
  }</p><ul class="list">${found.map((page) => renderEntry(page, words))}</ul></div>`;
  return renderPage({ model, title, description: title, path: GUIDE_SEARCH_PATH, body, words });
}

const HEADINGS_MIN = 2;

function renderContents({ headings }: GuidePage, { say }: Words): Html {
  if (headings.length < HEADINGS_MIN) return html``;
  return html`<nav class="contents" aria-label="${say("On this page")}"><ul lang="en">${headings.map(
    ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>`;
}

function renderNeighbours(page: GuidePage, pages: readonly GuidePage[], words: Words): Html {
  const at = pages.indexOf(page);
  const [before, after] = [pages[at - 1], pages[at + 1]];
  const { say } = words;
  const link = (to: GuidePage | undefined, rel: string, told: string) =>
    to === undefined
      ? html`<span></span>`
      : html`<a rel="${rel}" href="${to.path}"><span class="small soft">${told}</span>${inLanguage(
          to.title,
          words,
        )}</a>`;
  const [previous, next] = [link(before, "prev", say("Previous")), link(after, "next", say("Next"))];
  return html`<nav class="neighbours" aria-label="${say("Before and after")}">${previous}${next}</nav>`;
}

/** `/guide/{page}`: one task, its contents, and links to the pages before and after it. */
export function renderGuidePage(model: SurfaceModel, page: GuidePage, words: Words): string {
  const { say } = words;
  const pages = listGuidePages(model);
  const resolve = (href: string): string | null => resolveGuideLink(href, page, pages);
  const body = html`<div class="hero text guide"><p class="soft"><a href="${GUIDE_PAGE_PATH}">${say(
    "Guide",
  )}</a> · <a href="${GUIDE_PAGE_PATH}#${anchorOfGroup(page.group)}">${inLanguage(page.group, words)}</a></p>
<h1>${inLanguage(page.title, words)}</h1>${renderContents(page, words)}
${renderEnglishText(page.text, words, { headings: page.headings, resolve })}
${renderNeighbours(page, pages, words)}</div>`;
  const title = sayKnown(page.title, words);
  return renderPage({ model, title, description: page.summary, path: page.path, body, words });
}
