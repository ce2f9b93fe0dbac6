import { afterAll, beforeAll, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import type { AnyProduct } from "../../src/catalog/product.ts";
import { rpc } from "../helpers/mcp.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/**
 * Every object answers to these names without having them. A buyer may write them wherever something is named, and is
 * told that there is no such thing: never sold nothing, never the reason of a fault.
 */
const NAMES = ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"] as const;
/** Sold calls go to two of them: one that is a function, one that is an object. */
const BOUGHT = ["constructor", "__proto__"] as const;

let at: ProductNode;
beforeAll(async () => {
  at = await startProductNode({ seed_history: false });
});
afterAll(() => at.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${at.url}${path}`, { headers, redirect: "manual" });
const codeOf = async (response: Response): Promise<string> =>
  String(((await response.json().catch(() => ({}))) as { code?: unknown }).code ?? "");

/** Parameters that take a text of the buyer's own, in a call that is complete but for them. */
const textParamsOf = ({ params }: AnyProduct): readonly string[] =>
  Object.entries(params.properties as Record<string, TSchema>).flatMap(([name, schema]) =>
    schema.type === "string" || Array.isArray(schema.anyOf) ? [name] : [],
  );

test("no product sells a part of its answer that only has such a name", async () => {
  const sold: string[] = [];
  for (const { path, data, methods } of at.products) {
    if (methods?.[0] === "POST") continue;
    const [member = ""] = Object.keys(data.properties ?? {});
    for (const name of NAMES) {
      for (const fields of [name, `${member}.${name}`]) {
        const response = await get(`${path}?fields=${fields}`);
        // The doors in OpenAI's form say 400, and no code of ours.
        if (![400, 422].includes(response.status)) sold.push(`${response.status} ${path}?fields=${fields}`);
      }
    }
  }
  expect(sold).toEqual([]);
});

test("of the parameters all products know, and of one they do not, it is no value and no name", async () => {
  for (const name of NAMES) {
    for (const query of [`view=${name}`, `format=${name}`, `preview=${name}`, `x402Version=${name}`, `${name}=1`]) {
      expect([query, (await get(`/fear-greed?${query}`)).status]).toEqual([query, 422]);
    }
  }
});

test("no product breaks on such a symbol, chain, tier or text", async () => {
  const broken: string[] = [];
  for (const product of at.products) {
    for (const param of textParamsOf(product)) {
      for (const name of BOUGHT) {
        const response = await at.buy(product, { ...product.example.params, [param]: name }).catch(() => null);
        // A value that is not taken is refused before there is a price to sign.
        if (response === null) continue;
        const code = response.status === 200 ? "" : await codeOf(response);
        if (["internal_error", "product_failed"].includes(code))
          broken.push(`${product.path}?${param}=${name} ${code}`);
      }
    }
  }
  expect(broken).toEqual([]);
});

test("no tool, method, operation, path, key or table has such a name", async () => {
  const token = { authorization: `Bearer ${at.node.operator_token}` };
  for (const name of NAMES) {
    const tool = (await rpc(at.url, "tools/call", { name, arguments: {} })).body;
    expect([name, tool?.error !== undefined || tool?.result?.isError]).toEqual([name, true]);
    expect(JSON.stringify(tool)).not.toContain("Something broke");
    expect((await rpc(at.url, name)).body?.error?.code).toBe(-32601);
    for (const version of ["0.3", "1.0"]) {
      const asked = await fetch(`${at.url}/a2a`, {
        method: "POST",
        headers: { "content-type": "application/json", "a2a-version": version },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: name, params: {} }),
      });
      expect(((await asked.json()) as { error?: { code?: number } }).error?.code).toBe(-32601);
    }
    const paths = [
      "",
      "p/",
      "docs/",
      "og/",
      "icons/",
      "methodology/",
      "receipts/",
      "keys/",
      "badges/",
      "sample/",
      "v1/",
    ];
    for (const path of paths) {
      const { status } = await get(`/${path}${name}`);
      expect([path, name, status >= 400 && status < 500]).toEqual([path, name, true]);
    }
    for (const path of ["api/", ""]) expect((await get(`/admin/${path}${name}`, token)).status).toBe(404);
    const job = await fetch(`${at.url}/admin/api/run-job`, {
      method: "POST",
      headers: { ...token, "content-type": "application/json" },
      body: JSON.stringify({ job: name }),
    });
    expect([name, job.status]).toEqual([name, 404]);
    expect((await get("/fear-greed", { "X-API-Key": name })).status).toBe(402);
    expect((await get("/fear-greed", { "X-Coupon": name })).status).toBe(402);
  }
});
