import { expect } from "bun:test";
import { XMLParser, XMLValidator } from "fast-xml-parser";

export interface AtomRead {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly entry: readonly { readonly id: string; readonly title: string; readonly content: string }[];
}

const MANY = new Set(["entry", "link", "author"]);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  isArray: (name) => MANY.has(name),
});

/** A feed as readers take it, after what RFC 4287 demands of one: sections 4.1.1, 4.1.2, 4.1.3, 4.2.6, 4.2.7. */
export function readAtom(text: string): AtomRead {
  expect(XMLValidator.validate(text)).toBe(true);
  const { feed } = parser.parse(text);
  expect(feed.xmlns).toBe("http://www.w3.org/2005/Atom");
  for (const name of ["id", "title", "updated"]) expect(typeof feed[name]).toBe("string");
  expect(feed.author[0].name).not.toBe("");
  expect(feed.link.filter(({ rel }: { rel: string }) => rel === "self")).toHaveLength(1);
  const entries = feed.entry ?? [];
  for (const entry of entries) {
    for (const name of ["id", "title", "updated", "published"]) expect(typeof entry[name]).toBe("string");
    expect(entry.updated).toMatch(TIME);
    expect(entry.content.type).toBe("text");
    expect(URL.canParse(entry.id)).toBe(true);
    expect(feed.updated >= entry.updated).toBe(true);
  }
  expect(feed.updated).toMatch(TIME);
  expect(new Set(entries.map(({ id }: { id: string }) => id)).size).toBe(entries.length);
  const entry = entries.map((one: { id: string; title: string; content: { "#text"?: string } }) => ({
    id: one.id,
    title: one.title,
    content: one.content["#text"] ?? "",
  }));
  return { id: feed.id, title: feed.title, updated: feed.updated, entry };
}
