import type { WrittenAnswer } from "../../src/grounding/schema.ts";

type Answer = Pick<WrittenAnswer, "blocks" | "facts" | "citations">;

const DAY = /\b(\d{4})-(\d{2})-(\d{2})\b|\b(\d{2})\/(\d{2})\/(\d{4})\b/g;
const NUMBER = /(?<![\p{L}\d])\d[\d.,]*\d|(?<![\p{L}\d])\d/gu;
const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^\s?(?:billion|bilh)/, 1e9],
  [/^\s?(?:million|milh)/, 1e6],
  [/^\s?(?:thousand|mil\b)/, 1e3],
];

/** A number of either language: what stands behind its last mark are decimals, unless the marks part thousands. */
function readNumber(text: string, is_english: boolean): { readonly value: number; readonly decimals: number } {
  const [group, point] = is_english ? [",", "."] : [".", ","];
  const plain = text.replaceAll(group, "").replace(point, ".");
  return { value: Number(plain), decimals: plain.split(".")[1]?.length ?? 0 };
}

/**
 * Reads a written answer as somebody who has nothing else: every day a sentence names must be a day among the facts
 * its block cites, every number the value of such a fact, or stand in that fact's label or stretch of time.
 * @returns what cannot be traced, with its block.
 */
export function listUntraceable({ blocks, facts, citations }: Answer, language: "en" | "pt-BR"): string[] {
  const found: string[] = [];
  for (const block of blocks) {
    const cited = facts.filter(({ id }) => block.facts.includes(id));
    const named = new Set(cited.map(({ unit, value, as_of }) => (unit === "day" ? String(value) : as_of.slice(0, 10))));
    const told = cited.map(({ label, window }) => `${label} ${window ?? ""}`).join(" ");
    const unquoted = citations.reduce((text, { title }) => text.replace(title, ""), block.text).replace(/"[^"]*"/g, "");
    for (const [text, y, m, d, day, month, year] of unquoted.matchAll(DAY)) {
      const parts = [y ?? year, m ?? month, d ?? day];
      if (!named.has(parts.join("-")) && !named.has(parts.join(""))) found.push(`${block.id}: ${text}`);
    }
    const rest = unquoted.replace(DAY, " ");
    for (const match of rest.matchAll(NUMBER)) {
      const { value, decimals } = readNumber(match[0], language === "en");
      const behind = rest.slice(match.index + match[0].length);
      const scale = SCALES.find(([pattern]) => pattern.test(behind))?.[1] ?? 1;
      const slack = 0.5000001 * 10 ** -decimals * scale;
      const is_fact = cited.some((fact) => Math.abs(Math.abs(fact.value) - value * scale) <= slack);
      const is_told = new RegExp(`(?<!\\d)${match[0].replace(/[.,]/g, "\\$&")}(?!\\d)`).test(told);
      const is_year = cited.some(({ unit, value: day }) => unit === "day" && String(day) === `${match[0]}1231`);
      if (!is_fact && !is_told && !is_year) found.push(`${block.id}: ${match[0]}${behind.slice(0, 20)}`);
    }
  }
  return found;
}
