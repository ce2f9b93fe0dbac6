import MiniSearch, { type SearchOptions } from "minisearch";
import { meaningOf, namesIn, STOP_WORDS, stemOf, wordsOf } from "./search-words.ts";
import type { SurfaceModel, SurfaceProduct } from "./types.ts";

/** Finds products by words, best first. */
export interface ProductSearch {
  /** All that match any word. */
  find(query: string, limit: number): readonly SurfaceProduct[];
  /** Those that match nearly as well as the best one does. */
  findBest(query: string): readonly SurfaceProduct[];
}

const QUERY_WORDS_MAX = 20;
/** Of the best score: what has less is not shown to people. */
const CLOSE_SHARE = 0.3;
/** From so many letters on, the beginning of a word is enough; from more, one wrong letter is forgiven. */
const PREFIX_LETTERS_MIN = 3;
const FUZZY_LETTERS_MIN = 6;
/** What it is worth that a question has every word of a name or phrase of the product, per rarity of its words. */
const PHRASE_WEIGHT = 6;

/** A word as it is indexed: first itself, then what it means. */
function termsOf(word: string): readonly string[] {
  const [term, meaning] = [stemOf(word), meaningOf(word)];
  return meaning === term ? [term] : [term, `=${meaning}`];
}

/** A question's word is looked for as itself and as everything that means the same. */
const askedTerms = (word: string): readonly string[] => [
  ...new Set([stemOf(word), meaningOf(word), `=${meaningOf(word)}`]),
];

/** The values that a call may have, as far as the definition names them. */
function valuesOf({ params, example, previews_of }: SurfaceProduct): string {
  const schemas = Object.values(params.properties).flatMap((schema) => [schema, ...(schema.anyOf ?? [])]);
  const named = schemas.flatMap((schema) => [schema.const, schema.default, ...(schema.enum ?? [])]);
  const shown = [example.params, ...previews_of].flatMap((given) => Object.values(given));
  return [...named, ...shown].filter((value) => typeof value === "string").join(" ");
}

const FIELDS = {
  name: ({ id, title, aliases = [] }: SurfaceProduct) => [id, title, ...aliases].join(" "),
  search: ({ search = [] }: SurfaceProduct) => search.join(" "),
  tags: ({ tags, category }: SurfaceProduct) => [...tags, category].join(" "),
  values: valuesOf,
  params: ({ params }: SurfaceProduct) =>
    Object.entries(params.properties)
      .map(([name, { description = "" }]) => `${name} ${description}`)
      .join(" "),
  description: ({ description }: SurfaceProduct) => description,
} as const;
const WEIGHTS = { name: 4, search: 4, tags: 3, values: 3, params: 1, description: 1 } as const;

type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as readonly Field[];

/** Words that distinguish a question from others; all of its words if it has no such word. */
function tellingWords(text: string): readonly string[] {
  const words = [...new Set([...wordsOf(text), ...namesIn(text)])];
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

const meaningsOf = (text: string): ReadonlySet<string> => new Set(tellingWords(text).map(meaningOf));

/** How rare each meaning is among the products: what all have says nothing. */
function createRarity(products: readonly SurfaceProduct[]): (meaning: string) => number {
  const counts = new Map<string, number>();
  for (const product of products) {
    const text = NAMES.map((name) => FIELDS[name](product)).join(" ");
    for (const meaning of new Set(wordsOf(text).map(meaningOf))) counts.set(meaning, (counts.get(meaning) ?? 0) + 1);
  }
  return (meaning) => {
    const count = counts.get(meaning) ?? 0;
    return Math.log(1 + (products.length - count + 0.5) / (count + 0.5));
  };
}

/** What a question is worth that is a name of the product and nothing else. */
const NAME_SCORE = 1_000;
const textOf = (text: string): string => wordsOf(text).join(" ");

/** What it is called, as `textOf` writes it. */
const namesOf = ({ id, title, aliases = [] }: SurfaceProduct): ReadonlySet<string> =>
  new Set([id, title, ...aliases].map(textOf));

/** Names, aliases and phrases of a product, each as the meanings that a question must have. */
const phrasesOf = ({ id, title, aliases = [], search = [] }: SurfaceProduct) =>
  [id, title, ...aliases, ...search].map(meaningsOf).filter(({ size }) => size > 0);

/**
 * The one index of the catalog, behind every door and page that finds products by words: names, older names, phrases
 * that the definition lists, tags, parameters with their values, and descriptions, in English and Portuguese, by stems
 * and without accents. BM25+ (Lv & Zhai, "Lower-bounding term frequency normalization", CIKM 2011, as MiniSearch has
 * it), and more for a name or phrase whose words the question has all. What scores the same stays in the order of the
 * catalog: the same question always gets the same answer.
 */
export function createProductSearch({ products }: Pick<SurfaceModel, "products">): ProductSearch {
  const index = new MiniSearch<{ readonly id: number; readonly product: SurfaceProduct }>({
    fields: [...NAMES],
    extractField: ({ id, product }, name) => (name === "id" ? String(id) : FIELDS[name as Field](product)),
    tokenize: (text) => wordsOf(text).flatMap(termsOf),
    processTerm: (term) => term,
  });
  index.addAll(products.map((product, id) => ({ id, product })));
  const rarityOf = createRarity(products);
  const phrases = products.map(phrasesOf);
  const names = products.map(namesOf);

  /** Score of every product that has the word, by place in the catalog; of beginnings and near misses if none has. */
  const scoreWord = (word: string): ReadonlyMap<number, number> => {
    const look = (terms: readonly string[], more: SearchOptions = {}) =>
      index.search(terms.join(" "), { tokenize: (text) => text.split(" "), boost: { ...WEIGHTS }, ...more });
    const exact = look(askedTerms(word));
    const found =
      exact.length > 0
        ? exact
        : look([stemOf(word)], {
            prefix: (term) => term.length >= PREFIX_LETTERS_MIN,
            fuzzy: (term) => (term.length >= FUZZY_LETTERS_MIN ? 1 : false),
          });
    return new Map(found.map(({ id, score }) => [Number(id), score]));
  };

  const scorePhrases = (place: number, asked: ReadonlySet<string>): number => {
    const whole = (phrases[place] ?? []).filter((phrase) => phrase.isSubsetOf(asked));
    const scores = whole.map((phrase) => [...phrase].reduce((sum, meaning) => sum + rarityOf(meaning), 0));
    return PHRASE_WEIGHT * Math.max(0, ...scores);
  };

  const rate = (query: string) => {
    const words = tellingWords(query).slice(0, QUERY_WORDS_MAX);
    const asked = new Set(words.map(meaningOf));
    const name = textOf(query);
    const found = words
      .map((word) => ({ rarity: rarityOf(meaningOf(word)), scores: scoreWord(word) }))
      .filter(({ scores }) => scores.size > 0);
    const sumRarity = (of: typeof found) => of.reduce((sum, { rarity }) => sum + rarity, 0);
    const rarity_all = sumRarity(found);
    const rated = products.flatMap((product, place) => {
      const own = found.filter(({ scores }) => scores.has(place));
      if (own.length === 0) return [];
      const score = own.reduce((sum, { scores }) => sum + (scores.get(place) ?? 0), scorePhrases(place, asked));
      // "bitcoin dominance" is no question about bitcoin: what lacks the rarer word is worth little.
      const total = score * (sumRarity(own) / rarity_all) ** 2 + (names[place]?.has(name) ? NAME_SCORE : 0);
      return [{ product, place, total }];
    });
    return rated.sort((a, b) => b.total - a.total || a.place - b.place);
  };

  return {
    find: (query, limit) =>
      rate(query)
        .slice(0, limit)
        .map(({ product }) => product),
    findBest(query) {
      const rated = rate(query);
      // A product that is called by its name leaves room for others that match its words.
      const total_max = Math.max(0, ...rated.map(({ total }) => total % NAME_SCORE));
      return rated.filter(({ total }) => total >= CLOSE_SHARE * total_max).map(({ product }) => product);
    },
  };
}

const made = new WeakMap<SurfaceModel["products"], ProductSearch>();

/** The index of a model's catalog, made once and with the first question. */
export function productSearchOf({ products }: Pick<SurfaceModel, "products">): ProductSearch {
  const search = made.get(products) ?? createProductSearch({ products });
  made.set(products, search);
  return search;
}
