import type { SurfaceModel, SurfaceProduct } from "../../surfaces/types.ts";

/** A product with its words, worked out once per catalog load. */
interface Indexed {
  readonly product: SurfaceProduct;
  readonly fields: readonly { readonly words: ReadonlySet<string>; readonly weight: number }[];
}

const QUERY_WORDS_MAX = 20;
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

const index = (product: SurfaceProduct): Indexed => {
  const field = (weight: number, ...texts: readonly string[]) => ({
    weight,
    words: new Set(texts.flatMap(wordsOf)),
  });
  const { id, title, tags, category, description, params } = product;
  return {
    product,
    fields: [
      field(8, id, title),
      field(6, ...tags),
      field(5, category),
      field(3, ...Object.keys(params.properties)),
      field(2, description),
    ],
  };
};

/** A whole word counts fully, the beginning of one half. */
function score({ fields }: Indexed, word: string): number {
  let total = 0;
  for (const { words, weight } of fields) {
    if (words.has(word)) total += weight;
    else if (word.length >= 3 && [...words].some((one) => one.startsWith(word))) total += weight / 2;
  }
  return total;
}

/**
 * Finds products by words. The same words always give the same order: more matched words first, then higher weight,
 * then catalog order.
 */
export function createProductSearch({ products }: SurfaceModel): (query: string, limit: number) => unknown[] {
  const indexed = products.map(index);
  return (query, limit) => {
    const words = [...new Set(wordsOf(query))].slice(0, QUERY_WORDS_MAX);
    const rated = indexed.flatMap((one, position) => {
      const scores = words.map((word) => score(one, word));
      const matched = scores.filter((value) => value > 0).length;
      const total = scores.reduce((sum, value) => sum + value, 0);
      return matched === 0 ? [] : [{ one, position, matched, total }];
    });
    rated.sort((a, b) => b.matched - a.matched || b.total - a.total || a.position - b.position);
    return rated.slice(0, limit).map(({ one: { product } }) => ({
      tool: product.skill_id,
      title: product.title,
      description: product.description,
      path: product.path,
      price_usd: product.price_usd,
      category: product.category,
      tags: product.tags,
      parameters: Object.keys(product.params.properties),
    }));
  };
}
