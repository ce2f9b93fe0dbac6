import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cleanUp, type DemoNode, newPayer, payingFetch, startDemo } from "../helpers/demo-node.ts";

/** What the running program serves for nothing. */
const PRODUCTS = ["/fear-greed", "/pyth-price", "/oracle-consensus", "/mempool"] as const;

type Body = Record<string, unknown>;

let node: DemoNode;

beforeAll(async () => {
  node = await startDemo();
});
afterAll(cleanUp);

const bodyOf = async (response: Response): Promise<Body> => (await response.json()) as Body;

describe("free paths", () => {
  test("of the price list all answer, to GET and HEAD alike", async () => {
    const { free } = (await bodyOf(await node.get("/get-pricing"))) as { free: string[] };
    expect(free.length).toBeGreaterThan(4);
    for (const path of free) {
      const [get, head] = [await node.get(path), await fetch(`${node.url}${path}`, { method: "HEAD" })];
      // A free preview has to be taken first: this node runs no jobs.
      const ok = get.status < 400 || (await get.text()).includes("preview_not_ready");
      expect({ path, ok, head: head.status }).toEqual({ path, ok: true, head: get.status });
      expect(await head.text()).toBe("");
      expect((await fetch(`${node.url}${path}`, { method: "DELETE" })).status).toBe(405);
    }
  });

  test("that do not exist say where to look", async () => {
    const response = await node.get("/fear-and-greed");
    expect(response.status).toBe(404);
    const body = await bodyOf(response);
    expect(body).toMatchObject({ code: "not_found", charged: false });
    const { pricing, errors } = body.discovery as Record<string, string>;
    expect((await fetch(String(pricing))).status).toBe(200);
    expect((await fetch(String(errors))).status).toBe(200);
    expect((await fetch(String(body.type))).status).toBe(200);
  });

  test("that did not change answer 304 to a client that has them", async () => {
    const first = await node.get("/get-pricing");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    const again = await node.get("/get-pricing", { "If-None-Match": etag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    expect((await node.get("/get-pricing", { "If-None-Match": '"other"' })).status).toBe(200);
  });

  test("name every product that is sold", async () => {
    const { products } = (await bodyOf(await node.get("/get-pricing"))) as { products: { path: string }[] };
    expect(products.map(({ path }) => path)).toEqual(expect.arrayContaining([...PRODUCTS]));
  });
});

describe("receipts", () => {
  const walk = async (query: string): Promise<string[]> => {
    const ids: string[] = [];
    let cursor: unknown = null;
    for (let page = 0; page < 500; page += 1) {
      const next = typeof cursor === "string" ? `&cursor=${cursor}` : "";
      const body = await bodyOf(await node.get(`/receipts?limit=2${query}${next}`));
      ids.push(...(body.items as { id: string }[]).map(({ id }) => id));
      cursor = body.next_cursor;
      if (cursor === null) return ids;
    }
    throw new Error("the pages do not end");
  };

  test("come page by page, newest first, each once", async () => {
    const bought: string[] = [];
    const buyer = payingFetch(newPayer());
    for (const path of ["/pyth-price", "/mempool", "/fear-greed", "/pyth-price", "/mempool"]) {
      const response = await buyer(`${node.url}${path}`);
      expect(response.status).toBe(200);
      const id = response.headers.get("X-Receipt-Id") ?? "";
      if (!bought.includes(id)) bought.push(id);
    }
    const ids = await walk("");
    expect(ids.slice(0, bought.length)).toEqual(bought.toReversed());
    expect(new Set(ids).size).toBe(ids.length);
    const { totals } = (await bodyOf(await node.get("/receipts"))) as { totals: Record<string, { count: number }> };
    expect(Object.values(totals).reduce((sum, { count }) => sum + count, 0)).toBe(ids.length);
  });

  test("of one product are those and no others", async () => {
    const ids = await walk("&product=mempool");
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) expect(await bodyOf(await node.get(`/receipts/${id}`))).toMatchObject({ product: "mempool" });
    expect(await walk("&product=%2Fmempool")).toEqual(ids);
    expect(await walk("&product=nothing")).toEqual([]);
    expect(await walk("&product=%27%20OR%201%3D1--")).toEqual([]);
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=-1", "limit"],
    ["limit=201", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1e2", "limit"],
    ["limit=abc", "limit"],
    ["limit=1&limit=2", "limit"],
    ["cursor=0", "cursor"],
    ["cursor=abc", "cursor"],
    ["cursor=99999999999999999999", "cursor"],
    ["label=other", "label"],
    ["lable=organic", "lable"],
    ["__proto__=1", "__proto__"],
  ])("?%s is refused with 422 naming %s", async (query, param) => {
    const response = await node.get(`/receipts?${query}`);
    expect(response.status).toBe(422);
    expect(await bodyOf(response)).toMatchObject({ param, charged: false });
  });

  test("an empty parameter was not sent", async () => {
    expect((await node.get("/receipts?limit=&label=")).status).toBe(200);
  });

  test.each([
    "/receipts/nothing",
    "/receipts/..%2f",
    "/receipts/%00",
    "/receipts/'--",
    `/receipts/${"a".repeat(3_000)}`,
  ])("%s is not found", async (path) => {
    expect((await node.get(path)).status).toBe(404);
  });
});

test("nothing unexpected was logged in all of this", () => {
  expect(node.log()).not.toMatch(/"event":"(unexpected|invariant)"/);
});
