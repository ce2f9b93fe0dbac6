import { describe, expect, test } from "bun:test";
import { readAccept, wantsPage } from "./accept.ts";

describe("a page is wanted", () => {
  test.each([
    "text/html",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/html, application/json;q=0.9",
    "TEXT/HTML;q=0.2, */*;q=0.1",
  ])("by %p", (header) => expect(wantsPage(header)).toBe(true));
});

describe("no page is wanted", () => {
  test.each([
    null,
    "",
    "*/*",
    "text/*",
    "application/json",
    "application/json, text/html",
    "text/html;q=0.5, application/json",
    "text/html;q=0, */*",
    "text/html, */*",
    `text/html, ${"a/b, ".repeat(300)}`,
  ])("by %p", (header) => expect(wantsPage(header)).toBe(false));
});

test("the most exact range counts, and a quality that is not a number does not count", () => {
  const qualityOf = readAccept("text/*;q=0.5, text/plain;q=0.9, */*;q=0.1, image/png;q=much");
  expect(["text/plain", "text/html", "a/b", "image/png"].map((type) => qualityOf?.(type))).toEqual([0.9, 0.5, 0.1, 0]);
});
