import { describe, expect, test } from "bun:test";
import { createTestModel } from "../../../test/helpers/surface-model.ts";
import { listGuidePages, resolveGuideLink } from "./pages.ts";
import { searchGuide } from "./search.ts";
import { AGENT_FILE, GUIDE_SOURCES } from "./sources.ts";
import { anchorOf, firstSentence, splitSections } from "./split.ts";

const model = createTestModel();
const pages = listGuidePages(model);
const LINK = /\]\(([^)\s]+)\)/g;

describe("the guide as pages", () => {
  test("has every section of the guide for agents on one page", () => {
    const own = pages.filter(({ file }) => file === AGENT_FILE);
    for (const { heading, text } of splitSections(GUIDE_SOURCES[AGENT_FILE] ?? "")) {
      const found = own.filter(({ anchors }) => anchors[0] === anchorOf(heading));
      expect(found[0]?.text.length).toBeGreaterThan(0.9 * text.length);
      expect([heading, found.length]).toEqual([heading, 1]);
    }
  });

  test("has every document whole but for what only operators do", () => {
    const words = (one: string): readonly string[] => one.match(/[\p{L}\p{N}]{4,}/gu) ?? [];
    for (const [file, text] of Object.entries(GUIDE_SOURCES)) {
      if (file === AGENT_FILE) continue;
      const shown = pages.filter((page) => page.file === file).map((page) => `${page.title}\n${page.text}`);
      const kept = splitSections(text).filter(({ heading }) => !/^For (the )?(operators?|plugins)$/.test(heading));
      const all = new Set(words(shown.join("\n")));
      const lacking = kept.flatMap((one) => words(one.text)).filter((word) => !all.has(word));
      expect([file, lacking]).toEqual([file, []]);
      expect(shown.join("\n")).not.toMatch(/^## For (the )?operator/m);
    }
  });

  test("has separate paths and distinct anchors", () => {
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
    expect(pages.filter(({ path }) => !/^\/guide\/[a-z0-9-]+$/.test(path))).toEqual([]);
    for (const { path, headings } of pages) {
      expect([path, new Set(headings.map(({ id }) => id)).size]).toEqual([path, headings.length]);
    }
    expect(pages.filter(({ summary }) => summary === "").map(({ path }) => path)).toEqual([]);
  });

  test("has links that lead where they say, or none", () => {
    const lost: string[] = [];
    const texts: string[] = [];
    for (const page of pages) {
      for (const [, href = ""] of page.text.matchAll(LINK)) {
        const to = resolveGuideLink(href, page, pages);
        if (to === null) texts.push(href);
        else if (!/^https?:|^mailto:/.test(to)) {
          const [path = "", anchor = ""] = to.split("#");
          const target = path === "" ? page : pages.find((one) => one.path === path);
          const is_there = target
            ? anchor === "" || target.headings.some(({ id }) => id === anchor)
            : ["/errors", "/docs", "/guide"].includes(path) || path.endsWith(".md") || path.endsWith(".txt");
          if (!is_there) lost.push(`${page.path}: ${href} -> ${to}`);
        }
      }
    }
    expect(lost).toEqual([]);
    // What this node does not serve: sources, decisions and operators' pages of the repository.
    expect(
      texts.filter((href) => !/^(?:\.\.\/|adr\/|examples\/|operator|src\/|plugin-author|conformance)/.test(href)),
    ).toEqual([]);
  });

  test("is found by what somebody wants to do", () => {
    const first = (query: string) => searchGuide(pages, query)[0]?.title ?? "";
    expect(first("prepaid key balance")).toBe("Prepaid keys");
    expect(first("webhook when a condition holds")).toContain("Watches");
    expect(first("MCP tools")).toContain("MCP");
    expect(first("several products in one call")).toContain("Baskets");
    expect(searchGuide(pages, "qqqqq")).toEqual([]);
    expect(searchGuide(pages, "")).toEqual([]);
  });
});

test("a heading in a block of code does not count, and a summary has no marks", () => {
  const text = "# T\n\nIt `is` [so](a.md). More.\n\n```sh\n## no\n```\n\n## Yes `it` is\n\nb\n";
  expect(splitSections(text).map(({ heading }) => heading)).toEqual(["", "Yes it is"]);
  expect(firstSentence(splitSections(text)[0]?.text ?? "")).toBe("It is so.");
  expect(firstSentence("| if | then |\n| --- | --- |\n| a. b | c |")).toBe("");
});
