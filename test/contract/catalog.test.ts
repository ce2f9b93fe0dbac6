import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OptionalKind, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import Ajv2020 from "ajv/dist/2020.js";
import { listSchemaFaults } from "../../src/catalog/check-product.ts";
import type { AnyProduct } from "../../src/catalog/product.ts";
import { parseUSD } from "../../src/core/money.ts";
import { NETWORKS } from "../../src/payments/networks/table.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { createCall, type ProductNode, parseParams, startProductNode } from "../helpers/product-node.ts";
import { CATALOG_DOCUMENTS, DOOR_CALLS, readDocument } from "../helpers/surface-fetch.ts";

/** What every product of the catalog owes its buyers, whoever wrote it. */
const ENTRIES = registry.flatMap(({ products }) => products);
const PRODUCTS: readonly [string, AnyProduct, string][] = ENTRIES.map(({ product, file }) => [
  product.path,
  product,
  file,
]);
const each = test.each([...PRODUCTS]);

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every schema inside a schema, with where it stands. */
function* walkSchema(schema: TSchema, at = ""): Generator<{ at: string; schema: TSchema; is_property: boolean }> {
  yield { at, schema, is_property: false };
  const properties: Readonly<Record<string, TSchema>> = schema.properties ?? {};
  for (const [name, inner] of Object.entries(properties)) {
    yield { at: `${at}.${name}`, schema: inner, is_property: true };
    yield* walkSchema(inner, `${at}.${name}`);
  }
  if (isObject(schema.items)) yield* walkSchema(schema.items as unknown as TSchema, `${at}[]`);
  for (const option of (schema.anyOf as readonly TSchema[] | undefined) ?? []) yield* walkSchema(option, at);
}

/** Whether an answer of this schema has a table with numbers in it: something that could be drawn. */
const hasTable = (schema: TSchema): boolean =>
  [...walkSchema(schema)].some(
    ({ schema: { type, items } }) =>
      type === "array" &&
      isObject(items) &&
      [...walkSchema(items as unknown as TSchema)].some(
        (one) => one.schema.type === "number" || one.schema.type === "integer",
      ),
  );

/** Tables that are not drawn, and why. */
const UNDRAWN: Readonly<Record<string, string>> = {
  "/chat-completions": "a text",
  "/v1/chat/completions": "a text",
  "/llm": "a text",
  "/web-search": "pages by rank: their scores say nothing else",
  "/deep-think": "facts of many units",
  "/global-morning-brief": "facts of many units",
  "/macro-calendar": "dates",
  "/forex-arbitrage": "what each cross is worth is what is sold",
  "/stock-quote": "quotes of one price, which are sold",
  "/kyber-swap": "one quote",
  "/tg-premium": "messages",
  "/job/wallet-audit": "verdicts, not amounts",
  "/x402-audit": "verdicts, not amounts",
};

const readJSON = async (response: Response): Promise<Json> => {
  const body: unknown = await response.json();
  if (!isObject(body)) throw new Error(`no object: ${JSON.stringify(body)}`);
  return body;
};

/** What a call says to get all that the schema describes. */
const askWhole = ({ usual_view, example }: AnyProduct): Json =>
  usual_view === "brief" ? { ...example.params, view: "full" } : example.params;

/** A value that a parameter does not take, as a query can say it. */
const refusedBy = (schema: TSchema): unknown =>
  schema.type === "array" || schema.type === "object" ? "this is no list" : "\u0000this is none of them".repeat(20);

const NEEDS_MODEL_MS_MAX = 110_000;

describe("as it is declared, every product", () => {
  each("%s says in words what each parameter and each field is", (_, product) => {
    const silent = [...walkSchema(product.params), ...walkSchema(product.data)]
      .filter(({ schema, is_property }) => is_property && !((schema.description ?? "").length > 3))
      .map(({ at }) => at);
    expect(silent).toEqual([]);
  });

  each("%s takes no parameter it does not name, and hands no field out that it does not name", (_, product) => {
    const open = [...walkSchema(product.params), ...walkSchema(product.data)]
      .filter(({ schema }) => schema.type === "object" && schema.properties && schema.additionalProperties !== false)
      .map(({ at }) => at);
    expect(open).toEqual([]);
  });

  each("%s is made within the time of the network that has least, so that it sells on all", (_, product) => {
    const least_ms = Math.min(...NETWORKS.map(({ produce_ms_max }) => produce_ms_max));
    // A model of one's own is slow: what is nothing without one is sold on Base and to keys alone.
    const needs_model = product.uses_model?.need === "needed";
    expect(product.deadline_ms).toBeLessThanOrEqual(needs_model ? NEEDS_MODEL_MS_MAX : least_ms);
  });

  each("%s can be called without parameters, or says which it needs", (_, product) => {
    const required: readonly string[] = product.params.required ?? [];
    const properties: Readonly<Record<string, TSchema>> = product.params.properties;
    for (const [name, schema] of Object.entries(properties)) {
      const is_stated = required.includes(name) || schema.default !== undefined || OptionalKind in schema;
      expect([name, Boolean(is_stated)]).toEqual([name, true]);
      if (schema.default !== undefined) expect(Value.Check(schema, schema.default)).toBe(true);
    }
  });

  each("%s has an example its own schemas take, with numbers in it", (_, product) => {
    expect(() => parseParams(product, product.example.params)).not.toThrow();
    expect([...Value.Errors(product.data, product.example.data)]).toEqual([]);
    // What the catalog asks of an operator's product at every start is asked of ours here, once.
    expect(listSchemaFaults(product)).toEqual([]);
    expect(JSON.stringify(product.example.data)).toMatch(/\d/);
    expect(Number.isNaN(Date.parse(product.example.as_of))).toBe(false);
  });

  each("%s has a picture of its table, or a reason why not", (path, product) => {
    const { charts, rowCharts } = product.preview;
    const is_drawn = charts !== undefined || rowCharts !== undefined;
    expect([path, hasTable(product.data) && !is_drawn]).toEqual([path, path in UNDRAWN]);
  });

  each("%s names each provider once, and needs none it does not name", (_, product) => {
    const named = product.providers.map(({ id }: { id: string }) => id);
    expect(new Set(named).size).toBe(named.length);
    for (const group of product.requires) for (const { id } of group) expect(named).toContain(id);
  });

  each("%s has a page of its own: method, sources, limits", (_, product, file) => {
    const readme = join(import.meta.dir, "..", "..", dirname(file), "README.md");
    expect(existsSync(readme)).toBe(true);
    const text = readFileSync(readme, "utf8");
    expect(text).toContain(product.path);
    for (const heading of ["Method", "Sources", "Limits"]) expect(text).toMatch(new RegExp(`^#+ .*${heading}`, "m"));
  });
});

/** On a machine that is busy with other things several may be needed. */
const TRIES = 6;

describe("as a node sells it, every product", () => {
  let node: ProductNode;
  const documents = new Map<string, string>();
  beforeAll(async () => {
    node = await startProductNode();
    for (const document of CATALOG_DOCUMENTS) documents.set(document.path, await readDocument(node.url, document));
    for (const { name, path, init } of DOOR_CALLS) {
      documents.set(name, await (await fetch(`${node.url}${path}`, init)).text());
    }
  });
  afterAll(() => node.stop());

  /** Checks what a product answers as a reader of /openapi.json would. */
  /** What the product's schema describes: the whole answer where it has a form of its own. */
  const dataOf = ({ form }: AnyProduct, answer: Json): unknown => (form ? answer : answer.data);
  // The document of all products is cut to what readers take; a product's own one is whole.
  const createCheck = async (product: AnyProduct) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const own = await fetch(`${node.url}/openapi.json?product=${encodeURIComponent(product.path.slice(1))}`);
    ajv.addSchema({ ...(await readJSON(own)), $id: "https://node.example.com/doc" });
    const method = (product.methods?.[0] ?? "GET").toLowerCase();
    const operation = `/paths/${product.path.replaceAll("/", "~1")}/${method}`;
    return ajv.compile({
      $ref: `https://node.example.com/doc#${operation}/responses/200/content/application~1json/schema`,
    });
  };

  each("%s is sold by a node without a single key, or withheld with the reason", (path) => {
    const { products, withheld } = node.node.catalog;
    const listed = products.some((one) => one.path === path);
    const why = withheld.find((one) => one.path === path)?.why ?? "";
    expect(listed || why.length > 10).toBe(true);
  });

  each("%s stands in every document and behind every door, at one price", (path, product) => {
    const sold = node.node.catalog.get(path);
    if (!sold) return;
    const names = [path, path.slice(1).replaceAll(/[/-]/g, "_")];
    for (const [name, text] of documents) {
      expect([name, names.some((one) => text.includes(one))]).toEqual([name, true]);
    }
    expect(sold.price_atomic).toBe(parseUSD(product.price_usd));
    const { products } = JSON.parse(documents.get("/get-pricing") ?? "") as { products: Json[] };
    const priced = products.find((one) => one.path === path);
    expect(priced).toMatchObject({ price_usd: product.price_usd, price_atomic: sold.price_atomic.toString() });
    expect(priced?.parameters).toEqual(Object.keys(product.params.properties));
  });

  each("%s asks for its price before anything else", async (_, product) => {
    const response = await fetch(createCall(node.url, product, product.example.params));
    expect(response.status).toBe(402);
    const { accepts } = (await readJSON(response)) as { accepts: { amount: string }[] };
    expect(accepts.length).toBeGreaterThan(0);
    for (const { amount } of accepts) expect(amount).toBe(parseUSD(product.price_usd).toString());
  });

  each("%s refuses what it does not take before it asks for money, and names it", async (path, product) => {
    const refused = async (params: Json, code: string, param: string) => {
      const response = await fetch(createCall(node.url, product, params));
      const { form } = product;
      expect([path, param, response.status]).toEqual([path, param, form ? 400 : 422]);
      const told = form ? { error: { param: expect.stringContaining(param) } } : { code, param };
      expect(await readJSON(response)).toMatchObject({ ...told, charged: false });
    };
    await refused({ ...product.example.params, no_such_thing: "1" }, "unknown_parameter", "no_such_thing");
    const properties: Readonly<Record<string, TSchema>> = product.params.properties;
    for (const [name, schema] of Object.entries(properties)) {
      await refused({ ...product.example.params, [name]: refusedBy(schema) }, "invalid_parameter", name);
    }
  });

  each(
    "%s sells data of its schema in the envelope, marked as simulated, for exactly one payment",
    async (path, product) => {
      const before = node.settlements();
      const response = await node.buy(product, askWhole(product));
      const answer = await readJSON(response);
      expect([path, response.status, answer.detail]).toEqual([path, 200, undefined]);
      expect(node.settlements()).toBe(before + 1);
      expect([...Value.Errors(product.data, dataOf(product, answer))]).toEqual([]);
      if (product.form) return;
      expect(answer).toMatchObject({ product: path.slice(1), delayed: false, sandbox: true });
      for (const source of answer.sources as Json[]) expect(source.simulated).toBe(true);
      expect(Date.parse(String(answer.as_of))).toBeLessThanOrEqual(Date.parse(String(answer.generated_at)) + 1);
      // A ledger without a record says so in one word.
      for (const text of answer.warnings as string[]) expect(text).toMatch(/^(no_history$|\S.*: \S)/);
    },
  );

  each(
    "%s hands out what its /openapi.json describes: its answer and its example, and nothing less",
    async (_, product) => {
      const answer = await readJSON(await node.buy(product));
      const check = await createCheck(product);
      check(answer);
      expect(check.errors ?? []).toEqual([]);
      const data = dataOf(product, answer);
      const wrap = (inner: unknown) => (product.form ? inner : { ...answer, data: inner });
      if (!isObject(data)) throw new Error("the data is no object");
      for (const name of Object.keys(data)) {
        const { [name]: _, ...rest } = data;
        const is_optional = Value.Check(product.data, rest);
        expect([name, check(wrap(rest))]).toEqual([name, is_optional]);
      }
      expect(check(wrap({ ...data, no_such_field: 1 }))).toBe(false);
      expect(check(wrap(product.example.data))).toBe(true);
    },
  );

  each("%s gives an older view away, which its schema takes too", async (_, product) => {
    const sold = node.node.catalog.get(product.path);
    if (!sold) return;
    const view = product.usual_view === "brief" ? "&view=full" : "";
    const response = await fetch(`${node.url}${product.path}?preview=1${view}`);
    const answer = await readJSON(response);
    expect([response.status, answer.detail]).toEqual([200, undefined]);
    expect([...Value.Errors(product.data, dataOf(product, answer))]).toEqual([]);
    if (product.form) return;
    expect(answer).toMatchObject({ delayed: true, sandbox: true });
    const age_ms = node.clock.now() - Date.parse(String(answer.as_of));
    expect(age_ms).toBeGreaterThanOrEqual(sold.preview_delay_ms);
  });

  each("%s asks nobody again for what it has just sold", async (_, product) => {
    const sold = node.node.catalog.get(product.path);
    if (!sold || sold.ttl_ms < 5_000) return;
    let first = await readJSON(await node.buy(product));
    let second = first;
    // A job that is due meanwhile asks for itself, and an answer may end meanwhile; not each time.
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = await node.readCalls();
      second = await readJSON(await node.buy(product));
      const after = await node.readCalls();
      if (Bun.deepEquals(after, before)) break;
      if (tries === TRIES - 1) expect(after).toEqual(before);
      first = second;
    }
    // Each of these two was paid by a wallet of its own: what depends on who pays is not the same.
    if (!product.uses_payer) expect(second.data).toEqual(first.data);
  });
});
