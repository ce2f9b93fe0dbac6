import { expect, test } from "bun:test";
import { createTestModel } from "../../../test/helpers/surface-model.ts";
import { listWatchable } from "../../catalog/schema-fields.ts";
import { renderHtml } from "../html.ts";
import { ENGLISH, wordsOf } from "../words.ts";
import { renderWatchThis } from "./watch-this.ts";

const model = createTestModel();
const TERMS = { idle_usd: "0.002", every: "1h", budget_usd: "2" };
const productAt = (path: string) => {
  const product = model.products.find((one) => one.path === path);
  if (!product) throw new Error(`${path} is not sold`);
  return { ...product, watch: TERMS };
};
const readEntities = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&");
const orderIn = (text: string): unknown =>
  JSON.parse(readEntities(text).match(/-d '(\{[\s\S]*\})'<\/code>/)?.[1] ?? "null");

test("without script the complete order is shown, with the first field of the answer", () => {
  const text = renderHtml(renderWatchThis(model, productAt("/regime"), ENGLISH));
  expect(orderIn(text)).toEqual({
    product: "/regime",
    condition: { field: "regime", op: "changed" },
    every: "1h",
    budget_usd: "2",
  });
  expect(text).toContain("hidden>");
  expect(text).toContain("$0.002 when it does not");
});

test("required parameters of the product are in the order", () => {
  const product = { ...productAt("/regime"), previews_of: [{ symbol: "it's" }] as const };
  const text = renderHtml(renderWatchThis(model, product, ENGLISH));
  // A POSIX shell reads '\'' as one quote.
  expect(readEntities(text)).toContain(`"symbol": "it'\\''s"`);
});

test("every field that a condition can use may be chosen, in Portuguese too", () => {
  const product = productAt("/regime");
  const text = renderHtml(renderWatchThis(model, product, wordsOf("pt-BR")));
  for (const { path } of listWatchable(product.data)) expect(text).toContain(`<option value="${path}"`);
  expect(readEntities(text)).toContain('data-choices="["bull","bear","chop"]"');
  expect(text).toContain("Vigiar isto");
});

test("a product that cannot be watched has no such part", () => {
  expect(renderHtml(renderWatchThis(model, { ...productAt("/regime"), watch: null }, ENGLISH))).toBe("");
});
