import { expect, test } from "bun:test";
import { createTestModel } from "../../test/helpers/surface-model.ts";
import { findBestAnswers, QUESTIONS, renderBestFor } from "./best-for.ts";
import { renderHtml } from "./html.ts";
import type { RowFacts } from "./row-facts.ts";
import { ENGLISH, wordsOf } from "./words.ts";

const model = createTestModel();
/** The answers of a person who knows the products. */
const EXPECTED = [
  "/regime",
  "/launch-risk",
  "/mempool",
  "/forex-rate",
  "/portfolio-stress",
  "/br-curve",
  "/defi-yield",
  "/sanctions",
  "/global-morning-brief",
  "/macro-calendar",
];

test("every question finds the product that answers it, in English and in Portuguese", () => {
  for (const words of [ENGLISH, wordsOf("pt-BR")]) {
    const answers = findBestAnswers(model, words);
    expect(answers.map(({ question, product }) => `${question} ${product.path}`)).toEqual(
      QUESTIONS.map((question, index) => `${question} ${EXPECTED[index]}`),
    );
  }
});

test("a question that no product on sale answers is not shown", () => {
  expect(findBestAnswers({ products: [] }, ENGLISH)).toEqual([]);
  expect(renderHtml(renderBestFor({ ...model, products: [] }, new Map(), ENGLISH))).toBe("");
});

test("a figure is shown beside a question only if it does not belong to one subject", () => {
  const figure = { name: "", value: "<bear>", is_bare: false };
  const row: RowFacts = { subject: "", has_params: false, figure, age_s: 60, line: [], line_title: "" };
  const rows = new Map([
    ["regime", row],
    ["forex-rate", { ...row, has_params: true, figure: { ...figure, value: "1.12" } }],
  ]);
  const shown = renderHtml(renderBestFor(model, rows, ENGLISH));
  expect(shown).toContain("&lt;bear&gt;");
  expect(shown).not.toContain("1.12");
});
