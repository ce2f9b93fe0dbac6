import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type { Surface, SurfaceModel } from "../surfaces/types.ts";
import type { HTTPCall } from "./http-call.ts";
import { createResponder } from "./respond.ts";
import { createSurfaces } from "./surface-routes.ts";

const LONG = "a line of text\n".repeat(200);
const digest = `sha-256=:${createHash("sha256").update(LONG).digest("base64")}:`;
let text = LONG;
let is_settled = true;

const surfaces: readonly Surface[] = [
  {
    path: "/long",
    summary: "Long",
    content_type: "text/plain",
    render: () => ({ content_type: "text/plain", body: text }),
  },
  {
    path: "/forms",
    summary: "Forms",
    content_type: "text/html",
    query: { format: "json" },
    render: () => [
      { content_type: "text/html; charset=utf-8", body: "<p>page</p>" },
      { content_type: "application/json", body: "{}" },
      { content_type: "text/markdown", body: "# page" },
    ],
    answer: (query) =>
      query.get("format") === "json" ? { content_type: "application/json", body: '{"asked":true}' } : null,
  },
  {
    path: "/never",
    summary: "Never",
    content_type: "text/plain",
    isServed: () => false,
    render: () => ({ content_type: "text/plain", body: "never" }),
  },
];

const rendered = createSurfaces(
  surfaces,
  () => ({ settled: is_settled }) as SurfaceModel,
  createResponder({ public_url: "https://node.example.com" }),
);

async function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  const [plain = "", search = ""] = path.split("?");
  const handler = rendered.routes.find((route) => route.path === plain)?.handler;
  if (!handler) throw new Error(`${plain} is no route`);
  const request = new Request(`https://node.example.com${path}`, { headers, method });
  return handler({ request, request_id: "req_1", search } as HTTPCall);
}

async function fetchPacked() {
  const response = await ask("/long", { "accept-encoding": "gzip" });
  return { bytes: await response.bytes(), headers: response.headers };
}

describe("a document", () => {
  test("goes out as it is, or packed for clients that take gzip; each coding has its own ETag", async () => {
    const [plain, packed] = [await ask("/long"), await ask("/long", { "accept-encoding": "br, gzip" })];
    expect(await plain.text()).toBe(LONG);
    expect(gunzipSync(await packed.bytes()).toString()).toBe(LONG);
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    for (const { headers } of [plain, packed]) expect(headers.get("vary")).toContain("Accept-Encoding");
  });

  test("is not packed for clients that refuse gzip", async () => {
    for (const refusal of ["gzip;q=0", "gzip; q=0.0, identity", "identity"]) {
      expect((await ask("/long", { "accept-encoding": refusal })).headers.get("content-encoding")).toBeNull();
    }
  });

  test("states a digest only of the bytes that are sent", async () => {
    expect((await ask("/long")).headers.get("repr-digest")).toBe(digest);
    const packed = await fetchPacked();
    const of_packed = createHash("sha256").update(packed.bytes).digest("base64");
    expect(packed.headers.get("repr-digest")).toBe(`sha-256=:${of_packed}:`);
  });

  test("is kept by nobody before every facilitator was asked: it may list no network yet", async () => {
    expect((await ask("/long")).headers.get("cache-control")).toBe("public, max-age=300");
    is_settled = false;
    rendered.refresh();
    for (const path of ["/long", "/forms", "/forms?format=json"]) {
      expect((await ask(path)).headers.get("cache-control")).toBe("no-store");
    }
    is_settled = true;
    rendered.refresh();
    expect((await ask("/long")).headers.get("cache-control")).toBe("public, max-age=300");
  });

  test("is not sent to clients that have it", async () => {
    const etag = (await ask("/long")).headers.get("etag") ?? "";
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await ask("/long", { "if-none-match": known });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe("");
      expect(response.headers.get("etag")).toBe(etag);
    }
    expect((await ask("/long", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("has the same headers for HEAD, and no body", async () => {
    const [whole, head] = [await ask("/long"), await ask("/long", {}, "HEAD")];
    expect(await head.text()).toBe("");
    expect([...head.headers]).toEqual([...whole.headers]);
  });

  test("switches to its new text when everything is rendered again", async () => {
    const before = (await ask("/long")).headers.get("etag");
    text = `${LONG}more`;
    rendered.refresh();
    const after = await ask("/long");
    expect(await after.text()).toBe(text);
    expect(after.headers.get("etag")).not.toBe(before);
  });

  test("that is not served answers like a path that is not there", async () => {
    await expect(ask("/never")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a document of several forms", () => {
  test.each([
    [undefined, "text/html; charset=utf-8"],
    ["*/*", "text/html; charset=utf-8"],
    ["application/json", "application/json"],
    ["text/markdown, text/html;q=0.5", "text/markdown"],
    ["text/*;q=0.1, application/json;q=0.2", "application/json"],
    ["text/html;q=0, application/json", "application/json"],
    ["image/png", "text/html; charset=utf-8"],
    [`${"a/b,".repeat(1_000)}application/json`, "text/html; charset=utf-8"],
  ])("for Accept %s is %s", async (accept, expected) => {
    const response = await ask("/forms", accept === undefined ? {} : { accept });
    expect(response.headers.get("content-type")).toBe(expected);
    expect(response.headers.get("vary")).toContain("Accept");
  });

  test("may have another one for a query, and ignores queries it does not know", async () => {
    expect(await (await ask("/forms?format=json")).json()).toEqual({ asked: true });
    expect(await (await ask("/forms?cache=buster")).text()).toBe("<p>page</p>");
  });
});
