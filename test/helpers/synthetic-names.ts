import type { ListedName } from "../../src/names/types.ts";

/**
 * A made-up list of names and what people do to names, by rules that are written down here, so that recall and false
 * alarms of a matcher can be measured and compared. Nobody listed is anybody.
 *
 * - Words are two to four syllables of one of three styles; the frequency of the k-th word of a pool falls as 1/k, as
 *   that of real given names and surnames does.
 * - Two thirds are persons ("SURNAME, Given [Second]"), one third entities of two to four words, every other one with
 *   the form of a company.
 * - Innocent people have given names of the same pool and surnames of two English words, as legislators have.
 */
export interface SyntheticNames {
  readonly listed: readonly ListedName[];
  readonly innocent: readonly string[];
  readonly random: () => number;
}

const STYLES: readonly (readonly [onsets: string, vowels: string, codas: string])[] = [
  ["b d f h j k kh l m n q r s sh t w y z gh", "a a a i u e o", "r n d m l b f s h"],
  ["b ch d f g k kr l m n p r s sh t tr v vl y z st", "a e i o u y", "v n k r ch l t sk"],
  ["b d f g h j l m n p r s t v c gr br tr", "a e i o u ia ei", "n s r l z t nt rt"],
];
const INNOCENT =
  "ash black brook cart clay dun ever fair good har hill king lang mar new old park red rich sand stan tay wal west";
const INNOCENT_ENDS =
  "berg born bridge burn by dale den field ford gate ham hurst land ley lock man ner ridge shaw son stead ton worth";
const FORMS = ["LTD", "LLC", "CO., LTD", "GMBH", "FZE", "S.A."];

/** A generator of numbers from 0 to 1 that gives the same ones on every machine (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(list: readonly T[], random: () => number): T => {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
};

function makeWord(random: () => number): string {
  const [onsets, vowels, codas] = pick(STYLES, random).map((text) => text.split(" "));
  const syllables = random() < 0.15 ? 1 : random() < 0.75 ? 2 : 3;
  let word = "";
  for (let index = 0; index < syllables; index++) {
    word += pick(onsets ?? [], random) + pick(vowels ?? [], random);
    if (random() < 0.4) word += pick(codas ?? [], random);
  }
  return `${word}${pick(codas ?? [], random)}`;
}

function makePool(size: number, random: () => number): readonly string[] {
  const words = new Set<string>();
  while (words.size < size) words.add(makeWord(random));
  return [...words];
}

/** The k-th word of a pool comes 1/k times as often as the first. */
const pickCommon = (pool: readonly string[], random: () => number): string =>
  pool[Math.floor(pool.length ** random()) - 1] ?? pool[0] ?? "";

export function makeSyntheticNames(count: number, seed = 1): SyntheticNames {
  const random = createRandom(seed);
  const given = makePool(4_000, random);
  const surnames = makePool(Math.max(8_000, Math.floor(count / 3)), random);
  const listed: ListedName[] = [];
  for (let index = 0; index < count; index++) {
    const is_person = random() < 2 / 3;
    const words = is_person
      ? [
          `${pick(surnames, random)},`,
          pickCommon(given, random),
          ...(random() < 0.6 ? [pickCommon(given, random)] : []),
        ]
      : Array.from({ length: 2 + Math.floor(random() * 3) }, () => pickCommon(surnames, random));
    if (!is_person && random() < 0.5) words.push(pick(FORMS, random));
    listed.push({ id: String(index), name: words.join(" ").toUpperCase(), kind: random() < 0.7 ? "primary" : "alias" });
  }
  const [heads, ends] = [INNOCENT.split(" "), INNOCENT_ENDS.split(" ")];
  const makeInnocent = () => `${pickCommon(given, random)} ${pick(heads, random)}${pick(ends, random)}`;
  const innocent = Array.from({ length: 1_314 }, makeInnocent);
  return { listed, innocent, random };
}

/** One slip of the finger in one word of four letters or more: a letter lost, doubled, changed, or two swapped. */
export function mistype(name: string, random: () => number): string {
  const words = name.split(" ");
  const places = words.flatMap((word, index) => (word.length >= 4 ? [index] : []));
  if (places.length === 0) return name;
  const place = pick(places, random);
  const word = words[place] ?? "";
  const at = 1 + Math.floor(random() * (word.length - 2));
  const [head, letter, tail] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  const slips = [
    head + tail,
    head + letter + letter + tail,
    head + pick([..."aeiourstnlmk"], random) + tail,
    head + tail.charAt(0) + letter + tail.slice(1),
  ];
  words[place] = pick(slips, random);
  return words.join(" ");
}

/** "SURNAME, Given Second" as people write it: "given second surname". */
export function asWritten(name: string): string {
  const [surname = "", rest] = name.toLowerCase().split(", ");
  return rest === undefined ? name.toLowerCase() : `${rest} ${surname}`;
}
