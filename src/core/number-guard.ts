/** Share of the last shown digit by which a figure in prose may differ from the number it stands for. */
const TOLERANCE_DIGITS = 0.6;
/** Smaller whole numbers may be counts of what the text lists. */
const COUNT_MAX = 10;
const TEXT_CHARS_MAX = 20_000;

const ISO_DATE = /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z)?\b/g;
const FIGURE = /\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?/g;
const SCALE = /^\s*(thousand|million|billion|trillion|k|m|bn|tn)\b/i;
const SCALES: Readonly<Record<string, number>> = {
  thousand: 1e3,
  k: 1e3,
  million: 1e6,
  m: 1e6,
  billion: 1e9,
  bn: 1e9,
  trillion: 1e12,
  tn: 1e12,
};

/** Every finite number in a value, without its sign: prose says "lost 1.3 %". */
function listNumbers(value: unknown): readonly number[] {
  if (typeof value === "number") return Number.isFinite(value) ? [Math.abs(value)] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listNumbers);
}

/**
 * The figures of a text that stand for no number of the pack it was written from. A figure stands for a number that is
 * within 0.6 of its last shown digit ("2.31 trillion": of 0.01 trillion); signs do not count. ISO dates that the pack
 * holds as text and whole numbers up to 10 are let through.
 * @throws RangeError for a text of over 20,000 characters.
 */
export function findUnfoundedNumbers(text: string, pack: unknown): readonly string[] {
  if (text.length > TEXT_CHARS_MAX) throw new RangeError("the text is too long to be looked through");
  const numbers = listNumbers(pack);
  const written = JSON.stringify(pack) ?? "";
  const undated = text.replace(ISO_DATE, (date) => (written.includes(date) ? " " : date.replaceAll("-", " ")));
  const unfounded: string[] = [];
  for (const match of undated.matchAll(FIGURE)) {
    const [shown] = match;
    const digits = shown.replaceAll(",", "");
    const scale = SCALES[SCALE.exec(undated.slice(match.index + shown.length))?.[1]?.toLowerCase() ?? ""] ?? 1;
    const decimals = digits.split(".")[1]?.length ?? 0;
    const value = Number(digits) * scale;
    const last_digit = 10 ** -decimals * scale;
    const is_count = scale === 1 && decimals === 0 && value <= COUNT_MAX;
    // What a double cannot hold exactly must not decide.
    const slack = TOLERANCE_DIGITS * last_digit * (1 + 1e-9);
    if (!is_count && !numbers.some((number) => Math.abs(number - value) <= slack)) unfounded.push(shown);
  }
  return unfounded;
}
