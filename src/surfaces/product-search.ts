import MiniSearch, { type SearchOptions } from "minisearch";
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

/** Words of a question that say nothing of a product; a title of nothing else is still found, by its other fields. */
const STOP_WORDS = new Set(
  "a an and are at be by do for from get give how i in is it me my now of on or show tell the to what which with".split(
    " ",
  ),
);

/**
 * What buyers call a thing, by what the catalog calls it: each word of a line stands for all words of that line. Only
 * of words that mean the same wherever they stand in this trade.
 */
const SAME_MEANING: readonly (readonly string[])[] = [
  ["fee", "gas", "feerate"],
  ["bitcoin", "btc"],
  ["ethereum", "eth"],
  ["solana", "sol"],
  ["price", "quote", "rate"],
  ["signal", "sinais", "sinal"],
  ["trading", "trade"],
  ["forex", "fx", "currency", "currencies", "cambio"],
  ["stock", "equity", "equities", "share", "acoes", "acao"],
  ["news", "headline", "noticias"],
  ["scam", "rug", "honeypot", "rugpull"],
  ["wallet", "address", "carteira"],
  ["sanction", "ofac", "aml"],
  ["memecoin", "meme", "pump"],
  ["yield", "apy", "staking", "apr"],
  ["brazil", "brasil", "brazilian", "brasileiro", "b3"],
  ["selic", "juros", "di"],
  ["inflation", "ipca", "inflacao"],
  ["swap", "dex"],
  ["whale", "transfer"],
  ["mood", "sentiment", "fear", "greed"],
  ["filing", "sec", "10k", "8k"],
  ["oracle", "pyth", "chainlink"],
  ["earning", "eps"],
  ["correlation", "covariance"],
  ["calendar", "schedule", "release"],
  ["portfolio", "allocation"],
  ["research", "report", "dossier", "relatorio"],
];

/** "signals" and "signal" are one word. English plurals only: nothing that could join different words. */
function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

const MEANINGS: ReadonlyMap<string, string> = new Map(
  SAME_MEANING.flatMap(([first = "", ...others]) =>
    [first, ...others].map((word): [string, string] => [singular(word), singular(first)]),
  ),
);

/** Without accents, so that "relatório" finds "/relatorio". */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? [];

/** The word as it is indexed: first itself, then what it means. */
function termsOf(word: string): readonly string[] {
  const term = singular(word);
  const meaning = MEANINGS.get(term);
  return meaning === undefined || meaning === term ? [term] : [term, `=${meaning}`];
}

/** A question's word is looked for as itself and as everything that means the same. */
function askedTerms(word: string): readonly string[] {
  const term = singular(word);
  const meaning = MEANINGS.get(term);
  return meaning === undefined ? [term] : [...new Set([term, meaning, `=${meaning}`])];
}

const FIELDS = {
  name: ({ id, title }: SurfaceProduct) => `${id} ${title}`,
  tags: ({ tags, category }: SurfaceProduct) => [...tags, category].join(" "),
  params: ({ params }: SurfaceProduct) => Object.keys(params.properties).join(" "),
  description: ({ description }: SurfaceProduct) => description,
} as const;
const WEIGHTS = { name: 5, tags: 3, params: 1, description: 1 } as const;

type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as readonly Field[];

/**
 * The one index of the catalog: the search of the MCP door, of the first page and of its JSON. BM25+ over names, tags,
 * parameters and descriptions (Lv & Zhai, "Lower-bounding term frequency normalization", CIKM 2011, as MiniSearch has
 * it). More matched words of the question come first, then the higher score, then the order of the catalog: the same
 * question always gets the same answer.
 */
export function createProductSearch({ products }: Pick<SurfaceModel, "products">): ProductSearch {
  const index = new MiniSearch<{ readonly id: number; readonly product: SurfaceProduct }>({
    fields: [...NAMES],
    extractField: ({ id, product }, name) => (name === "id" ? String(id) : FIELDS[name as Field](product)),
    tokenize: (text) => wordsOf(text).flatMap(termsOf),
    processTerm: (term) => term,
  });
  index.addAll(products.map((product, id) => ({ id, product })));

  /** Score of every product that has the word, by place in the catalog; of beginnings and near misses if none has. */
  const scoreWord = (word: string): ReadonlyMap<number, number> => {
    const look = (terms: readonly string[], more: SearchOptions = {}) =>
      index.search(terms.join(" "), { tokenize: (text) => text.split(" "), boost: { ...WEIGHTS }, ...more });
    const exact = look(askedTerms(word));
    const found =
      exact.length > 0
        ? exact
        : look([singular(word)], {
            prefix: (term) => term.length >= PREFIX_LETTERS_MIN,
            fuzzy: (term) => (term.length >= FUZZY_LETTERS_MIN ? 1 : false),
          });
    return new Map(found.map(({ id, score }) => [Number(id), score]));
  };

  const rate = (query: string) => {
    const asked = [...new Set(wordsOf(query))].slice(0, QUERY_WORDS_MAX);
    const telling = asked.filter((word) => !STOP_WORDS.has(word));
    const scores = (telling.length > 0 ? telling : asked).map(scoreWord);
    const rated = products.flatMap((product, place) => {
      const own = scores.flatMap((of) => of.get(place) ?? []);
      return own.length === 0 ? [] : [{ product, place, matched: own.length, total: own.reduce((a, b) => a + b, 0) }];
    });
    return rated.sort((a, b) => b.matched - a.matched || b.total - a.total || a.place - b.place);
  };

  return {
    find: (query, limit) =>
      rate(query)
        .slice(0, limit)
        .map(({ product }) => product),
    findBest(query) {
      const rated = rate(query);
      const total_max = Math.max(0, ...rated.map(({ total }) => total));
      return rated.filter(({ total }) => total >= CLOSE_SHARE * total_max).map(({ product }) => product);
    },
  };
}
