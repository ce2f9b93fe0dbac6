import { describe, expect, test } from "bun:test";
import { assertNoKeyIn, placeKey, refuseKeyInURL, withoutKey } from "./shown-key.ts";

const KEY = `ink_${"a".repeat(43)}`;
const OTHER = `ink_${"b".repeat(43)}`;
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

/** What the doors find in X-API-Key, or why the call is refused. */
function place(given: Record<string, string>): string | null {
  const headers = new Headers(given);
  return placeKey(headers)?.message ?? headers.get("x-api-key");
}

describe("a key in a header", () => {
  test.each([
    ["authorization", `Bearer ${KEY}`],
    ["authorization", `bearer  ${KEY}`],
    ["authorization", KEY],
    ["authorization", `Token ${KEY}`],
    ["authorization", `ApiKey token="${KEY}"`],
    ["authorization", basic(`${KEY}:`)],
    ["authorization", basic(`buyer:${KEY}`)],
    ["authorization", basic(KEY)],
    ["proxy-authorization", basic(`x:${KEY}`)],
    ["x-api-key", KEY],
    ["x-api-key", `Bearer ${KEY}`],
    ["api-key", KEY],
    ["apikey", KEY],
    ["x-goog-api-key", KEY],
    ["x-auth-token", KEY],
    ["ocp-apim-subscription-key", KEY],
    ["x-anything-at-all", KEY],
  ])("%s: %s is the key of the call", (name, value) => {
    expect(place({ [name]: value })).toBe(KEY);
  });

  test("is passed on to be refused when it is mistyped where keys stand, and is a word like others elsewhere", () => {
    expect(place({ authorization: "Bearer ink_short" })).toBe("ink_short");
    expect(place({ "api-key": `${KEY}!` })).toBe(`${KEY}!`);
    expect(place({ "user-agent": "ink_jet/1.0", "idempotency-key": "ink_order_1" })).toBeNull();
  });

  test("of another maker is left to the code that reads that header", () => {
    expect(place({ authorization: "Bearer sk-0123" })).toBeNull();
    expect(place({ authorization: basic("user:password") })).toBeNull();
    expect(place({ authorization: "Payment eyJpbmtfIjoi-ink_abc" })).toBeNull();
    expect(place({ "x-api-key": "of-a-gateway" })).toBe("of-a-gateway");
    expect(place({ "x-api-key": "of-a-gateway", authorization: `Bearer ${KEY}` })).toBe(KEY);
  });

  test("may be said twice; of two different ones, neither is taken", () => {
    expect(place({ "x-api-key": KEY, authorization: `Bearer ${KEY}` })).toBe(KEY);
    expect(place({ "x-api-key": KEY, "api-key": OTHER })).toContain("two different API keys");
    expect(place({ authorization: basic(`${KEY}:${OTHER}`) })).toContain("two different API keys");
  });

  test("in a cookie is refused: browsers send it unasked", () => {
    expect(place({ cookie: `theme=dark; api_key=${KEY}` })).toContain("cookies");
  });
});

describe("a key in a URL", () => {
  const refuse = (search: string, taken: string | null = null) => refuseKeyInURL(search, taken)?.message ?? null;

  test.each([
    `api_key=${KEY}`,
    `key=${KEY}`,
    `q=x&apikey=${KEY}`,
    `access_token=${KEY}`,
    `q=${KEY}`,
    `authorization=Bearer+${KEY}`,
    `api_key=ink_short`,
    `api_key=%69nk_${"a".repeat(43)}`,
    KEY,
  ])("%s is refused, and not repeated", (search) => {
    const why = refuse(search);
    expect(why).toContain("X-API-Key");
    expect(why).not.toMatch(/ink_/);
    expect(refuseKeyInURL(search, null)?.options.param).not.toMatch(/ink_/);
  });

  test("is taken where the path has a parameter for it, and nothing else is a key", () => {
    expect(refuse(`key=${KEY}`, "key")).toBeNull();
    expect(refuse(`key=${KEY}&api_key=${KEY}`, "key")).not.toBeNull();
    expect(refuse("q=ink_jet%20printer&limit=3")).toBeNull();
    expect(refuse("")).toBeNull();
  });

  test("is in no path that is written down", () => {
    expect(withoutKey(`/p/${KEY}/x`)).toBe("/p/ink_***/x");
    expect(withoutKey("/p/ink_jet")).toBe("/p/ink_jet");
  });
});

describe("a key in a body", () => {
  const read =
    (body: unknown, given: Record<string, string> = {}) =>
    () =>
      assertNoKeyIn(JSON.stringify(body), new Headers(given));

  test("is refused by its member's name, or as a whole key anywhere", () => {
    expect(read({ api_key: KEY })).toThrow("from the body");
    expect(read({ auth: { apiKey: "ink_short" } })).toThrow("from the body");
    expect(read({ messages: [{ content: `my key is ${KEY}` }] })).toThrow("from the body");
    expect(read([KEY])).toThrow("from the body");
  });

  test("may repeat the key that pays, and no other", () => {
    expect(read({ api_key: KEY }, { "x-api-key": KEY })).not.toThrow();
    expect(read({ api_key: OTHER }, { "x-api-key": KEY })).toThrow("two different API keys");
    expect(read({ q: "ink_jet", name: 5, idempotency_key: "ink_1" })).not.toThrow();
  });
});
