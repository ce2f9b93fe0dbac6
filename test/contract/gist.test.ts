import { describe, expect, test } from "bun:test";
import { listGistFaults } from "../../src/catalog/check-gist.ts";
import { tellGist } from "../../src/catalog/gist.ts";
import type { AnyProduct } from "../../src/catalog/product.ts";
import type { ProductPath } from "../../src/catalog/product-path.ts";
import { TOLD_LANGUAGES } from "../../src/grounding/teller.ts";
import { registry } from "../../src/plugins/registry.gen.ts";

/** Whose answers stand in nobody's envelope have no place for a sentence; a plan's answer is a key. */
const PRODUCTS: readonly AnyProduct[] = registry.flatMap(({ products }) =>
  products.flatMap(({ product }: { readonly product: AnyProduct }) =>
    product.form === undefined && product.plan === undefined ? [product] : [],
  ),
);
/** Products that have no sentence yet. The list only ever gets shorter. */
const NOT_YET: readonly ProductPath[] = [];

const TOLD = PRODUCTS.filter(({ path }) => !NOT_YET.includes(path));
const CASES = TOLD.flatMap((product) => TOLD_LANGUAGES.map((lang) => [product.path, lang, product] as const));
const HOLES = /null|undefined|NaN|\[object/;

type Json = Readonly<Record<string, unknown>>;

/** Copies of a value of which one member each is missing, or one list empty. */
function* withoutOne(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    yield [];
    // All entries of a list have the same members.
    for (const changed of withoutOne(value[0])) yield [changed, ...value.slice(1)];
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, one] of Object.entries(value as Json)) {
    yield { ...value, [name]: null };
    for (const changed of withoutOne(one)) yield { ...value, [name]: changed };
  }
}

describe("the sentence and the headline of every product", () => {
  test("are there", () => {
    const silent = PRODUCTS.filter(({ gist }) => gist === undefined).map(({ path }) => path);
    expect(silent).toEqual([...NOT_YET]);
  });

  test.each(CASES)("%s, %s: one grounded sentence of its example, and a figure of it", (_, lang, product) => {
    expect(listGistFaults(product, { ...product.example, lang })).toEqual([]);
  });

  test.each(CASES)("%s, %s: says nothing of what is missing", (_, lang, product) => {
    const { as_of, data } = product.example;
    for (const changed of withoutOne(data)) {
      const told = tellGist(product, { data: changed, as_of, lang });
      const { text = "", headline = null } = told ?? {};
      const said = [text, headline?.unit ?? "", headline?.sense ?? ""].join(" ");
      expect(said).not.toMatch(HOLES);
      expect(text.length).toBeGreaterThan(0);
      expect(text).not.toMatch(/ {2}| [,.;]/);
    }
  });

  test.each(TOLD.map((product) => [product.path, product] as const))("%s: the two languages differ", (_, product) => {
    const [english, portuguese] = TOLD_LANGUAGES.map((lang) => tellGist(product, { ...product.example, lang })?.text);
    expect(english).not.toBe(portuguese ?? "");
  });

  test.each(TOLD.flatMap((product) => (product.preview.redact ? [[product.path, product] as const] : [])))(
    "%s: a preview tells no more than it shows",
    (_, product) => {
      const { as_of, data } = product.example;
      const shown: unknown = product.preview.redact?.(data);
      const faults = TOLD_LANGUAGES.flatMap((lang) => listGistFaults(product, { data: shown, as_of, lang }));
      // What is withheld leaves out the sentence or a part of it; it never leaves a figure that is not shown.
      expect(faults.filter((fault) => !/missing|no figure/.test(fault))).toEqual([]);
    },
  );
});
