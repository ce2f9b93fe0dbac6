import { getOwn, listClosest } from "intel-node";

/** Names of currencies in English and Portuguese, without accents; a name of several currencies is left out. */
const NAMES: Readonly<Record<string, string>> = {
  dolar: "USD",
  dollar: "USD",
  dolaramericano: "USD",
  usdollar: "USD",
  real: "BRL",
  reais: "BRL",
  euro: "EUR",
  iene: "JPY",
  yen: "JPY",
  libra: "GBP",
  libraesterlina: "GBP",
  pound: "GBP",
  sterling: "GBP",
  francosuico: "CHF",
  franco: "CHF",
  swissfranc: "CHF",
  franc: "CHF",
  dolaraustraliano: "AUD",
  dolarcanadense: "CAD",
  dolarneozelandes: "NZD",
  yuan: "CNY",
  renminbi: "CNY",
  zloty: "PLN",
  lira: "TRY",
  won: "KRW",
  shekel: "ILS",
  rand: "ZAR",
  baht: "THB",
  ringgit: "MYR",
  pesomexicano: "MXN",
  mexicanpeso: "MXN",
};

const JOINTS = /\s*(?:[/|,;:_\\-]|\s(?:to|in|into|vs|versus|against|para|por|em|contra|e|x)\s)\s*|\s+/;
const CODE_CHARS = 3;

/** Letters alone, without accents. */
const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");

/**
 * A pair as codes, where it is written in words ("dólar/real", "euro para real", "USD to BRL"); null for anything else.
 */
export function readNamedPair(text: string): string | null {
  const whole = getOwn(NAMES, plain(text));
  if (whole !== undefined) return whole;
  const joined = /^([a-z]{3})(?:to|x)([a-z]{3})$/.exec(plain(text));
  if (joined !== null) return `${joined[1]}${joined[2]}`.toUpperCase();
  const parts = text.trim().toLowerCase().split(JOINTS).map(plain);
  if (parts.length !== 2) return null;
  const codes = parts.map((part) => getOwn(NAMES, part) ?? (part.length === CODE_CHARS ? part.toUpperCase() : null));
  return codes.some((code) => code === null) ? null : codes.join("");
}

/** The code nearest to an unknown one: with the same letters, else with one letter off; null without one. */
function findNearCode(code: string, codes: readonly string[]): string | null {
  if (codes.includes(code)) return code;
  const letters = (text: string) => [...text].sort().join("");
  const same = codes.filter((one) => letters(one) === letters(code));
  const near = same.length > 0 ? same : listClosest(code, codes, codes.length).filter((one) => isOneOff(code, one));
  return near.length === 1 ? (near[0] ?? null) : null;
}

const isOneOff = (code: string, other: string): boolean =>
  code.length === other.length && [...code].filter((letter, index) => letter !== other[index]).length === 1;

/** The pair that was probably meant by six letters; null where more than one could be. */
export function findNearPair(letters: string, codes: readonly string[]): string | null {
  if (letters.length !== 2 * CODE_CHARS) return null;
  const [base, quote] = [letters.slice(0, CODE_CHARS), letters.slice(CODE_CHARS)].map((code) =>
    findNearCode(code, codes),
  );
  return base && quote && base !== quote ? `${base}/${quote}` : null;
}
