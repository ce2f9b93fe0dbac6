import { consonantsOf, type NormalName } from "./normalize-name.ts";
import type { NameSteps } from "./steps.ts";
import { createTally } from "./tally.ts";
import { buildVocabulary, type Vocabulary } from "./vocabulary.ts";

/** A word of a name, or two that stand side by side, read as one. */
export interface Word {
  readonly text: string;
  /** Its number; words of the vocabulary from 0 up, unknown ones of a query from -1 down. */
  readonly id: number;
  readonly weight: number;
}

/** A query that was looked up. */
export interface Search {
  /** Numbers of the names that may reach the threshold. */
  readonly names: readonly number[];
  readonly words: readonly Word[];
  /** Neighbours read as one: pairs[i] joins words i and i + 1. */
  readonly pairs: readonly Word[];
  /** Per word of the query, then per pair: which words of the vocabulary it is like, and how much. */
  readonly similar: readonly ReadonlyMap<number, number>[];
}

/** The words of one name, and its neighbours read as one. */
export interface NameWords {
  readonly words: readonly Word[];
  readonly pairs: readonly Word[];
}

export interface Candidates {
  search(query: NormalName, threshold: number): Search;
  wordsOf(name: number): NameWords;
}

const LEAST = 0.85;
/** One word alone says little, so it must be nearly right. */
const LEAST_ALONE = 0.92;
/** Two words joined are compared more strictly: there are twice as many to be mistaken for. */
const LEAST_JOINED = 0.93;
const JOINED_COMPARED_FROM = 6;
/** Shorter ones must be equal. */
const leastJoined = (text: string): number => (text.length < JOINED_COMPARED_FROM ? 1 : LEAST_JOINED);
/** What equal consonants are worth: many names share them. */
const CONSONANTS_SIMILARITY = 0.9;
const CONSONANTS_MIN = 2;
const ROWS_PER_STEP = 2_000;

const pairsOf = (tokens: readonly string[]): string[] =>
  tokens.slice(1).map((token, index) => `${tokens[index] ?? ""}${token}`);

/** Numbers of names per word, kept in one array. */
function* buildPostings(rows: readonly (readonly number[])[], size: number) {
  const starts = new Uint32Array(size + 1);
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_PER_STEP === 0) yield;
    for (const id of new Set(row)) starts[id + 1] = (starts[id + 1] ?? 0) + 1;
  }
  for (let id = 0; id < size; id++) starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0);
  const next = starts.slice();
  const names = new Uint32Array(starts[size] ?? 0);
  for (const [name, row] of rows.entries()) {
    if (name % ROWS_PER_STEP === 0) yield;
    for (const id of new Set(row)) {
      const place = next[id] ?? 0;
      names[place] = name;
      next[id] = place + 1;
    }
  }
  return {
    count: (id: number): number => (starts[id + 1] ?? 0) - (starts[id] ?? 0),
    of: (id: number): Uint32Array => names.subarray(starts[id], starts[id + 1]),
  };
}

/** Numbers of the words that have the same consonants. */
function* groupByConsonants(
  vocabulary: Vocabulary,
  words: readonly string[],
): NameSteps<ReadonlyMap<string, readonly number[]>> {
  const groups = new Map<string, number[]>();
  let taken = 0;
  for (const word of new Set(words)) {
    taken += 1;
    if (taken % ROWS_PER_STEP === 0) yield;
    const [key, id] = [consonantsOf(word), vocabulary.get(word)];
    if (id === undefined || key.length < CONSONANTS_MIN) continue;
    const group = groups.get(key);
    if (group) group.push(id);
    else groups.set(key, [id]);
  }
  return groups;
}

/** The words that occur in some names, singly or as neighbours read as one, and in which names. */
function* buildWordIndex(rows: readonly (readonly string[])[]) {
  const words = rows.flat();
  yield;
  const vocabulary = yield* buildVocabulary(words);
  yield;
  const ids: number[][] = [];
  for (const row of rows) {
    ids.push(row.map((word) => vocabulary.get(word) ?? 0));
    if (ids.length % ROWS_PER_STEP === 0) yield;
  }
  const postings = yield* buildPostings(ids, vocabulary.size);
  yield;
  return { vocabulary, ids, postings, by_consonants: yield* groupByConsonants(vocabulary, words) };
}

/** Neighbours read as one, which weigh what both weigh. */
const toPairs = (words: readonly Word[], idOf: (index: number) => number): readonly Word[] =>
  words.slice(1).map((word, index) => {
    const before = words[index] ?? word;
    return { text: before.text + word.text, id: idOf(index), weight: before.weight + word.weight };
  });

/** Finds the names that are worth scoring, without looking at the others. */
export function* buildCandidates(names: readonly (readonly string[])[]): NameSteps<Candidates> {
  const singles = yield* buildWordIndex(names);
  yield;
  const joined = yield* buildWordIndex(names.map(pairsOf));
  const tally = createTally(names.length);
  const weightOf = (count: number): number => Math.log(1 + names.length / (1 + count));
  const weightOfSingle = (id: number): number => weightOf(singles.postings.count(id));
  /** Joined words have numbers of their own, past those of the single ones. */
  const toJoined = (id: number): number => singles.vocabulary.size + id;

  /** Words that a word of the query, or two neighbours of it, may be; with their similarity. */
  function findSingles(text: string, least: number, consonants_only: boolean): Map<number, number> {
    const similar = new Map(singles.vocabulary.findSimilar(text, least).map(({ id, similarity }) => [id, similarity]));
    if (!consonants_only) return similar;
    for (const id of singles.by_consonants.get(consonantsOf(text)) ?? []) {
      similar.set(id, Math.max(similar.get(id) ?? 0, CONSONANTS_SIMILARITY));
    }
    return similar;
  }

  /** Neighbours of a name that may be one word of the query, or, in consonants, two. */
  function findJoined(text: string, is_pair: boolean, consonants_only: boolean): ReadonlyMap<number, number> {
    const similar = new Map<number, number>();
    if (consonants_only) {
      for (const id of joined.by_consonants.get(consonantsOf(text)) ?? []) similar.set(id, CONSONANTS_SIMILARITY);
    }
    if (is_pair) return similar;
    for (const { id, similarity } of joined.vocabulary.findSimilar(text, leastJoined(text)))
      similar.set(id, similarity);
    return similar;
  }

  function toWord(text: string, place: number): Word {
    const id = singles.vocabulary.get(text);
    return id === undefined ? { text, id: -1 - place, weight: weightOf(0) } : { text, id, weight: weightOfSingle(id) };
  }

  return {
    wordsOf(name) {
      const words = (names[name] ?? []).map((text, index) => {
        const id = singles.ids[name]?.[index] ?? 0;
        return { text, id, weight: weightOfSingle(id) };
      });
      return { words, pairs: toPairs(words, (index) => toJoined(joined.ids[name]?.[index] ?? 0)) };
    },
    search({ tokens, consonants_only }, threshold) {
      const words = tokens.map(toWord);
      const pairs = toPairs(words, (index) => -1 - words.length - index);
      const least_single = words.length === 1 ? LEAST_ALONE : LEAST;
      const similar = [...words, ...pairs].map(({ text, id: own_id, weight: own }, index) => {
        const is_pair = index >= words.length;
        const alike = findSingles(text, is_pair ? leastJoined(text) : least_single, consonants_only);
        tally.next();
        for (const [id, similarity] of alike) {
          // A word that no name has takes the weight of the one it is like.
          const weight = own_id < 0 && !is_pair ? weightOfSingle(id) : own;
          tally.add(singles.postings.of(id), { similarity, weight, own });
        }
        for (const [id, similarity] of findJoined(text, is_pair, consonants_only)) {
          alike.set(toJoined(id), similarity);
          tally.add(joined.postings.of(id), { similarity, weight: own, own });
        }
        return alike;
      });
      const total = words.reduce((sum, { weight }) => sum + weight, 0);
      return { names: tally.take(total, (share) => 0.75 * share + 0.25 >= threshold), words, pairs, similar };
    },
  };
}
