import { cleanForeign } from "intel-node";
import { ISSUED_SYMBOLS } from "intel-node/providers/issuer-tokens";

const NAME_CHARS_MAX = 64;
const SYMBOL_CHARS_MAX = 16;
/** Ids of pools have up to 66 characters. */
const ID_CHARS_MAX = 80;

/** Names and symbols of tokens are anybody's text. */
export const cleanName = (text: string): string => cleanForeign(text, NAME_CHARS_MAX);
export const cleanSymbol = (text: string): string => cleanForeign(text, SYMBOL_CHARS_MAX);
/** What a service calls the address of an account or a pool; null where it does not say. */
export const cleanId = (text: string | null | undefined): string | null =>
  text == null ? null : cleanForeign(text, ID_CHARS_MAX);

/** Marks that change the order of letters, and invisible letters: there is no honest use for them in a name. */
export const isDeceptive = (text: string): boolean =>
  /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u00ad]/u.test(text);

/**
 * Letters that look like Latin ones, by the Latin one (Unicode confusables, those without a decomposition): Cyrillic,
 * Greek, Armenian, Cherokee, Lisu, small capitals, letters with a stroke, digits and signs.
 */
const LOOK_ALIKES = {
  A: "АΑᎪꓮᴀȺ",
  B: "ВΒᏴꓐʙƁɃ",
  C: "СϹᏟꓚᴄȻƇ₵¢",
  D: "ᎠꓓᴅĐƊƉ",
  E: "ЕΕᎬꓰᴇɆ€",
  F: "ϜꓝꜰƑ",
  G: "ԌᏀꓖɢǤƓ",
  H: "НΗᎻꓧʜĦ",
  I: "ІΙꓲɪ1",
  J: "ЈᎫꓙᴊɈ",
  K: "КΚᏦꓗᴋƘ₭",
  L: "ᏞꓡʟŁȽ",
  M: "МΜᎷꓟᴍ",
  N: "ΝꓠɴƝ₦",
  O: "ОΟՕꓳᴏØ0",
  P: "РΡᏢꓑᴘƤ₱",
  Q: "Ԛ",
  R: "ᎡꓣʀɌ",
  S: "ЅՏᏚꓢꜱ5$",
  T: "ТΤᎢꓔᴛŦƬ₮",
  U: "ՍꓴᴜɄ",
  V: "ᏙꓦᴠƲ",
  W: "ԜᎳꓪᴡ₩",
  X: "ХΧꓫ",
  Y: "ҮΥꓬʏɎ",
  Z: "ΖᏃꓜᴢƵ",
} as const;
const FOLDED = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => [...others].map((letter) => [letter, latin] as const)),
);
const foldLetters = (text: string): string => [...text].map((letter) => FOLDED.get(letter) ?? letter).join("");

/** What a reader takes a symbol for: visible letters only, look-alikes folded, upper case. */
export const foldSymbol = (symbol: string): string => {
  // Before they are decomposed: the lunate sigma looks like a C, what it is made of does not.
  const visible = foldLetters(cleanForeign(symbol, 64).toUpperCase());
  const plain = visible.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase();
  return foldLetters(plain).replace(/[^\p{L}\p{N}]/gu, "");
};

const ISSUED = new Set(ISSUED_SYMBOLS.map(foldSymbol));
/** Whether a reader takes a symbol for that of an issuer's token; a small l is as good an I. */
export const looksIssued = (symbol: string): boolean =>
  ISSUED.has(foldSymbol(symbol)) || ISSUED.has(foldSymbol(symbol.replaceAll("l", "I")));
