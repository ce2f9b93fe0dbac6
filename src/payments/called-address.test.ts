import { describe, expect, test } from "bun:test";
import { cutAtAddress, renderQuery } from "./called-address.ts";

const KEY = `ink_${"0Az".repeat(14)}9`;
/** As written in a JSON string. */
const shown = (search: string): string => JSON.parse(`"${renderQuery(search)}"`);

describe("the query of a 402 is", () => {
  test.each([
    ["plain", "symbol=BTC&limit=5"],
    ["percent-encoded, in either case", "q=%22a%2Fb%22%0d%0A&r=%e2%82%ac"],
    ["encoded in ways nobody can read", "q=%&r=%zz&s=%ff%fe"],
    ["a quote and a backslash", 'q="\\","accepts":[]'],
    ["letters beyond ASCII", "q=câmbio €😀"],
    ["half a letter", "q=\ud800"],
    ["a line of another header", "q=a\r\nSet-Cookie: b=c"],
    ["a NUL", "q=\u0000"],
    ["no parameter", "&&="],
    ["with a plus and a second question mark", "q=a+b?c=d"],
    ["2,047 characters", "a".repeat(2_047)],
  ])("as it was sent: %s", (_what, search) => {
    expect(shown(search)).toBe(`?${search}`);
  });

  test.each([
    ["none", ""],
    ["8 kB", "a".repeat(8_192)],
    ["2 kB of quotes", '"'.repeat(2_000)],
  ])("left out whole: %s", (_what, search) => {
    expect(renderQuery(search)).toBe("");
  });

  test.each([
    [`api_key=${KEY}`, ""],
    [`api_key=${KEY}&q=1`, "?q=1"],
    [`q=1&api_key=${KEY}&r=2`, "?q=1&r=2"],
    [`q=1&${KEY}`, "?q=1"],
    [`q=1&api_key=%69%6e%6b_${KEY.slice(4)}`, "?q=1"],
    [`q=1&authorization=Bearer+${KEY}`, "?q=1"],
    [`q=1&authorization=Bearer%20${KEY}`, "?q=1"],
    // No keys: others may be called like this.
    ["q=drink_tea", "?q=drink_tea"],
    ["q=INK_1", "?q=INK_1"],
  ])("without an API key: %s", (search, expected) => {
    expect(renderQuery(search)).toBe(expected);
  });
});

test("a query belongs where the address of a product is paid for, and nowhere else", () => {
  const url = 'https://node.example.com/a"$&b';
  const [v2, v1] = [{ resource: { url, tags: [] } }, { accepts: [{ resource: url }, { resource: url }] }];
  const others = { preview: `${url}?preview=1`, url, resource_url: url, more: [url] };
  const join = (content: object, query: string) =>
    cutAtAddress(JSON.stringify({ ...content, others }), url).join(query);
  expect(JSON.parse(join(v2, "?q=1"))).toEqual({ resource: { url: `${url}?q=1`, tags: [] }, others });
  const called = { resource: `${url}?q=1` };
  expect(JSON.parse(join(v1, "?q=1"))).toEqual({ accepts: [called, called], others });
  for (const content of [v1, v2]) expect(join(content, "")).toBe(JSON.stringify({ ...content, others }));
});
