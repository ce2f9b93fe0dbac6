import { describe, expect, test } from "bun:test";
import {
  type DiscoveryExtension,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from "@x402/extensions/bazaar";
import { createTestModel, postProduct } from "../../test/helpers/surface-model.ts";
import { NodeError } from "../core/errors.ts";
import { catalogPage as surface, surfaces } from "./bazaar.surface.ts";
import type { SurfaceModel } from "./types.ts";

interface Item {
  readonly resource: string;
  readonly type: string;
  readonly accepts: readonly unknown[];
  readonly extensions: { readonly bazaar: DiscoveryExtension };
  readonly [name: string]: unknown;
}
interface Page {
  readonly items: Item[];
  readonly pagination: { limit: number; offset: number; total: number };
}

const model = createTestModel({ products: [postProduct] });

const size = model.products.length;
function ask(query: string, of: SurfaceModel = model): Page {
  const answer = query === "" ? null : surface.answer?.(new URLSearchParams(query), of);
  const rendered = answer ?? surface.render(of);
  if (!("body" in rendered)) throw new Error("one form");
  return JSON.parse(String(rendered.body)) as Page;
}
/** Every item of a type: a reader who adds each page's `limit`, which is in bytes, to the offset misses none. */
function askAll(type: string): readonly Item[] {
  const { items, pagination } = ask(`type=${type}`);
  for (let offset = pagination.limit; offset < pagination.total; ) {
    const page = ask(`type=${type}&offset=${offset}`);
    items.push(...page.items);
    offset += page.pagination.limit;
  }
  return items;
}

describe("the catalog as a facilitator lists it", () => {
  test("holds every product with the objects of its 402 header", () => {
    const { items, pagination } = ask("");
    expect(pagination).toEqual({ limit: 100, offset: 0, total: size });
    for (const [index, { challenge }] of model.products.entries()) {
      const { url, ...about } = challenge.resource;
      expect(items[index]).toEqual({
        x402Version: 2,
        accepts: challenge.accepts,
        lastUpdated: "2026-11-20T00:00:00.000Z",
        resource: url,
        type: "http",
        ...about,
        metadata: { description: about.description },
        extensions: { bazaar: challenge.extensions.bazaar as DiscoveryExtension },
      });
    }
  });

  test("a request for more than a page holds gets a page", () => {
    for (const limit of [101, 1_000, 999_999_999]) expect(ask(`limit=${limit}`)).toEqual(ask("limit=100"));
  });

  test("where facilitators have it gives 20 to a page, as the specification says", () => {
    const resources = surfaces.find(({ path }) => path === "/discovery/resources");
    const pages = [resources?.render(model), resources?.answer?.(new URLSearchParams("offset=20"), model)];
    const read = pages.map((page) => JSON.parse(`${(page as { body: string }).body}`));
    expect(read.map(({ items, pagination }) => [items.length, pagination])).toEqual([
      [20, { limit: 20, offset: 0, total: size }],
      [20, { limit: 20, offset: 20, total: size }],
    ]);
  });

  test.each(["http", "mcp"])("of type %s passes the official validators, entry by entry", (type) => {
    const items = askAll(type);
    expect(items).toHaveLength(size);
    for (const { extensions } of items) {
      expect(validateDiscoveryExtension(extensions.bazaar)).toEqual({ valid: true });
      const spec = validateDiscoveryExtensionSpec(extensions.bazaar as unknown as Record<string, unknown>);
      expect(spec).toMatchObject({ valid: true });
    }
  });

  test("of type mcp has the tools, all at one address", () => {
    const items = askAll("mcp");
    const named = items.map(({ extensions }) => (extensions.bazaar.info.input as { toolName: string }).toolName);
    expect(named).toEqual(model.products.map(({ skill_id }) => skill_id));
    for (const item of items) expect(item).toMatchObject({ resource: "https://node.example.com/mcp", type: "mcp" });
    expect(items.map(({ accepts }) => accepts)).toEqual(model.products.map(({ challenge }) => [...challenge.accepts]));
  });

  test.each([
    ["network=eip155:8453", size],
    ["network=eip155:1", 0],
    ["scheme=exact", size],
    ["scheme=upto", 0],
    ["payTo=pay-to-solana", size],
    ["payTo=PAY-TO-SOLANA", 0],
    ["network=eip155:8453&payTo=pay-to-solana", 0],
    ["type=mcp&payTo=nobody", 0],
  ])("for %s finds %i", (query, total) => {
    const { items, pagination } = ask(query);
    expect({ items: items.length, total: pagination.total }).toEqual({ items: total, total });
  });

  test("a page at a time shows each product once", () => {
    const seen: string[] = [];
    for (let offset = 0; offset < size; offset += 3) {
      const { items, pagination } = ask(`limit=3&offset=${offset}`);
      expect(pagination).toEqual({ limit: 3, offset, total: size });
      seen.push(...items.map(({ resource }) => resource));
    }
    expect(seen).toEqual(model.products.map(({ url }) => url));
    expect(ask(`offset=${size}`).items).toEqual([]);
  });

  test.each([
    ["type", "type=a2a"],
    ["limit", "limit=0"],
    ["limit", "limit=1e1"],
    ["offset", "offset=-1"],
    ["offset", "offset=0x1"],
    ["network", `network=${"a".repeat(201)}`],
  ])("a wrong %s is refused: %s", (param, query) => {
    const refusal = (() => {
      try {
        return ask(query);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(NodeError);
    expect(refusal).toMatchObject({ code: "invalid_parameter", options: { param } });
  });

  test("a query of other names is no filter", () => {
    expect(surface.answer?.(new URLSearchParams("utm_source=x"), model)).toBeNull();
  });
});

test("90 products are one page that crawlers read to its end", () => {
  const { items, pagination } = ask("", createTestModel({ count: 90 }));
  expect(items).toHaveLength(90);
  expect(pagination).toEqual({ limit: 100, offset: 0, total: 90 });
  expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(262_144);
});

test("a page that would be too long is shorter, and says by how much", () => {
  const many = createTestModel({ count: 100 });
  const long = many.products.map((product) => {
    const resource = { ...product.challenge.resource, description: "a".repeat(5_000) };
    return { ...product, challenge: { ...product.challenge, resource } };
  });
  const { items, pagination } = ask("", { ...many, products: long });
  expect(items.length).toBeGreaterThan(10);
  expect(pagination).toEqual({ limit: items.length, offset: 0, total: 100 });
  expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(262_144);
});
