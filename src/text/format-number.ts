import type { NumberLocale } from "./parse-number.ts";

export interface NumberFormat {
  readonly locale: NumberLocale;
  /** Digits after the decimal mark at most; 2 when left out. */
  readonly decimals_max?: number;
  /** Digits after the decimal mark at least; 0 when left out, so that trailing zeros are dropped. */
  readonly decimals_min?: number;
  /** Whether a positive number carries a plus sign. */
  readonly plus?: boolean;
}

interface Scale {
  readonly value: number;
  /** Below two, and from two on: Portuguese says "1,87 bilhão" and "2 bilhões". */
  readonly words: Readonly<Record<NumberLocale, readonly [below_two: string, from_two: string]>>;
}

const SCALES: readonly Scale[] = [
  { value: 1e12, words: { en: ["trillion", "trillion"], "pt-BR": ["trilhão", "trilhões"] } },
  { value: 1e9, words: { en: ["billion", "billion"], "pt-BR": ["bilhão", "bilhões"] } },
  { value: 1e6, words: { en: ["million", "million"], "pt-BR": ["milhão", "milhões"] } },
  { value: 1e3, words: { en: ["thousand", "thousand"], "pt-BR": ["mil", "mil"] } },
];

const formats = new Map<string, Intl.NumberFormat>();

/** Made once each: making one costs a hundred times what using it does. */
function getFormat({ locale, decimals_max = 2, decimals_min = 0, plus = false }: NumberFormat): Intl.NumberFormat {
  const key = `${locale} ${decimals_max} ${decimals_min} ${plus}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, {
    maximumFractionDigits: decimals_max,
    minimumFractionDigits: Math.min(decimals_min, decimals_max),
    useGrouping: true,
    signDisplay: plus ? "exceptZero" : "negative",
  });
  formats.set(key, made);
  return made;
}

/**
 * A number in running text: "1,234.56", "1.234,56". Half-way cases are rounded away from zero; what rounds to zero has
 * no sign.
 * @throws RangeError for NaN and infinities: a missing number is a reason to write another sentence.
 */
export function formatNumber(value: number, format: NumberFormat): string {
  if (!Number.isFinite(value)) throw new RangeError("only a finite number can be written");
  return getFormat(format).format(value);
}

/** "13.69%", "13,69%": both languages set the sign without a space (CLDR); trailing zeros are dropped, "15%". */
export const formatPercent = (value: number, format: NumberFormat): string => `${formatNumber(value, format)}%`;

/**
 * A large number in words: "64.2 thousand", "1.87 billion"; "64,2 mil", "1,87 bilhão", "2 bilhões". Below a thousand
 * it stays as it is.
 */
export function formatLarge(value: number, format: NumberFormat): string {
  const { decimals_max = 2 } = format;
  const size = Math.abs(value);
  const found = SCALES.findIndex((one) => size >= one.value);
  const place = found < 0 ? SCALES.length : found;
  // 999,999,999 is "1 billion", not "1,000 million".
  const shown = Number((size / (SCALES[place]?.value ?? 1)).toFixed(decimals_max));
  const scale = shown >= 1_000 ? (SCALES[place - 1] ?? SCALES[place]) : SCALES[place];
  if (!scale) return formatNumber(value, format);
  const below_two = Number((size / scale.value).toFixed(decimals_max)) < 2;
  return `${formatNumber(value / scale.value, format)} ${scale.words[format.locale][below_two ? 0 : 1]}`;
}

export interface MoneyFormat extends NumberFormat {
  /** "$", "US$", "R$" */
  readonly sign: string;
  /** Whether thousands and more are written in words. */
  readonly large?: boolean;
}

/** "$5.13", "-$1.87 billion"; "R$ 5,13", "-US$ 1,87 bilhão". Two digits of cents unless told otherwise. */
export function formatMoney(value: number, { sign, large = false, ...format }: MoneyFormat): string {
  const cents: NumberFormat = { decimals_min: large ? 0 : 2, ...format };
  const text = large ? formatLarge(Math.abs(value), cents) : formatNumber(Math.abs(value), cents);
  const is_zero = !/[1-9]/.test(text);
  const minus = value < 0 && !is_zero ? "-" : format.plus && !is_zero ? "+" : "";
  return `${minus}${sign}${format.locale === "en" ? "" : " "}${text.replace(/^\+/, "")}`;
}
