import { afterAll, beforeAll, expect, test } from "bun:test";
import { FREE_ENDPOINTS } from "../../src/surfaces/free-endpoints.ts";
import { surfaces } from "../../src/surfaces/surfaces.gen.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/** Headers that libraries in a page send, as their browser asks for them. */
const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  "a bare fetch": [],
  "x402-fetch": ["access-control-expose-headers", "payment-signature", "x-payment"],
  mppx: ["accept-payment", "authorization", "content-type", "payment-authorization"],
  "the OpenAI SDK": [
    ...["authorization", "content-type", "openai-organization", "x-stainless-arch", "x-stainless-helper-method"],
    ...["x-stainless-lang", "x-stainless-os", "x-stainless-package-version", "x-stainless-retry-count"],
    ...["x-stainless-runtime", "x-stainless-runtime-version", "x-stainless-timeout"],
  ],
  "the MCP SDK": ["authorization", "content-type", "last-event-id", "mcp-protocol-version", "mcp-session-id"],
  "the A2A SDK": ["a2a-extensions", "a2a-version", "content-type", "x-a2a-extensions"],
  "a traced page": ["b3", "baggage", "sentry-trace", "traceparent", "tracestate", "x-datadog-trace-id"],
  "a client with a key": ["api-key", "idempotency-key", "x-allow-duplicate", "x-api-key", "x-goog-api-key"],
  "a client nobody has heard of": ["x-of-tomorrow", "x!odd#but_a-token"],
};
/** What a page has to read of an answer. */
const READ = [
  ...["payment-required", "payment-response", "x-payment-response", "www-authenticate", "payment-receipt"],
  ...["retry-after", "ratelimit", "ratelimit-policy", "mcp-session-id", "link", "etag", "x-request-id"],
];
const SAFE_METHODS = ["GET", "HEAD", "POST"];

let node: ProductNode;
let paths: readonly string[];

beforeAll(async () => {
  node = await startProductNode({ seed_history: false });
  const { paths: documented } = (await (await fetch(`${node.url}/openapi.json`)).json()) as { paths: object };
  const sold = node.node.catalog.products.flatMap(({ path, definition }) => [
    ...[path, ...(definition.aliases ?? [])],
    ...(definition.preview.path === undefined ? [] : [definition.preview.path]),
  ]);
  const all = [
    ...[...sold, ...surfaces.map(({ path }) => path), ...FREE_ENDPOINTS.map(({ path }) => path)],
    ...[...Object.keys(documented), "/mcp", "/a2a", "/no-such-path", "/v1/no-such-path", "/.well-known/nothing"],
  ];
  paths = [...new Set(all.map((path) => path.replaceAll(/:\w+|\{\w+\}/g, "x")))].sort();
  expect(paths.length).toBeGreaterThan(150);
});
afterAll(() => node.stop());

const listOf = (response: Response, name: string): readonly string[] =>
  (response.headers.get(name) ?? "").split(",").map((one) => one.trim().toLowerCase());

/** What a browser would refuse to send after this preflight. */
async function findRefused(path: string, method: string, headers: readonly string[]): Promise<readonly string[]> {
  const asked = headers.length === 0 ? {} : { "access-control-request-headers": headers.join(",") };
  const preflight = await fetch(`${node.url}${path}`, {
    method: "OPTIONS",
    headers: { origin: "https://app.example.com", "access-control-request-method": method, ...asked },
  });
  const allowed = listOf(preflight, "access-control-allow-headers");
  const methods = listOf(preflight, "access-control-allow-methods");
  return [
    ...(preflight.ok ? [] : [`${path}: ${preflight.status}`]),
    ...(preflight.headers.get("access-control-allow-origin") === "*" ? [] : [`${path}: its origin`]),
    ...(SAFE_METHODS.includes(method) || methods.includes(method.toLowerCase()) ? [] : [`${path}: ${method}`]),
    // The star would do for all but Authorization, in new browsers.
    ...headers.filter((name) => !allowed.includes(name)).map((name) => `${path}: ${name}`),
  ];
}

test.each(Object.entries(CLIENTS))("every path lets %s call it", async (_client, headers) => {
  const refused: string[] = [];
  for (const path of paths) refused.push(...(await findRefused(path, "POST", headers)));
  expect(refused).toEqual([]);
});

test("every method of a path may be used by a page", async () => {
  for (const path of paths) {
    const { headers } = await fetch(`${node.url}${path}`, { method: "OPTIONS" });
    for (const method of (headers.get("allow") ?? "").split(", ").filter((name) => name !== "")) {
      expect(await findRefused(path, method, [])).toEqual([]);
    }
  }
});

test("every answer lets a page read what money and retries hang on, errors too", async () => {
  const asked: readonly (readonly [string, RequestInit])[] = [
    ["", {}],
    ["", { headers: { accept: "text/html" } }],
    ["?no-such-parameter=1", {}],
    ["", { method: "PATCH" }],
    ["", { headers: { "payment-signature": "junk" } }],
    ["", { method: "POST", body: "{", headers: { "content-type": "application/json" } }],
  ];
  const hidden: string[] = [];
  for (const path of paths) {
    for (const [query, init] of asked) {
      const answer = await fetch(`${node.url}${path}${query}`, { redirect: "manual", ...init });
      const exposed = listOf(answer, "access-control-expose-headers");
      const lacks = exposed.includes("*") ? [] : READ.filter((name) => !exposed.includes(name));
      if (answer.headers.get("access-control-allow-origin") !== "*") hidden.push(`${answer.status} ${path}: origin`);
      hidden.push(...lacks.map((name) => `${answer.status} ${path}: ${name}`));
      await answer.body?.cancel();
    }
  }
  expect(hidden).toEqual([]);
});

test("an invalid header name is not repeated, and a preflight's header stays short", async () => {
  const ask = (names: string) =>
    fetch(`${node.url}/mcp`, { method: "OPTIONS", headers: { "access-control-request-headers": names } });
  const odd = (await ask('x-good, b@d, <script>, "q", x-good')).headers.get("access-control-allow-headers") ?? "";
  expect(odd).toEndWith(", x-good");
  expect(odd).not.toMatch(/[@<>"]/);
  const long = (await ask(Array.from({ length: 500 }, (_, at) => `x-${at}`).join(","))).headers;
  expect(long.get("access-control-allow-headers")).toEndWith(", *");
});

test("no other site's page may call the operator's doors", async () => {
  for (const path of ["/admin", "/admin/status", "/admin/api/keys", "/admin/keys", "/admin/do", "/metrics"]) {
    const preflight = await fetch(`${node.url}${path}`, {
      method: "OPTIONS",
      headers: { "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
    });
    expect([path, listOf(preflight, "access-control-allow-headers")]).toEqual([path, [""]]);
  }
});

test("a preflight shows no key, pays nothing and is never refused for what the call itself would be", async () => {
  expect(await findRefused(`/pyth-price?api_key=ink_${"a".repeat(43)}`, "GET", ["authorization"])).toEqual([]);
});
