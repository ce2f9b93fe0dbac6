import { expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { fetchArticles } from "./articles.ts";

const row = (number: number, title: string): string =>
  `{"url":"https://a.example/${number}","title":"${title}","seendate":"20260828T121500Z","domain":"a.example"}`;
const read = (text: string) =>
  fetchArticles(createRecordedContext({ now_ms: 0, bodies: { "gdelt GET /doc": text } }), "x");
const readTitles = async (...titles: readonly string[]) =>
  (await read(`{"articles": [${titles.map((title, index) => row(index, title)).join(", \n")}]}`)).map(
    ({ title }) => title,
  );

test.each([
  [String.raw`Rock \& roll`, "Rock & roll"],
  [String.raw`It\'s 50\% off`, "It's 50% off"],
  [String.raw`\x41 and \u12 and \u`, "x41 and u12 and u"],
  [String.raw`He said \"no\" \\ \u00e9\n`, 'He said "no" \\ é\n'],
  ["A\u0001tab\tand\u0085next", "A tab and next"],
])("a title printed as %p costs no list", async (printed, title) => {
  expect(await readTitles("One", printed, "Three")).toEqual(["One", title, "Three"]);
});

test("an article that cannot be read is left out alone", async () => {
  expect(await readTitles("One", 'He said "no" to it', "Three")).toEqual(["One", "Three"]);
  expect(await readTitles("One", "Two", String.raw`ends with a backslash \\\ `.trim())).toEqual(["One", "Two"]);
});

test("a fault in the list costs at most its article", async () => {
  const three = [row(1, "One"), row(2, "Two"), row(3, "Three")];
  const list = (rows: string, end = "]}"): string => `{"articles": [${rows}${end}`;
  const titlesOf = async (text: string) => (await read(text)).map(({ title }) => title);
  // A comma too much, a mark of the byte order, an answer that breaks off in its last row, and one row told first by
  // its title.
  expect(await titlesOf(list(`${three.join(",")},`))).toEqual(["One", "Two", "Three"]);
  expect(await titlesOf(`\ufeff${list(three.join(","))}`)).toEqual(["One", "Two", "Three"]);
  expect(await titlesOf(list([...three, row(4, "Four").slice(0, 60)].join(","), ""))).toEqual(["One", "Two", "Three"]);
  expect(await titlesOf(list(`${three.join(",")},`, ""))).toEqual(["One", "Two", "Three"]);
  const turned = three.map((text) => text.replace(/\{("url":"[^"]*"),("title":"[^"]*")/, "{$2,$1"));
  const quoted = turned[1]?.replace("Two", 'Two "or" more') ?? "";
  expect(await titlesOf(list([turned[0], quoted, turned[2]].join(",")))).toEqual(["One", "Three"]);
  const nothing = three.map((text) => text.replace("}", ',"tone":NaN}'));
  expect(await titlesOf(list([three[0], nothing[1], three[2]].join(",")))).toEqual(["One", "Three"]);
});

test("most of them unreadable, a sentence, and a page are no list", async () => {
  for (const text of [
    `{"articles":[${[row(1, '"'), row(2, '"'), row(3, "Three")].join(",")}]}`,
    "Please limit requests to one every 5 seconds",
    "<html></html>",
    "[]",
    '{"articles":{}}',
  ]) {
    await expect(read(text)).rejects.toThrow();
  }
  expect(await read("{}")).toEqual([]);
});
