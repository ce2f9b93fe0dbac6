import { getOwn } from "../core/own.ts";
import type { NumberLocale } from "./facts.ts";
import { createPhrases, findPhrase, type Token } from "./tokens.ts";

/** How a figure is written: a bare number, or one with a unit. */
export type WrittenFigure = "bare" | "usd" | "brl" | "eur" | "gbp" | "pct" | "pp" | "bps" | "times" | "rank";

/** A figure of a text. */
export interface TextFigure {
  /** Index of its first token, and of the token after its last. */
  readonly start: number;
  readonly end: number;
  /** The figure as the text writes it. */
  readonly text: string;
  /** Null when its digits do not form a number in the text's language. */
  readonly value: number | null;
  /** The value of half a unit of its last shown digit. */
  readonly tolerance: number;
  readonly sign: "+" | "-" | null;
  readonly written: WrittenFigure;
}

/** A stretch of time: "24h", "30d", "12m", "1y". */
export interface TextStretch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly window: string;
}

const GROUPED: Readonly<Record<NumberLocale, RegExp>> = {
  en: /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/,
  "pt-BR": /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?$/,
};
const GROUP_MARKS: Readonly<Record<NumberLocale, string>> = { en: ",", "pt-BR": "." };
const DIGITS_MAX = 24;

const SCALE_WORDS: Readonly<Record<string, number>> = {
  thousand: 1e3,
  mil: 1e3,
  million: 1e6,
  millions: 1e6,
  mn: 1e6,
  mi: 1e6,
  milhao: 1e6,
  milhoes: 1e6,
  billion: 1e9,
  billions: 1e9,
  bn: 1e9,
  bi: 1e9,
  bilhao: 1e9,
  bilhoes: 1e9,
  trillion: 1e12,
  trillions: 1e12,
  tn: 1e12,
  tri: 1e12,
  trilhao: 1e12,
  trilhoes: 1e12,
};
/** These count only right after the digits: "3 m" may be metres or months. */
const SCALE_LETTERS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

const CURRENCY_MARKS: Readonly<Record<string, WrittenFigure>> = { $: "usd", "€": "eur", "£": "gbp" };

const UNIT_PHRASES = createPhrases<WrittenFigure>([
  ...["%", "percent", "per cent", "por cento"].map((one) => [one, "pct"] as const),
  ...["pp", "percentage point", "percentage points", "ponto percentual", "pontos percentuais"].map(
    (one) => [one, "pp"] as const,
  ),
  ...["bp", "bps", "basis points", "basis point", "ponto base", "pontos base", "ponto-base", "pontos-base"].map(
    (one) => [one, "bps"] as const,
  ),
  ...["x", "times", "vezes", "fold", "-fold"].map((one) => [one, "times"] as const),
  ...["dollars", "dollar", "us dollars", "us dollar", "usd", "dolares", "dolar", "usdc"].map(
    (one) => [one, "usd"] as const,
  ),
  ...["reais", "brl", "brazilian reais"].map((one) => [one, "brl"] as const),
  ...["euro", "euros", "eur"].map((one) => [one, "eur"] as const),
  ...["pounds", "gbp", "pound", "libras"].map((one) => [one, "gbp"] as const),
]);

/** Endings that turn the digits before them into a rank; "º" and "ª" have been turned into letters by then. */
const ORDINAL_ENDINGS: ReadonlySet<string> = new Set(["st", "nd", "rd", "th", "o", "a", "°"]);

const DURATIONS = createPhrases<string>([
  ...["h", "hour", "hours", "-hour", "hora", "horas"].map((one) => [one, "h"] as const),
  ...["d", "day", "days", "-day", "dia", "dias", "business days", "trading days", "dias uteis", "pregoes"].map(
    (one) => [one, "d"] as const,
  ),
  ...["w", "week", "weeks", "-week", "semana", "semanas"].map((one) => [one, "w"] as const),
  ...["month", "months", "-month", "mes", "meses"].map((one) => [one, "m"] as const),
  ...["y", "year", "years", "-year", "ano", "anos"].map((one) => [one, "y"] as const),
  ...["minute", "minutes", "min", "-minute", "minuto", "minutos"].map((one) => [one, "min"] as const),
]);
/** Letters that mean a duration only right after the digits: "7d", not "7 d". */
const GLUED_ONLY: ReadonlySet<string> = new Set(["h", "d", "w", "y"]);

/** The number that digits mean in a language, and its shown decimals; null when they are not a number there. */
function readDigits(text: string, locale: NumberLocale): { value: number; decimals: number } | null {
  const match = text.length > DIGITS_MAX ? null : GROUPED[locale].exec(text);
  if (!match) return null;
  const whole = GROUP_MARKS[locale];
  const bare = text.includes(whole) ? text.replaceAll(whole, "") : text;
  const plain = locale === "en" ? bare : bare.replace(",", ".");
  return { value: Number(plain), decimals: match[1]?.length ?? 0 };
}

/** Tokens as their text writes them, with runs of spaces reduced to one. */
function joinTokens(tokens: readonly Token[], start: number, end: number): string {
  let text = tokens[start]?.text ?? "";
  for (let at = start + 1; at < end; at += 1) {
    const one = tokens[at];
    if (one) text += one.is_glued ? one.text : ` ${one.text}`;
  }
  return text;
}

/** The stretch of time whose number is at a token: "24h", "30 days", "50-day", "12 meses". */
export function readStretch(tokens: readonly Token[], start: number, locale: NumberLocale): TextStretch | null {
  const token = tokens[start];
  if (token?.kind !== "digits") return null;
  const found = findPhrase(tokens, start + 1, DURATIONS);
  const next = tokens[start + 1];
  if (!found || !next || (GLUED_ONLY.has(next.folded) && !next.is_glued)) return null;
  const number = readDigits(token.text, locale);
  if (!number || number.decimals > 0) return null;
  const end = start + 1 + found.length;
  return { start, end, text: joinTokens(tokens, start, end), window: `${number.value}${found.value}` };
}

/** The token at which a figure's sign and currency begin, before its digits. */
function readFront(tokens: readonly Token[], at: number): Pick<TextFigure, "start" | "sign" | "written"> {
  let start = at;
  let sign: TextFigure["sign"] = null;
  let written: WrittenFigure = "bare";
  const takeSign = () => {
    const [mark, before] = [tokens[start - 1], tokens[start - 2]];
    const is_sign = mark && (mark.text === "-" || mark.text === "+") && tokens[start]?.is_glued;
    // A hyphen after a word or a number joins two parts: "S-500", "2-10".
    if (!is_sign || sign !== null || (mark.is_glued && before && before.kind !== "mark")) return;
    sign = mark.text === "-" ? "-" : "+";
    start -= 1;
  };
  takeSign();
  const mark = tokens[start - 1];
  const currency = mark && getOwn(CURRENCY_MARKS, mark.text);
  if (currency) {
    written = currency;
    start -= 1;
    const land = tokens[start - 1];
    if (mark.text === "$" && mark.is_glued && (land?.folded === "us" || land?.folded === "r")) {
      written = land.folded === "r" ? "brl" : "usd";
      start -= 1;
    } else if (mark.text === "$" && mark.is_glued && land?.kind === "word") {
      // The dollar of another country.
      written = "gbp";
    }
    takeSign();
  }
  return { start, sign, written };
}

/** The figure whose digits are at a token, with its sign, currency, scale and unit. */
export function readFigure(tokens: readonly Token[], at: number, locale: NumberLocale): TextFigure {
  const token = tokens[at];
  const front = readFront(tokens, at);
  let end = at + 1;
  let scale = 1;
  const next = tokens[end];
  const worth = next?.is_glued
    ? (getOwn(SCALE_LETTERS, next.folded) ?? getOwn(SCALE_WORDS, next.folded))
    : getOwn(SCALE_WORDS, next?.folded ?? "");
  if (next && worth !== undefined) {
    scale = worth;
    end += 1;
    // "bilhões de dólares"
    if (tokens[end]?.folded === "de" && findPhrase(tokens, end + 1, UNIT_PHRASES)) end += 1;
  }
  const ending = tokens[end];
  const is_rank = ending?.is_glued === true && ORDINAL_ENDINGS.has(ending.folded);
  const unit = is_rank ? { value: "rank" as const, length: 1 } : findPhrase(tokens, end, UNIT_PHRASES);
  if (unit) end += unit.length;
  const number = readDigits(token?.text ?? "", locale);
  // "$,937": these marks do not belong to a number.
  const before = tokens[at - 1];
  const is_torn = token?.is_glued && before?.is_glued && (before.text === "," || before.text === ".");
  const contradicts = is_torn || (unit && front.written !== "bare" && unit.value !== front.written);
  return {
    ...front,
    end,
    text: joinTokens(tokens, front.start, end),
    value: number && !contradicts ? number.value * scale : null,
    tolerance: 0.5 * 10 ** -(number?.decimals ?? 0) * scale,
    written: front.written === "bare" ? (unit?.value ?? "bare") : front.written,
  };
}
