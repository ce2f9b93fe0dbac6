import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { validatePaymentRequiredDetailed } from "@agentcash/discovery";
import { decodePaymentRequiredHeader } from "@x402/core/http";
import { PaymentRequiredV2Schema } from "@x402/core/schemas";
import { type DiscoveryExtension, validateDiscoveryExtension } from "@x402/extensions/bazaar";
import { canonicalJSON, sha256Hex } from "../../src/core/hash.ts";
import { cleanUp, type DemoNode } from "../helpers/demo-node.ts";
import { startEchoDemo } from "./echo-plugin.ts";

/** What crawlers find at the running node, by the paths they know, and whether what is listed is what is sold. */
const MANIFESTS = ["/.well-known/x402.json", "/.well-known/x402", "/bazaar.json", "/bazaar.json?type=mcp"] as const;
const BYTES_MAX = 262_144;

interface Entry {
  readonly url: string;
  readonly method: string;
  readonly accepts: unknown;
  readonly maxAmountRequired: string;
}
interface Item {
  readonly resource: string;
  readonly accepts: unknown;
  readonly extensions: { readonly bazaar: DiscoveryExtension };
}

let node: DemoNode;
let listed: readonly Entry[];

beforeAll(async () => {
  node = await startEchoDemo();
  listed = ((await read("/.well-known/x402.json")) as { resources: Entry[] }).resources;
});
afterAll(cleanUp);

const read = async (path: string) => (await (await node.get(path)).json()) as Record<string, unknown>;
const challengeOf = async ({ url, method }: Pick<Entry, "url" | "method">) => {
  const response = await fetch(url, { method });
  expect(`${method} ${url} ${response.status}`).toBe(`${method} ${url} 402`);
  const header = response.headers.get("payment-required") ?? "";
  return { header, offered: decodePaymentRequiredHeader(header), body: (await response.json()) as object };
};

describe.each(MANIFESTS)("%s", (path) => {
  test("is JSON of a sandbox, may be read by pages, kept for minutes, and asked for again in vain", async () => {
    const response = await fetch(`${node.url}${path}`, { redirect: "manual" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    const text = await response.text();
    expect(Buffer.byteLength(text)).toBeLessThan(BYTES_MAX);
    expect(JSON.parse(text).sandbox).toBe(true);
    const etag = response.headers.get("etag") ?? "";
    const again = await fetch(`${node.url}${path}`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test("answers HEAD as it does GET, without a body", async () => {
    const head = await fetch(`${node.url}${path}`, { method: "HEAD" });
    const get = await fetch(`${node.url}${path}`);
    expect(head.status).toBe(200);
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
    expect(await head.text()).toBe("");
  });

  test("says the same whatever host it is asked for by", async () => {
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "ftp" };
    const forged = await (await fetch(`${node.url}${path}`, { headers })).text();
    expect(forged).not.toContain("evil");
    expect(forged).toBe(await (await fetch(`${node.url}${path}`)).text());
  });
});

describe("the manifest", () => {
  test("is served in canonical bytes with their digest", async () => {
    const response = await node.get("/.well-known/x402.json", { "accept-encoding": "identity" });
    const text = await response.text();
    expect(text).toBe(canonicalJSON(JSON.parse(text)));
    const digest = Buffer.from(sha256Hex(text), "hex").toString("base64");
    expect(response.headers.get("repr-digest")).toBe(`sha-256=:${digest}:`);
  });

  test("lists every product and plan of the price list, and no other", async () => {
    const { products } = (await read("/get-pricing")) as { products: { path: string; price_atomic: string }[] };
    const pairs = (list: readonly { path: string; price: string }[]) =>
      list.map(({ path, price }) => `${path} ${price}`);
    expect(listed.map(({ url, maxAmountRequired }) => `${new URL(url).pathname} ${maxAmountRequired}`)).toEqual(
      pairs(products.map(({ path, price_atomic }) => ({ path, price: price_atomic }))),
    );
    expect(listed.map(({ url }) => new URL(url).pathname)).toContain("/buy-credits");
  });

  test("has the terms of every 402", async () => {
    for (const entry of listed) expect((await challengeOf(entry)).offered.accepts as unknown).toEqual(entry.accepts);
  });
});

test("every live 402 passes the official schema and agentcash, within a header of 4 kB", async () => {
  for (const entry of listed) {
    const { header, offered, body } = await challengeOf(entry);
    expect(header.length).toBeLessThanOrEqual(4_096);
    for (const shown of [offered, body]) {
      expect(PaymentRequiredV2Schema.safeParse(shown).error).toBeUndefined();
      const { valid, issues } = validatePaymentRequiredDetailed(shown);
      expect({ url: entry.url, valid, issues }).toEqual({ url: entry.url, valid: true, issues: [] });
      const { bazaar } = (shown as { extensions: { bazaar: DiscoveryExtension } }).extensions;
      expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    }
    // Nobody could fetch a picture from this address.
    expect(offered.resource).not.toHaveProperty("iconUrl");
  }
});

describe("the list of older crawlers", () => {
  test("leads to every product at the price of its 402", async () => {
    const { resources, endpoints, version } = (await read("/.well-known/x402")) as {
      resources: string[];
      endpoints: { path: string; method: string; price: string }[];
      version: unknown;
    };
    expect(version).toBe(1);
    expect(resources).toEqual(listed.map(({ url }) => url));
    for (const [index, { path, method, price }] of endpoints.entries()) {
      const entry = listed[index];
      expect({ url: `${node.url}${path}`, method }).toEqual({ url: entry?.url ?? "", method: entry?.method ?? "" });
      expect(Math.round(Number(price.slice(1)) * 1e6)).toBe(Number(entry?.maxAmountRequired));
    }
  });

  test("names no free path that is not there", async () => {
    const { free_endpoints } = (await read("/.well-known/x402")) as { free_endpoints: string[] };
    const missing: string[] = [];
    for (const path of free_endpoints) {
      const answer = await node.get(path);
      const { status } = answer;
      // A free preview that nobody has taken yet is there, and says so.
      const is_early = status === 503 && (await answer.text()).includes("preview_not_ready");
      if (status === 404 || status === 402 || (status >= 500 && !is_early)) missing.push(`${path} ${status}`);
    }
    expect(missing).toEqual([]);
  });
});

/** Where a shorter form says what the longer one does not: members and the ends of lists may be left out only. */
function findStrays(less: unknown, more: unknown, at = ""): readonly string[] {
  if (typeof less !== "object" || less === null) return Object.is(less, more) ? [] : [at];
  if (typeof more !== "object" || more === null || Array.isArray(less) !== Array.isArray(more)) return [at];
  const longer = more as Record<string, unknown>;
  return Object.entries(less).flatMap(([key, value]) => findStrays(value, longer[key], `${at}/${key}`));
}

describe("the bazaar", () => {
  test("has the offers and the description of every 402", async () => {
    const { items } = (await read("/bazaar.json")) as { items: Item[] };
    expect(items.map(({ resource }) => resource)).toEqual(listed.map(({ url }) => url));
    for (const [index, entry] of listed.entries()) {
      const { offered, body } = await challengeOf(entry);
      const { bazaar } = (items[index] as Item).extensions;
      expect(items[index]?.accepts).toEqual(offered.accepts);
      // One extension in three lengths: a header has to pass proxies, a list of all products has a size of its own.
      const { url } = entry;
      const in_header = offered.extensions?.bazaar;
      const in_body = (body as typeof offered).extensions?.bazaar;
      expect({ url, strays: findStrays(in_header, bazaar) }).toEqual({ url, strays: [] });
      expect({ url, strays: findStrays(bazaar, in_body) }).toEqual({ url, strays: [] });
    }
  });

  test("names as tools what the MCP server lists", async () => {
    const page = async (offset: number) =>
      ((await read(`/bazaar.json?type=mcp&offset=${offset}`)) as { items: Item[] }).items;
    const items: Item[] = [];
    for (let more = await page(0); more.length > 0; more = await page(items.length)) items.push(...more);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    };
    const answer = await fetch(`${items[0]?.resource}`, { method: "POST", headers, body });
    const { result } = (await answer.json()) as { result: { tools: { name: string; inputSchema: unknown }[] } };
    const tools = new Map(result.tools.map(({ name, inputSchema }) => [name, inputSchema]));
    expect(items).toHaveLength(listed.length);
    for (const { extensions } of items) {
      const { toolName, inputSchema } = extensions.bazaar.info.input as { toolName: string; inputSchema: unknown };
      expect(tools.get(toolName)).toEqual(inputSchema);
    }
  });

  test("refuses a faulty question with the parameter's name", async () => {
    const response = await node.get("/bazaar.json?limit=0");
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "invalid_parameter", param: "limit" });
  });
});

describe("probes of every paid path", () => {
  const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
  const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "nothing else": {},
    "a payment of words": { "payment-signature": "garbage" },
    "an empty payment": { "payment-signature": "" },
    "a payment of no kind": { "payment-signature": encode({}) },
    "a list for a payment": { "x-payment": encode([]) },
    "a payment without its payload": { "payment-signature": encode({ x402Version: 2 }) },
    "a payment of version 1 without its payload": { "x-payment": encode({ x402Version: 1, scheme: "exact" }) },
    "half a payment": { "payment-signature": "eyJ4NDAyVmVyc2lvbiI6" },
    "odd headers": { authorization: "Bearer garbage", accept: "x/y;q=garbage", "content-type": "garbage" },
  };
  /** Without a body, with an empty object, and with the example of the product's own description. */
  const bodiesOf = (method: string, example: string): readonly (string | undefined)[] =>
    method === "POST" ? [undefined, "{}", example] : [undefined];

  test.each(Object.entries(HEADERS))("with %s are offered the price or told the method", async (_what, headers) => {
    const wrong: string[] = [];
    for (const { url } of listed) {
      const { extensions } = (await read(new URL(url).pathname)) as { extensions: { bazaar: DiscoveryExtension } };
      const { input } = extensions.bazaar.info as { input: { body?: unknown; method: string } };
      // Of a path that takes POST alone, a GET is shown the price only while it brings nothing to pay with.
      const ofGet = input.method === "POST" ? [402, 405] : [402];
      for (const method of METHODS) {
        for (const body of bodiesOf(method, JSON.stringify(input.body ?? {}))) {
          const sent = body === undefined ? {} : { body };
          const type = body === undefined ? {} : { "content-type": "application/json" };
          const { status } = await fetch(url, { method, headers: { ...headers, ...type }, ...sent });
          const expected =
            method === "OPTIONS" ? [204] : method === "GET" ? ofGet : method === "HEAD" ? [402] : [402, 405];
          if (!expected.includes(status)) wrong.push(`${method} ${url} ${body} ${status}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
