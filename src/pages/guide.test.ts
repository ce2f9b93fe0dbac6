import { expect, test } from "bun:test";
import { createTestModel } from "../../test/helpers/surface-model.ts";
import { listGuidePages } from "../surfaces/guide/pages.ts";
import { renderGuideIndex, renderGuidePage, renderGuideSearch } from "./guide.ts";
import { ENGLISH, wordsOf } from "./words.ts";

const model = createTestModel();
const pages = listGuidePages(model);
const mainOf = (page: string): string => page.slice(page.indexOf("<main"), page.indexOf("</main>"));

test("every page of the guide has its contents with anchors, and links to its neighbours", () => {
  for (const [index, page] of pages.entries()) {
    const text = mainOf(renderGuidePage(model, page, ENGLISH));
    for (const { id } of page.headings) {
      expect(text.match(new RegExp(`<h[23] id="${id}">`, "g"))?.length).toBe(1);
      if (page.headings.length > 1) expect(text).toContain(`<li><a href="#${id}">`);
    }
    const [before, after] = [pages[index - 1], pages[index + 1]];
    if (before) expect(text).toContain(`<a rel="prev" href="${before.path}">`);
    if (after) expect(text).toContain(`<a rel="next" href="${after.path}">`);
    // A link to a file of the repository that the node does not serve becomes text.
    expect(text.match(/href="(?!\/|#|https?:|mailto:)[^"]*"/g)).toBeNull();
    expect(text).not.toContain(".md#");
  }
});

test("the guide's first page links all others, and in Portuguese marks English text", () => {
  const text = mainOf(renderGuideIndex(model, wordsOf("pt-BR")));
  for (const { path } of pages) expect(text).toContain(`<a href="${path}">`);
  expect(text).toContain("Formas de pagar");
  expect(text).toContain('<a href="/guide/watches"><span lang="en">Watches');
  const [page] = pages;
  if (!page) throw new Error("no page");
  expect(renderGuidePage(model, page, wordsOf("pt-BR"))).toContain("Este texto existe somente em inglês.");
  expect(renderGuidePage(model, page, wordsOf("pt-BR", true))).toContain(`href="${pages[1]?.path}?lang=pt-BR"`);
});

test("a search of the guide shows the query as text, and says so if nothing was found", () => {
  const text = renderGuideSearch(model, { query: '"><script>', found: [] }, ENGLISH);
  expect(text).toContain("Nothing matches.");
  expect(mainOf(text)).not.toContain("<script>");
});
