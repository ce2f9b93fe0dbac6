import { buildCandidates } from "./candidates.ts";
import { type NormalName, normalizeName } from "./normalize-name.ts";
import { type NameScore, scoreName } from "./score-name.ts";
import { type NameSteps, runAtOnce, runInSteps } from "./steps.ts";
import type { ListedName, NameIndex, NameMatch } from "./types.ts";

const THRESHOLD = 0.82;
const STRONG = 0.95;
const LIMIT = 20;

/** What is exact stands first, then what scores best. */
const compareMatches = (a: NameMatch, b: NameMatch): number =>
  Number(b.band === "exact") - Number(a.band === "exact") || b.score - a.score;

/**
 * An index of names for "is this one of them, whoever wrote it". Names in other scripts are written in Latin letters
 * once, here. A score is three quarters how much of the query is found in a name, one quarter how much of the name is
 * in the query; rare words weigh more than common ones (ln(1 + N / (1 + df))).
 */
export const createNameIndex = (names: Iterable<ListedName>): NameIndex => runAtOnce(buildNameIndex(names));

/** The same for long lists: it pauses every few milliseconds, so that nobody else has to wait for it. */
export const createNameIndexInSteps = (names: Iterable<ListedName>, pause: () => Promise<void>): Promise<NameIndex> =>
  runInSteps(buildNameIndex(names), pause);

const NAMES_PER_STEP = 250;

function* buildNameIndex(names: Iterable<ListedName>): NameSteps<NameIndex> {
  const listed = [...names];
  const words: (readonly string[])[] = [];
  for (const { name } of listed) {
    words.push(normalizeName(name).tokens);
    if (words.length % NAMES_PER_STEP === 0) yield;
  }
  const candidates = yield* buildCandidates(words);

  function toMatch(name: ListedName, { score, aligned, is_exact }: NameScore, words: number): NameMatch | undefined {
    // A weak alias is a nickname that many have: it counts only as it stands.
    if (name.kind === "weak" && !is_exact) return undefined;
    const band = is_exact ? "exact" : score >= STRONG && aligned.length >= 2 && words > 1 ? "strong" : "possible";
    return { listed: name, score, band, aligned };
  }

  function findMatches(query: NormalName, least: number): readonly (readonly [number, NameMatch])[] {
    const search = candidates.search(query, least);
    return search.names.flatMap((index) => {
      const name = listed[index];
      const scored = scoreName(search, candidates.wordsOf(index));
      const match = name && scored.score >= least ? toMatch(name, scored, query.tokens.length) : undefined;
      return match ? [[index, match] as const] : [];
    });
  }

  return {
    size: listed.length,
    find(text, { threshold = THRESHOLD, limit = LIMIT } = {}) {
      const least = Math.max(threshold, THRESHOLD);
      const plain = normalizeName(text);
      const whole = normalizeName(text, { keep_short: true });
      const best = new Map<number, NameMatch>();
      // "Chen De Sheng" is Chen Desheng, and "Banco de Cuba" is Banco Cuba: both readings are tried.
      for (const query of whole.tokens.length > plain.tokens.length ? [plain, whole] : [plain]) {
        if (query.tokens.length === 0) continue;
        for (const [name, match] of findMatches(query, least)) {
          if ((best.get(name)?.score ?? 0) < match.score) best.set(name, match);
        }
      }
      return [...best.values()].sort(compareMatches).slice(0, limit);
    },
  };
}
