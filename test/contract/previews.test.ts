import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import type { ParsedParams } from "../../src/catalog/params.ts";
import { describeParams } from "../../src/core/describe-params.ts";
import { A2A_BUYERS, type A2ABuyer } from "../helpers/a2a-buyers.ts";
import { HELD_MS_MAX, HELD_TRIES_MAX } from "../helpers/held-thread.ts";
import { type LookBacks, openLookBacks, WATCHABLE } from "../helpers/look-backs.ts";
import { callTool } from "../helpers/mcp.ts";
import { createCall, type ProductNode, startProductNode } from "../helpers/product-node.ts";

/** A preview is of what it is asked for, or says that it is none: on every door, of every product. */
type Json = Record<string, unknown>;
type Schema = Readonly<Record<string, unknown>>;

let node: ProductNode;
let buyer: A2ABuyer;
beforeAll(async () => {
  node = await startProductNode();
  const [, start] = A2A_BUYERS[0] ?? [];
  if (!start) throw new Error("no client of A2A");
  buyer = await start(node.url, {});
});
afterAll(() => node.stop());

const listProducts = (): readonly CatalogProduct[] =>
  node.node.catalog.products.filter(({ definition }) => !definition.plan);
const propertiesOf = ({ definition }: CatalogProduct) =>
  Object.entries(definition.params.properties as Readonly<Record<string, Schema>>);

/** Values that calls of this catalog have for parameters of a name. */
function collectValues(): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const product of listProducts()) {
    const calls = [product.definition.example.params, ...product.previewRequests().map(({ params }) => params)];
    for (const [name, value] of calls.flatMap((params) => Object.entries(params))) {
      found.set(name, [...(found.get(name) ?? []), value]);
    }
  }
  return found;
}

/** Subjects of many kinds, for parameters whose other calls all name the same one. */
const SUBJECTS: readonly string[] = [
  ...["ETH", "SOL", "USDBRL", "NVDA", "BBAS3", "silver", "USDC/USDC", "2317", "NVDA,MSFT"],
  "So11111111111111111111111111111111111111112",
  "0x000000000000000000000000000000000000dEaD",
  "f".repeat(64),
  "another subject",
];

/** Other values of one parameter: those its schema names, its ends, and those that other calls have. */
function listOthers(schema: Schema, known: readonly unknown[]): readonly unknown[] {
  const options = (schema.anyOf ?? []) as readonly Schema[];
  const { minimum, maximum, type } = schema;
  const made = type === "string" ? SUBJECTS : type === "boolean" ? [true, false] : [];
  return [...options.map((one) => one.const), ...known, minimum, maximum, ...made].filter((one) => one !== undefined);
}

/** A valid call of another subject than any that a preview is kept for; null where there is none. */
function findOther(product: CatalogProduct, known: ReadonlyMap<string, readonly unknown[]>): Json | null {
  const kept = new Set(product.previewRequests().map(({ key }) => key));
  for (const [name, schema] of propertiesOf(product)) {
    for (const value of listOthers(schema, known.get(name) ?? [])) {
      const params = { ...product.previewRequests()[0].params, [name]: value };
      const parsed = tryParse(product, params);
      if (parsed && !kept.has(parsed.key) && parsed.key !== product.params.defaults.key) return params;
    }
  }
  return null;
}

function tryParse({ params: { fromBody } }: CatalogProduct, params: Json): ParsedParams | null {
  try {
    const parsed = fromBody(params);
    return parsed.missing.length === 0 ? parsed : null;
  } catch {
    return null;
  }
}

/** Products that keep a preview of every subject they take. */
const ALL_KEPT = ["/oracle-consensus"];

const toolOf = ({ id }: CatalogProduct): string => id.replaceAll(/[/-]/g, "_");

/** The call of a preview over HTTP. */
async function preview(product: CatalogProduct, params: Json, more: Readonly<Record<string, string>> = {}) {
  const call = createCall(node.url, product.definition, params);
  const url = new URL(call.url);
  for (const [name, value] of Object.entries({ preview: "1", ...more })) url.searchParams.set(name, value);
  const response = await fetch(new Request(url.href, call));
  return { status: response.status, text: await response.text() };
}

/** Views every product of the usual form has. */
const viewsOf = ({ definition }: CatalogProduct): readonly Readonly<Record<string, string>>[] =>
  definition.form ? [{}] : [{}, { view: "brief" }, { fields: Object.keys(definition.data.properties)[0] ?? "" }];

const decodeHTML = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

const isFirst = (text: string): boolean => text.startsWith('{"preview_of":');

test("a preview of another subject is refused on every door, with what is kept and the price", async () => {
  const known = collectValues();
  const untried: string[] = [];
  for (const product of listProducts()) {
    const { path, definition } = product;
    const other = findOther(product, known);
    if (other === null) {
      if (propertiesOf(product).length > 0) untried.push(path);
      continue;
    }
    const details = { preview_of: product.previewRequests()[0].params, preview_path: `${path}?preview=1` };
    for (const view of viewsOf(product)) {
      const { status, text } = await preview(product, other, view);
      expect([path, other, status, text]).toEqual([path, other, 404, expect.stringContaining("preview_not_kept")]);
      if (!definition.form) expect(JSON.parse(text)).toMatchObject({ ...details, charged: false });
    }
    const { path: free_path } = definition.preview;
    if (free_path !== undefined) {
      const { url } = createCall(node.url, { ...definition, methods: ["GET"], path: free_path }, other);
      const response = await fetch(url);
      expect([path, response.status, await response.json()]).toMatchObject([path, 404, details]);
    }
    const result = await callTool(node.url, toolOf(product), { args: { ...other, preview: true } });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ code: "preview_not_kept", ...details });
    const task = await buyer.send({ skill: toolOf(product), params: { ...other, preview: true } });
    expect([path, task.state, task.data ?? null]).toEqual([path, "failed", null]);
  }
  expect(untried).toEqual(ALL_KEPT);
});

test("a preview begins with the parameters it was computed for, on every door, and no view cuts them", async () => {
  for (const product of listProducts()) {
    const preview_of = product.previewRequests()[0].params;
    const { definition, path } = product;
    if (!definition.form) {
      for (const view of viewsOf(product)) {
        const { status, text } = await preview(product, {}, view);
        expect([path, status, isFirst(text)]).toEqual([path, 200, true]);
        expect(JSON.parse(text)).toMatchObject({ preview_of });
      }
      const tool = await callTool(node.url, toolOf(product), { args: { preview: true } });
      expect([path, isFirst(JSON.stringify(tool.structuredContent))]).toEqual([path, true]);
      const [content] = tool.content as readonly { readonly text: string }[];
      expect([path, isFirst(content?.text ?? "")]).toEqual([path, true]);
      expect(JSON.parse(content?.text ?? "")).toMatchObject({ preview_of });
      const task = await buyer.send({ skill: toolOf(product), params: { preview: true } });
      expect([path, task.state, Object.keys(task.data ?? {})[0]]).toEqual([path, "completed", "preview_of"]);
    }
    const challenge = (await (await fetch(createCall(node.url, definition, {}))).json()) as {
      upsell: { sample: Json };
    };
    expect([path, Object.keys(challenge.upsell.sample)[0]]).toEqual([path, "preview_of"]);
  }
});

test("pages say what the sample on them is of, also the page of a 402 for another subject", async () => {
  const known = collectValues();
  for (const product of listProducts()) {
    const { params } = product.previewRequests()[0];
    if (Object.keys(params).length === 0) continue;
    const call = createCall(node.url, product.definition, findOther(product, known) ?? {});
    const own = new Request(`${node.url}/p${product.path}`);
    for (const request of product.methods.includes("GET") ? [own, call] : [own]) {
      request.headers.set("accept", "text/html");
      const text = await (await fetch(request)).text();
      // A parameter "lang" turns the page Portuguese as well.
      const told = [...text.matchAll(/(?:Sample of|Amostra de) <code>([^<]*)<\/code>/g)].map(([, line = ""]) =>
        decodeHTML(line),
      );
      expect([product.path, told[0]]).toEqual([product.path, describeParams(params)]);
    }
  }
});

test("the kept preview is found by its own parameters", async () => {
  for (const product of listProducts()) {
    for (const { params } of product.previewRequests()) {
      const { status, text } = await preview(product, params);
      expect([product.path, params, status]).toEqual([product.path, params, 200]);
      if (!product.definition.form) expect(JSON.parse(text)).toMatchObject({ preview_of: params });
    }
  }
});

test("samples at a glance say of each what it is of", async () => {
  const read = async (path: string): Promise<Json> => (await (await fetch(`${node.url}${path}`)).json()) as Json;
  const { items } = (await read("/try")) as { items: Json[] };
  for (const item of items) expect([item.product, Object.keys(item)[0]]).toEqual([item.product, "preview_of"]);
  for (const one of Object.values(await read("/sample"))) {
    if (typeof one === "object" && one !== null && "delayed" in one) expect(Object.keys(one)[0]).toBe("preview_of");
  }
});

/** Samples that a look goes through here; each weighs the same. */
const SAMPLES = 8;
/** As many are worth one call that brought nothing. */
const SAMPLES_PER_UNIT = 100;

describe("a look back by POST /watch/preview", () => {
  let looks: LookBacks;
  beforeAll(() => {
    looks = openLookBacks(node);
  });
  afterAll(() => looks.close());

  test.each(WATCHABLE.map((product) => [product.path, product] as const))(
    "weighs a hundredth of a call for each sample of %s, and holds the thread for none of them for long",
    async (_, product) => {
      let best_ms = Number.POSITIVE_INFINITY;
      for (let n = 0; n < HELD_TRIES_MAX && best_ms >= HELD_MS_MAX; n += 1) {
        const { longest_ms, units, ...seen } = await looks.look(product, SAMPLES);
        expect(seen).toEqual({ status: 200, samples: SAMPLES });
        expect(units).toBeCloseTo(SAMPLES / SAMPLES_PER_UNIT, 6);
        best_ms = Math.min(best_ms, longest_ms);
      }
      expect(best_ms).toBeLessThan(HELD_MS_MAX);
    },
  );
});
