import { describe, expect, test } from "bun:test";
import { readRows } from "../../../../../test/helpers/read-rows.ts";
import { isUnusable } from "../../../../catalog/unusable.ts";
import { createFeedReader } from "./read-feed.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
const reader = await createFeedReader();
const read = (xml: string, now_ms: number) => readRows((eachRow) => reader(xml, now_ms, eachRow));
const rss = (...items: readonly string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>${items.join("")}</channel></rss>`;
const item = (title: string, link = "https://a.example/1", date = "Fri, 20 Nov 2026 10:00:00 GMT") =>
  `<item><title>${title}</title><link>${link}</link><pubDate>${date}</pubDate></item>`;
const atom = (entry: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title>${entry}</feed>`;

describe("a feed", () => {
  test("RSS and Atom give the same", () => {
    const of_rss = read(rss(item("<![CDATA[A &amp; <b>B</b>]]>")), NOW_MS);
    const of_atom = read(
      atom(
        '<entry><title type="html">A &amp;amp; &lt;b&gt;B&lt;/b&gt;</title>' +
          '<link rel="self" href="https://a.example/x"/>' +
          '<link href="https://a.example/1"/><updated>2026-11-20T10:00:00Z</updated></entry>',
      ),
      NOW_MS,
    );
    expect(of_rss).toEqual([{ title: "A & B", url: "https://a.example/1", at_ms: NOW_MS - 7_200_000 }]);
    expect(of_atom).toEqual(of_rss);
  });

  test("items without a title, a web address or a date are left out, those of the future too", () => {
    const text = rss(
      item("kept"),
      item(""),
      item("b", "javascript:alert(1)"),
      item("c", "https://a.example/2", "yesterday"),
      item("d", "https://a.example/3", "Sat, 21 Nov 2026 10:00:00 GMT"),
    );
    expect(read(text, NOW_MS)).toMatchObject([{ title: "kept" }]);
  });

  test.each([
    ["a page", "<!DOCTYPE html><html></html>"],
    ["its own entities", `<!ENTITY a "b">${rss(item("a"))}`],
    ["nothing", ""],
    ["other text", "no feed"],
    ["cut off", rss(item("a")).slice(0, 60)],
    ["no items", rss()],
    ["no usable item", rss(item(""))],
  ])("%s is refused", (_, text) => {
    expect(isUnusable(read(text, NOW_MS))).toBe(true);
  });

  test("at most 100 items are read, and titles are cut", () => {
    const many = read(rss(...Array.from({ length: 300 }, () => item("a".repeat(400)))), NOW_MS);
    expect(many).toHaveLength(100);
    expect(many).toMatchObject({ 0: { title: "a".repeat(200) } });
  });
});
