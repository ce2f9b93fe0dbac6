import { describe, expect, test } from "bun:test";
import { createTestModel } from "../../test/helpers/surface-model.ts";
import { createCatalog } from "../catalog/catalog.ts";
import { trusted } from "../pages/html.ts";
import { NO_FACTS, type ProductFacts } from "../pages/product/facts.ts";
import { wordsOf } from "../pages/words.ts";
import { registry } from "../plugins/registry.gen.ts";
import { chooseWords } from "./language.ts";
import { createPaymentPage } from "./page-routes.ts";

const model = createTestModel();
const [product] = createCatalog({
  plugins: registry,
  prices: {},
  preview_delay_ms: 0,
  reserved_paths: [],
  whyNot: () => null,
}).products.filter(({ id }) => id === "correlation-matrix");
if (!product) throw new Error("no product to show");

const about = { request_id: "req_1", refusal: null, words: wordsOf("en") };

describe("the page of a 402", () => {
  test("shows the charts there are now, and comes whole without any", async () => {
    let facts: ProductFacts = { ...NO_FACTS, now_ms: 0, charts: trusted("<figure>AAA</figure>") };
    const page = createPaymentPage({ model: () => model, readProduct: async () => facts });
    expect(await page.render(product, about)).toContain("<figure>AAA");
    facts = { ...facts, charts: "" };
    const text = await page.render(product, about);
    expect(text).not.toContain("<figure");
    expect(text).toContain("Payment required");
    expect(text).toContain("req_1");
  });
});

describe("the reader's language", () => {
  test.each([
    ["", null, "en"],
    ["", "pt-BR,pt;q=0.9,en;q=0.8", "pt-BR"],
    ["", "en-US,en;q=0.9,pt;q=0.8", "en"],
    ["", "de-DE,de", "en"],
    ["", "pt", "pt-BR"],
    ["lang=pt-BR", "en", "pt-BR"],
    ["q=gas&lang=en", "pt-BR", "en"],
    ["lang=xx", "pt-BR", "pt-BR"],
    ["", "pt;".repeat(500), "en"],
  ] as const)("of %p with %p is %p", (search, header, language) => {
    expect(chooseWords(search, header).language).toBe(language);
  });
});
