import type { Mutant } from "./mutants.ts";
import type { SessionLine } from "./session.ts";

/** Of the normal distribution, for an interval of 95 %. */
const Z = 1.959964;

/** The interval of Wilson's score for a share: it stays within 0 and 1, also for shares near them. */
export function shareInterval(hits: number, of: number): { readonly low: number; readonly high: number } {
  if (of === 0) return { low: 0, high: 1 };
  const share = hits / of;
  const middle = (share + Z ** 2 / (2 * of)) / (1 + Z ** 2 / of);
  const half = (Z / (1 + Z ** 2 / of)) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** The score of a sample and every change that survived. */
export function describeScore(
  mutants: readonly Mutant[],
  lines: readonly SessionLine[],
): { readonly text: string; readonly survivors: number } {
  const results = new Map(lines.flatMap((line) => (line.kind === "end" ? [[line.id, line.result] as const] : [])));
  const killed = mutants.filter(({ id }) => results.get(id) === "killed").length;
  const survivors = mutants.filter(({ id }) => results.get(id) === "survived");
  const { low, high } = shareInterval(killed, mutants.length);
  const score = percent(killed / mutants.length);
  const list = survivors.map(({ id, file, line, change }) => `SURVIVED ${id} ${file}:${line}: ${change}`);
  const text = `${killed} of ${mutants.length} killed: ${score} (95 % interval ${percent(low)} to ${percent(high)})`;
  return { text: [...list, text].join("\n"), survivors: survivors.length };
}
