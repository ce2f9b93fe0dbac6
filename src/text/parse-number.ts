/** Whose way of writing numbers: it decides which of "." and "," is the decimal mark, and which groups thousands. */
export type NumberLocale = "en" | "pt-BR";

export interface NumberTextOptions {
  readonly locale: NumberLocale;
  /** Texts that say "no value", compared without case and space; MISSING_TEXTS when left out. */
  readonly missing?: readonly string[];
  /** Currency signs that may stand before or after it, such as "US$"; any other is refused. None when left out. */
  readonly currencies?: readonly string[];
  /** Whether a percent sign may follow; the number stays as written: "1,5 %" is 1.5. */
  readonly percent?: boolean;
  /** Whether a word of scale may follow, such as "milhões", "mi" or "billion". */
  readonly scale?: boolean;
}

/** What publishers write where they have no value. "0" is a value. */
const MISSING_TEXTS: readonly string[] = ["", "-", "--", "---", ".", "..", "...", "x", "n/a", "na", "nd", "n.d."];

const CHARS_MAX = 64;
/** Hyphen, minus sign, dashes, and the dash of windows-1252 read as latin1. */
const MINUS_SIGNS = /[-\u2212\u2010-\u2015\u0096\u0097\ufe63\uff0d]/g;
/** All spaces that typesetters put between thousands, or before a sign. */
const SPACES = /[\s\u00a0\u202f\u2009\u200a]+/g;
/** Zeros that each word of scale adds, in both languages: upstreams mix them. */
const SCALES: Readonly<Record<string, number>> = {
  k: 3,
  mil: 3,
  thousand: 3,
  thousands: 3,
  m: 6,
  mn: 6,
  mi: 6,
  mm: 6,
  million: 6,
  millions: 6,
  milhão: 6,
  milhao: 6,
  milhões: 6,
  milhoes: 6,
  b: 9,
  bn: 9,
  bi: 9,
  billion: 9,
  billions: 9,
  bilhão: 9,
  bilhao: 9,
  bilhões: 9,
  bilhoes: 9,
  t: 12,
  tn: 12,
  tri: 12,
  trillion: 12,
  trillions: 12,
  trilhão: 12,
  trilhao: 12,
  trilhões: 12,
  trilhoes: 12,
};
/** Groups are whole or absent: "1.23,4" is a slip, not 123.4. */
const DIGITS: Readonly<Record<NumberLocale, RegExp>> = {
  en: /^(?:\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+)|\d+)?(?:\.\d+)?$/,
  "pt-BR": /^(?:\d{1,3}(?:(?:\.\d{3})+|(?: \d{3})+)|\d+)?(?:,\d+)?$/,
};

/** A text from which signs and units are taken off, one after the other. */
interface Rest {
  text: string;
}

/** Takes one of several words off the start or the end; whether there was one. */
function takeWord(rest: Rest, words: readonly string[]): boolean {
  for (const word of words) {
    if (rest.text.startsWith(word)) rest.text = rest.text.slice(word.length).trim();
    else if (rest.text.endsWith(word)) rest.text = rest.text.slice(0, -word.length).trim();
    else continue;
    return true;
  }
  return false;
}

/** A sign in front, a minus behind (as ledgers print), or brackets around; two of them contradict each other. */
function takeSign(rest: Rest): "-" | "" | undefined {
  const { text } = rest;
  if (text.startsWith("-") || text.startsWith("+")) {
    rest.text = text.slice(1).trim();
    return text.startsWith("-") ? "-" : "";
  }
  if (text.startsWith("(") && text.endsWith(")")) {
    rest.text = text.slice(1, -1).trim();
    return "-";
  }
  if (text.endsWith("-")) {
    rest.text = text.slice(0, -1).trim();
    return "-";
  }
  return undefined;
}

function takeScale(rest: Rest): number {
  const word = /[a-zãõ]+$/i.exec(rest.text)?.[0] ?? "";
  const zeros = Object.hasOwn(SCALES, word.toLowerCase()) ? SCALES[word.toLowerCase()] : undefined;
  if (zeros === undefined) return 0;
  rest.text = rest.text.slice(0, -word.length).trim();
  return zeros;
}

/** Digits with "." as the only mark, moved left by some zeros, without any that say nothing. */
function toPlain(digits: string, zeros: number): string {
  const [whole = "", fraction = ""] = digits.split(".");
  const moved = `${whole}${fraction.padEnd(zeros, "0").slice(0, zeros)}`.replace(/^0+(?=\d)/, "");
  const left = fraction.slice(zeros).replace(/0+$/, "");
  return `${moved === "" ? "0" : moved}${left === "" ? "" : `.${left}`}`;
}

/**
 * Reads a number as people and statistics offices write it, exactly: "1.234,56", "($1.2)", "−3,5 %", "1,87 bilhão".
 * @returns the number as a plain decimal ("-1234.56"); null where the text says "no value"; undefined where it is no
 * number of this locale, which is a bad answer and not a missing value.
 */
export function parseDecimal(text: string, options: NumberTextOptions): string | null | undefined {
  if (text.length > CHARS_MAX) return undefined;
  const { locale, missing = MISSING_TEXTS, currencies = [], percent = false, scale = false } = options;
  const rest: Rest = { text: text.replace(MINUS_SIGNS, "-").replace(SPACES, " ").trim() };
  if (missing.includes(rest.text.toLowerCase())) return null;
  // The longest first, or "US$" would be taken for "$".
  const signs = currencies.toSorted((a, b) => b.length - a.length);
  if (percent) takeWord(rest, ["%"]);
  let sign = takeSign(rest);
  const has_currency = takeWord(rest, signs);
  // "$-5" and "$(5)" as well as "-$5" and "($5)"; but one sign only.
  if (has_currency) {
    const second = takeSign(rest);
    if (second !== undefined && sign !== undefined) return undefined;
    sign ??= second;
  }
  const zeros = scale ? takeScale(rest) : 0;
  const digits = rest.text;
  if (!/\d/.test(digits) || !DIGITS[locale].test(digits)) return undefined;
  const plain = toPlain(
    locale === "en" ? digits.replace(/[, ]/g, "") : digits.replace(/[. ]/g, "").replace(",", "."),
    zeros,
  );
  return sign === "-" && plain !== "0" ? `-${plain}` : plain;
}

/** The same as the nearest double. */
export function parseNumber(text: string, options: NumberTextOptions): number | null | undefined {
  const decimal = parseDecimal(text, options);
  return typeof decimal === "string" ? Number(decimal) : decimal;
}
