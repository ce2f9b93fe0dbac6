import { jaroWinkler } from "./jaro-winkler.ts";
import type { NameSteps } from "./steps.ts";

/** A word of the vocabulary that is like the one asked for. */
export interface SimilarWord {
  readonly id: number;
  /** From 0 to 1. */
  readonly similarity: number;
}

export interface Vocabulary {
  readonly size: number;
  /** The number of a word, if it is known. */
  get(word: string): number | undefined;
  /** All words with a Jaro-Winkler similarity of at least `least`, the word itself included. */
  findSimilar(word: string, least: number): readonly SimilarWord[];
}

const LENGTH_DIFFERENCE_MAX = 3;
/** Words as short as this are compared whole: "ali" and "alim" are two names. */
const COMPARED_FROM = 4;
const PREFIX_MAX = 4;
const WORDS_PER_STEP = 4_000;

/** One bit per letter; digits and everything else share the six that are left. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index);
    bits |= code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << (26 + (code % 6));
  }
  return bits | 0;
}

function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Words of one length and first letter, with the letters each has. */
interface Shelf {
  readonly ids: number[];
  readonly letters: number[];
}

/** The highest similarity two words can have that share so many characters, of which `prefix` come first. */
function highestSimilarity(shared: number, lengths: readonly [number, number], prefix: number): number {
  const jaro = (shared / lengths[0] + shared / lengths[1] + 1) / 3;
  return jaro + prefix * 0.1 * (1 - jaro);
}

/**
 * An index of words for "which are like this one". Words are grouped by length and first letter. Whatever the
 * letters two words do not share already rules out is never compared: for most shelves that is all of it.
 */
export function* buildVocabulary(words: Iterable<string>): NameSteps<Vocabulary> {
  const list: string[] = [];
  const ids = new Map<string, number>();
  const shelves = new Map<string, Shelf>();
  const by_length: Shelf[][] = [];
  let taken = 0;
  for (const word of words) {
    taken += 1;
    if (taken % WORDS_PER_STEP === 0) yield;
    if (ids.has(word)) continue;
    const id = list.push(word) - 1;
    ids.set(word, id);
    const key = `${word.length} ${word.charAt(0)}`;
    let shelf = shelves.get(key);
    if (!shelf) {
      shelf = { ids: [], letters: [] };
      shelves.set(key, shelf);
      let row = by_length[word.length];
      if (!row) by_length[word.length] = row = [];
      row.push(shelf);
    }
    shelf.ids.push(id);
    shelf.letters.push(lettersOf(word));
  }

  function searchShelf(shelf: Shelf, word: string, least: number): SimilarWord[] {
    const found: SimilarWord[] = [];
    const other = list[shelf.ids[0] ?? 0] ?? "";
    const lengths: [number, number] = [word.length, other.length];
    const prefix = other.charCodeAt(0) === word.charCodeAt(0) ? PREFIX_MAX : 0;
    // How many characters must be shared for the similarity to be reached at all.
    let needed = Math.min(...lengths);
    if (highestSimilarity(needed, lengths, prefix) < least) return found;
    while (needed > 1 && highestSimilarity(needed - 1, lengths, prefix) >= least) needed--;
    const [own_spare, other_spare] = [lengths[0] - needed, lengths[1] - needed];
    const letters = lettersOf(word);
    for (let index = 0; index < shelf.letters.length; index++) {
      const others = shelf.letters[index] ?? 0;
      if (countBits(letters & ~others) > own_spare || countBits(others & ~letters) > other_spare) continue;
      const id = shelf.ids[index] ?? 0;
      const similarity = jaroWinkler(word, list[id] ?? "");
      if (similarity >= least) found.push({ id, similarity });
    }
    return found;
  }

  return {
    size: list.length,
    get: (word) => ids.get(word),
    findSimilar(word, least) {
      const own = ids.get(word);
      if (word.length < COMPARED_FROM) return own === undefined ? [] : [{ id: own, similarity: 1 }];
      const found: SimilarWord[] = [];
      const shortest = Math.max(COMPARED_FROM, word.length - LENGTH_DIFFERENCE_MAX);
      for (let length = shortest; length <= word.length + LENGTH_DIFFERENCE_MAX; length++) {
        for (const shelf of by_length[length] ?? []) found.push(...searchShelf(shelf, word, least));
      }
      return found;
    },
  };
}
