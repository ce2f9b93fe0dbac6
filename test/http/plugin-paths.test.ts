import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createCatalog } from "../../src/catalog/catalog.ts";
import { type AnyFreeRoute, defineFreeRoute } from "../../src/catalog/free-route.ts";
import type { ErrorsBelow } from "../../src/catalog/plugin.ts";
import { defineProduct } from "../../src/catalog/product.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { PAYERS, payFor } from "../helpers/payers.ts";

let runs = 0;
const base = {
  category: "test",
  tags: [],
  params: Type.Object({ mint: Type.Optional(Type.String({ maxLength: 9, description: "A token." })) }),
  data: Type.Object({ said: Type.String() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { said: "a" } },
  providers: [],
  requires: [],
  ttl: "1s",
  deadline_ms: 5_000,
} as const;
const risk = defineProduct({
  ...base,
  path: "/risk",
  title: "Risk",
  description: "A risk.",
  price_usd: "0.01",
  preview: { every: "1h", delay: "0s", path: "/risk-preview", redact: () => ({ said: "less" }) },
  fetch: async () => "more",
  compute: (said: string, { now_ms }) => ({ as_of_ms: now_ms, data: { said }, warnings: [] }),
});
const swap = defineProduct({
  ...base,
  path: "/some-swap",
  locate: ({ brand }) => `/${brand}-swap`,
  title: "Swap",
  description: "A swap.",
  price_usd: "0.02",
  preview: { every: "1h", delay: "0s" },
  fetch: async () => "swapped",
  compute: (said: string, { now_ms }) => ({ as_of_ms: now_ms, data: { said }, warnings: [] }),
});
const bundle = defineProduct({
  ...base,
  path: "/bundle",
  title: "Bundle",
  description: "What others say, what they cost, and who pays.",
  price_usd: "0.05",
  asks: { "/some-swap": "needed" },
  uses_node: true,
  uses_payer: true,
  preview: { every: "1h", delay: "0s" },
  async fetch({ ask, node, payer }) {
    const { data } = await ask("/some-swap", {}, Type.Object({ said: Type.String() }));
    const price = node.listProducts().find(({ path }) => path === "/acme-swap")?.price_usd;
    const { count, amount_atomic } = await node.readPayer(payer?.address ?? "0x");
    return `${data.said} for ${price}, paid ${count} times ${amount_atomic}`;
  },
  compute: (said: string, { now_ms }) => ({ as_of_ms: now_ms, data: { said }, warnings: [] }),
});
const nosy = defineProduct({
  ...base,
  path: "/nosy",
  title: "Nosy",
  description: "Reads what it does not declare.",
  price_usd: "0.01",
  preview: { every: "1h", delay: "0s" },
  fetch: async ({ node }) => node.node_id,
  compute: (said: string, { now_ms }) => ({ as_of_ms: now_ms, data: { said }, warnings: [] }),
});
const models = defineFreeRoute({
  path: "/v1/models",
  summary: "Models",
  params: Type.Object({ owner: Type.Optional(Type.String({ maxLength: 20, description: "Whose." })) }),
  ttl: "1m",
  is_bare: true,
  answer: async ({ node }, { owner = "all" }) => {
    runs += 1;
    return { object: "list", data: [{ id: `${node.brand}-fast`, owned_by: owner }] };
  },
});
const model = defineFreeRoute({
  path: "/v1/models/:id",
  summary: "A model",
  params: Type.Object({ id: Type.String({ maxLength: 20, description: "Which." }) }),
  ttl: "1m",
  is_bare: true,
  answer: async (_, { id }) => ({ id }),
});
const errors_below: ErrorsBelow = {
  path: "/v1",
  render: ({ status, code, param }) => ({ status, body: { oops: code, param } }),
};

let money: MoneyNode;
beforeAll(async () => {
  const more = '[node]\nbrand = "acme"\n[prices]\n"/some-swap" = "0.03"\n[aliases]\n"/jup-swap" = "/some-swap"\n';
  money = await startMoneyNode(more, undefined, {
    products: [risk, swap, bundle, nosy],
    routes: [models, model],
    errors_below,
  });
});
afterAll(() => money.stop());

const read = async (path: string) => {
  const response = await fetch(`${money.url}${path}`, { redirect: "manual" });
  return { status: response.status, headers: response.headers, body: await response.text() };
};
const buy = async (path: string) => {
  const [payer] = PAYERS;
  if (!payer) throw new Error("nobody pays");
  const url = `${money.url}${path}`;
  const wallet = await payer.newPayer(money.url);
  const call = async () => fetch(url, { headers: await payFor(url, wallet, 2) });
  return { first: await call(), again: call };
};

describe("a preview at a path of its own", () => {
  test("is the preview, free, whatever is brought to pay with", async () => {
    const { status, body } = await read("/risk-preview");
    expect({ status, data: JSON.parse(body).data }).toEqual({ status: 200, data: { said: "less" } });
    const url = `${money.url}/risk`;
    const [payer] = PAYERS;
    const headers = await payFor(url, (await payer?.newPayer(money.url)) as never, 2);
    const before = money.settlements();
    expect((await fetch(`${money.url}/risk-preview`, { headers })).status).toBe(200);
    expect(money.settlements()).toBe(before);
  });

  test("takes the product's parameters and no others, and answers for nothing that is not kept", async () => {
    const other = await read("/risk-preview?mint=abc");
    expect(other.status).toBe(404);
    expect(JSON.parse(other.body)).toMatchObject({ code: "preview_not_kept", preview_path: "/risk?preview=1" });
    expect((await read("/risk-preview?mnt=abc")).status).toBe(422);
  });

  test("stands among the free paths, and nowhere for sale", async () => {
    expect((await read("/openapi.json")).body).toContain('"/risk-preview"');
    expect((await read("/get-pricing")).body).not.toContain('"path":"/risk-preview"');
  });
});

describe("a path from the configuration", () => {
  test("is the only one that is sold, at the price of its default name", async () => {
    expect((await read("/some-swap")).status).toBe(404);
    const { status, body } = await read("/acme-swap");
    expect({ status, amount: JSON.parse(body).accepts[0].amount }).toEqual({ status: 402, amount: "30000" });
  });

  test("is led to by aliases of the configuration", async () => {
    const { status, headers } = await read("/jup-swap?mint=abc");
    expect({ status, location: headers.get("location") }).toEqual({ status: 308, location: "/acme-swap?mint=abc" });
  });
});

describe("what the node knows of itself", () => {
  test("is read by a product that declares it, beside what it asks for by the default path", async () => {
    const { first, again } = await buy("/bundle");
    expect(await first.json()).toMatchObject({ data: { said: "swapped for 0.03, paid 0 times 0" } });
    money.clock.advance(1_100);
    const second = await again();
    expect(((await second.json()) as { data: { said: string } }).data.said).toMatch(/paid [01] times/);
  });

  test("is a fault of one that does not", async () => {
    const before = money.settlements();
    const { first } = await buy("/nosy");
    expect(first.status).toBe(503);
    expect(await first.json()).toMatchObject({ code: "product_failed", charged: false });
    expect(money.settlements()).toBe(before);
  });
});

describe("a free route", () => {
  test("answers in its own form, once per question", async () => {
    runs = 0;
    for (let call = 0; call < 3; call++) {
      const { status, body, headers } = await read("/v1/models");
      expect({ status, cache: headers.get("cache-control") }).toEqual({ status: 200, cache: "public, max-age=60" });
      expect(JSON.parse(body)).toEqual({ object: "list", data: [{ id: "acme-fast", owned_by: "all" }] });
    }
    expect(runs).toBe(1);
    expect((await read("/v1/models?owner=me")).body).toContain('"me"');
    expect((await read("/v1/models?ownr=me")).status).toBe(422);
  });

  test("is in the OpenAPI document", async () => {
    expect((await read("/openapi.json")).body).toContain('"/v1/models"');
  });

  test("may end with a parameter, which is one like any other", async () => {
    expect(await read("/v1/models/a%2Fb")).toMatchObject({ status: 200, body: '{"id":"a/b"}' });
    expect(JSON.parse((await read(`/v1/models/${"a".repeat(21)}`)).body)).toMatchObject({ param: "id" });
    expect(JSON.parse((await read("/v1/models/a?id=b")).body)).toMatchObject({ param: "id" });
    expect((await read("/openapi.json")).body).toContain('"/v1/models/{id}"');
    expect((await read("/get-pricing")).body).not.toContain("/v1/models/");
  });

  test("has its errors in the form its plugin gives to all that is below a path", async () => {
    for (const [method, path, status, oops] of [
      ["GET", "/v1/models?ownr=me", 422, "unknown_parameter"],
      ["DELETE", "/v1/models", 405, "method_not_allowed"],
      ["POST", "/v1/files", 404, "not_found"],
      ["GET", "/v1", 404, "not_found"],
    ] as const) {
      const response = await fetch(`${money.url}${path}`, { method, headers: { accept: "text/html" } });
      expect([path, response.status, await response.json()]).toMatchObject([path, status, { oops }]);
    }
    const beside = await fetch(`${money.url}/v10`);
    expect([beside.status, await beside.json()]).toMatchObject([404, { code: "not_found", discovery: {} }]);
  });

  test("that names a parameter it does not have, or one that is taken, is a fault", () => {
    const faultsOf = (...routes: readonly AnyFreeRoute[]) => {
      const plugin = { id: "a", title: "A", file: "a", origin: "operator" as const, products: [], jobs: [] };
      return createCatalog({
        plugins: [{ ...plugin, simulators: [], routes }],
        prices: {},
        preview_delay_ms: 0,
        reserved_paths: [],
        whyNot: () => null,
      }).faults.map(({ message }) => message);
    };
    expect(faultsOf({ ...model, path: "/v1/models/:name" })).toEqual([
      'params must hold "name", which the path names, and need it',
    ]);
    expect(faultsOf(model, models, model)).toEqual(['path "/v1/models/:id" is already taken by a']);
  });

  test("cannot take a path that is taken", () => {
    const taken = defineFreeRoute({ ...models, path: "/receipts" });
    const catalog = createCatalog({
      plugins: [
        {
          id: "a",
          title: "A",
          file: "a",
          origin: "operator",
          products: [],
          jobs: [],
          simulators: [],
          routes: [taken],
        },
      ],
      prices: {},
      preview_delay_ms: 0,
      reserved_paths: ["/receipts"],
      whyNot: () => null,
    });
    expect(catalog.faults.map(({ message }) => message)).toEqual([
      'path "/receipts" is already taken by the node itself',
    ]);
  });
});

test("Bitcoin's score is under both names", () => {
  const { routes } = createCatalog({
    plugins: registry,
    brand: "acme",
    prices: {},
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot: () => null,
  });
  expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(["/alpha-score", "/acme-alpha-score"]));
});
