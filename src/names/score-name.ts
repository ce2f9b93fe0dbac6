import type { NameWords, Search, Word } from "./candidates.ts";
import type { AlignedWords } from "./types.ts";

export interface NameScore {
  /** From 0 to 1. */
  readonly score: number;
  readonly aligned: readonly AlignedWords[];
  /** Whether both have the same words, in any order, or the same letters in the same order. */
  readonly is_exact: boolean;
}

interface QueryWord extends Word {
  readonly similar: ReadonlyMap<number, number>;
}

interface Pair {
  readonly query: number;
  readonly listed: number;
  readonly similarity: number;
}

/** Pairs words off, the most alike first; each word is used once. */
function align(query: readonly QueryWord[], listed: readonly Word[]): readonly Pair[] {
  const pairs: Pair[] = [];
  query.forEach(({ similar }, query_index) => {
    listed.forEach(({ id }, listed_index) => {
      const similarity = similar.get(id);
      if (similarity !== undefined) pairs.push({ query: query_index, listed: listed_index, similarity });
    });
  });
  pairs.sort((a, b) => b.similarity - a.similarity);
  const used = { query: new Set<number>(), listed: new Set<number>() };
  return pairs.filter((pair) => {
    if (used.query.has(pair.query) || used.listed.has(pair.listed)) return false;
    used.query.add(pair.query);
    used.listed.add(pair.listed);
    return true;
  });
}

function scoreWords(query: readonly QueryWord[], listed: readonly Word[]): Omit<NameScore, "is_exact"> {
  const pairs = align(query, listed);
  const partner = new Map(pairs.map((pair) => [pair.query, pair]));
  let [query_found, query_all, listed_found, listed_all] = [0, 0, 0, 0];
  query.forEach((word, index) => {
    const pair = partner.get(index);
    const like = pair && listed[pair.listed];
    const weight = word.id < 0 && like ? like.weight : word.weight;
    query_all += weight;
    query_found += (pair?.similarity ?? 0) * weight;
  });
  const by_listed = new Map(pairs.map((pair) => [pair.listed, pair.similarity]));
  listed.forEach(({ weight }, index) => {
    listed_all += weight;
    listed_found += (by_listed.get(index) ?? 0) * weight;
  });
  const aligned = pairs.map((pair) => ({
    query: query[pair.query]?.text ?? "",
    listed: listed[pair.listed]?.text ?? "",
    similarity: pair.similarity,
  }));
  return { score: (0.75 * query_found) / query_all + (0.25 * listed_found) / listed_all, aligned };
}

/**
 * The words with some neighbours joined: those that are more like something on the other side than each alone, the
 * most alike first, each word once.
 */
function joinKnown<T extends Word>(
  words: readonly T[],
  pairs: readonly T[],
  similarityOf: (word: T) => number,
): readonly T[] {
  const values = words.map(similarityOf);
  const known = pairs
    .map((pair, index) => ({ pair, index, value: similarityOf(pair) }))
    .filter(({ index, value }) => value > (values[index] ?? 0) && value > (values[index + 1] ?? 0))
    .sort((a, b) => b.value - a.value);
  const used = new Set<number>();
  const joined = new Map<number, T>();
  for (const { pair, index } of known) {
    if (used.has(index) || used.has(index + 1)) continue;
    used.add(index).add(index + 1);
    joined.set(index, pair);
  }
  return words.flatMap((word, index) => joined.get(index) ?? (used.has(index) ? [] : [word]));
}

const sameWords = (query: readonly Word[], listed: readonly Word[]): boolean => {
  if (query.length === listed.length) {
    const sorted = listed.map(({ text }) => text).sort();
    if (
      query
        .map(({ text }) => text)
        .sort()
        .every((text, index) => text === sorted[index])
    )
      return true;
  }
  return query.map(({ text }) => text).join("") === listed.map(({ text }) => text).join("");
};

/** Scores one name, its words as they stand and with neighbours joined on either side; the best way counts. */
export function scoreName(search: Search, name: NameWords): NameScore {
  const words = search.words.map(
    (word, index): QueryWord => ({ ...word, similar: search.similar[index] ?? new Map() }),
  );
  const pairs = search.pairs.map(
    (word, index): QueryWord => ({ ...word, similar: search.similar[search.words.length + index] ?? new Map() }),
  );
  const is_exact = sameWords(search.words, name.words);
  const plain = scoreWords(words, name.words);
  if (is_exact) return { ...plain, score: 1, is_exact };
  const [own, others] = [
    [...words, ...pairs],
    [...name.words, ...name.pairs],
  ];
  const bestOf = (values: readonly (number | undefined)[]): number => Math.max(0, ...values.map((value) => value ?? 0));
  const listed_joined = joinKnown(name.words, name.pairs, ({ id }) =>
    bestOf(own.map(({ similar }) => similar.get(id))),
  );
  const query_joined = joinKnown(words, pairs, ({ similar }) => bestOf(others.map(({ id }) => similar.get(id))));
  const ways = [plain];
  const [is_listed, is_query] = [listed_joined.length < name.words.length, query_joined.length < words.length];
  if (is_listed) ways.push(scoreWords(words, listed_joined));
  if (is_query) ways.push(scoreWords(query_joined, name.words));
  if (is_listed && is_query) ways.push(scoreWords(query_joined, listed_joined));
  const best = ways.reduce((a, b) => (b.score > a.score ? b : a));
  return { ...best, is_exact };
}
