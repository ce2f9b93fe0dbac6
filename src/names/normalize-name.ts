import { getOwn } from "../core/own.ts";
/** A name as words that can be compared. */
export interface NormalName {
  /** Lower-case Latin letters and digits, in order, without forms of companies and titles; never empty for a name. */
  readonly tokens: readonly string[];
  /** Whether its script leaves short vowels out (Arabic, Hebrew): only consonants can be compared. */
  readonly consonants_only: boolean;
}

const LEGAL_PHRASES =
  /\b(?:(?:public|open|closed) )?(?:joint stock|limited liability) company\b|\b(?:public|open|closed) company\b/g;
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const LEGAL = words(
  "ltd limited llc llp lp inc incorporated corp corporation co company gmbh ag sa sas sarl srl spa bv nv oy ab as " +
    "plc jsc ojsc pjsc cjsc ooo oao zao pao pte pty sdn bhd fze fzco fzc dmcc est doo ad kft sro",
);
const TITLES = words("mr mrs ms dr eng gen col prof sheikh haji hajji mullah maulavi");
const PARTICLES = words("the of and de la el for");
const FOLDED: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  æ: "ae",
  œ: "oe",
  ı: "i",
  þ: "th",
  ð: "d",
};
const FOREIGN = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
const VOWELLESS = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** As the lists write them (BGN/PCGN romanization), where the usual tables differ. */
const CYRILLIC: Readonly<Record<string, string>> = {
  х: "kh",
  ю: "yu",
  я: "ya",
  й: "y",
  є: "ye",
  ї: "yi",
  ц: "ts",
  ѐ: "e",
  ё: "e",
};

/** "S.A." is one word, "SA". */
const joinInitials = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}])(?:\p{L}\.){2,}/gu, (initials) => initials.replaceAll(".", ""));

let transliterate: ((text: string) => string) | undefined;

/** Loaded with the first name in another script: its tables take longer to load than the node to start. */
function getTransliterate(): (text: string) => string {
  transliterate ??= (require("transliteration") as typeof import("transliteration")).transliterate;
  return transliterate;
}

/** Everything in Latin letters. Chinese is read sign by sign, with spaces between. */
function romanize(text: string): string {
  if (!FOREIGN.test(text)) return text;
  const cyrillic = text.toLowerCase().replace(/[хюяйєїцѐё]/g, (letter) => getOwn(CYRILLIC, letter) ?? letter);
  if (!VOWELLESS.test(cyrillic)) return getTransliterate()(cyrillic);
  // The feminine ending is a vowel in speech; a letter with a mark is the letter below the mark.
  return getTransliterate()(cyrillic.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ة", "ا"));
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ßøłđæœıþð]/g, (letter) => getOwn(FOLDED, letter) ?? letter)
    .normalize("NFKD")
    .replace(/[\p{M}'’‘ʼʻ`´]/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export interface NormalizeOptions {
  /** Keeps "de", "la", "co", "as" and the like, which may be syllables of a name. */
  readonly keep_short?: boolean;
}

/** In Chinese and Korean a short word is a syllable, whatever it means elsewhere. */
const SYLLABIC = /[\p{Script=Han}\p{Script=Hangul}]/u;

/**
 * The words of a name, in a form in which different spellings of one name are equal or nearly so. Forms of companies,
 * titles and particles are dropped unless nothing else remains, one-letter words unless there are no longer ones.
 */
export function normalizeName(text: string, { keep_short = SYLLABIC.test(text) }: NormalizeOptions = {}): NormalName {
  const folded = fold(romanize(joinInitials(text)));
  const all = folded.split(" ").filter((word) => word !== "");
  const without_phrases = folded.replace(LEGAL_PHRASES, " ").split(" ");
  const isTelling = (word: string): boolean => !LEGAL.has(word) && !TITLES.has(word) && !PARTICLES.has(word);
  const telling = without_phrases.filter((word) => word !== "" && (keep_short || isTelling(word)));
  const kept = telling.length > 0 ? telling : all;
  const long = kept.filter((word) => word.length > 1);
  return { tokens: long.length > 0 ? long : kept, consonants_only: VOWELLESS.test(text) };
}

/** The consonants of a word, doubles as one: what a name in Arabic or Hebrew letters says of it. */
export function consonantsOf(token: string): string {
  return token
    .replace(/[aeiouyw]/g, "")
    .replace(/[cq]/g, "k")
    .replace(/(.)\1+/g, "$1");
}
