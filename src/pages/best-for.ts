import { productPagePath } from "../surfaces/docs-path.ts";
import { productSearchOf } from "../surfaces/product-search.ts";
import type { SurfaceModel, SurfaceProduct } from "../surfaces/types.ts";
import type { Language } from "./formats.ts";
import { type Html, html } from "./html.ts";
import { renderAge, renderFirst } from "./parts.ts";
import { productTexts } from "./product/texts.ts";
import type { RowFacts } from "./row-facts.ts";
import type { Phrase, Words } from "./words.ts";

/** Questions in people's words. The search finds the product for each, which is therefore on sale. */
export const QUESTIONS: readonly Phrase[] = [
  "Is the crypto market bull or bear?",
  "Is this token a scam?",
  "What does a bitcoin transaction cost now?",
  "What is the dollar worth in reais?",
  "How much can my portfolio lose?",
  "What does the yield curve of Brazil say?",
  "What does USDC earn in DeFi?",
  "Is this wallet sanctioned?",
  "What moved the markets overnight?",
  "Which economic data come out this week?",
];

/** A question and the product that answers it best. */
export interface BestAnswer {
  readonly question: Phrase;
  readonly product: SurfaceProduct;
}

const found = new WeakMap<SurfaceModel["products"], Map<Language, readonly BestAnswer[]>>();

/** The questions that a product on sale answers, in the reader's language; computed once per catalog. */
export function findBestAnswers({ products }: Pick<SurfaceModel, "products">, words: Words): readonly BestAnswer[] {
  const by_language = found.get(products) ?? new Map<Language, readonly BestAnswer[]>();
  found.set(products, by_language);
  const search = productSearchOf({ products });
  const known =
    by_language.get(words.language) ??
    QUESTIONS.flatMap((question) => {
      const [product] = search.findBest(words.say(question)).filter(({ plan }) => plan === null);
      return product ? [{ question, product }] : [];
    });
  by_language.set(words.language, known);
  return known;
}

/** The newest free figure, unless it depends on parameters, because the question may mean others. */
const renderFigure = (row: RowFacts | undefined): Html =>
  row?.figure && !row.has_params
    ? html` · <strong>${row.figure.value}</strong> <span class="soft">${renderAge(row.age_s)}</span>`
    : html``;

/** Questions visible on a phone without opening a fold. */
const ANSWERS_SEEN = 3;

/** The questions with their products and the newest free figures. */
export function renderBestFor(model: SurfaceModel, rows: ReadonlyMap<string, RowFacts>, words: Words): Html {
  const answers = findBestAnswers(model, words);
  if (answers.length === 0) return html``;
  const render = (some: readonly BestAnswer[]): Html =>
    html`<ul class="best" aria-label="${words.say("Best for a question")}">${some.map(
      ({ question, product }) => html`<li><a href="${productPagePath(product)}">${words.say(question)}</a><span
class="small">${productTexts(product, words).shown.title}${renderFigure(rows.get(product.id))}</span></li>`,
    )}</ul>`;
  return html`<div class="best-for">${renderFirst(answers, { seen: ANSWERS_SEEN, words, render })}</div>`;
}

/** The product that answers a search made without script. */
export function renderBestOne(product: SurfaceProduct, row: RowFacts | undefined, words: Words): Html {
  return html`<p class="best-one">${words.say("Best for this")}: <a href="${productPagePath(product)}">${
    productTexts(product, words).shown.title
  }</a>${renderFigure(row)}</p>`;
}
