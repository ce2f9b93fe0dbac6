import type { FactBase } from "../facts/fact-base.ts";
import { getBalance } from "../facts/periods.ts";

/**
 * Long-term and short-term debt near a day, nothing counted twice. Short-term debt is stated as one number, or as the
 * part of long-term debt that is due and borrowings beside it (commercial paper is one of these). The tag LongTermDebt
 * holds the part that is due already.
 */
export function readDebt(base: FactBase, at: string): { readonly long: number | null; readonly short: number | null } {
  const read = (id: Parameters<typeof getBalance>[1]): number | null => getBalance(base, id, at)?.value ?? null;
  const long = getBalance(base, "debt_long", at);
  const borrowings = read("borrowings_short");
  if (long?.facts[0]?.tag === "LongTermDebt") return { long: long.value, short: borrowings };
  const due = read("debt_long_current");
  const parts = due === null && borrowings === null ? null : (due ?? 0) + (borrowings ?? 0);
  return { long: long?.value ?? null, short: read("debt_current") ?? parts };
}
