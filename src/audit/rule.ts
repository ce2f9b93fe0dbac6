import type { Facts } from "./facts.ts";

export interface Finding {
  /** broken: buyers or registries fail on it. warning: it costs trust or reach. hint: nothing is wrong. */
  readonly severity: "broken" | "warning" | "hint";
  /** What was seen, and where. */
  readonly about: string;
  /** What to do, in one sentence. */
  readonly fix: string;
}

/** One thing graders look at. Rules are pure: they read what was fetched. */
export interface Rule {
  readonly id: string;
  /** What holds when it is met. */
  readonly title: string;
  /** Its share of the score. 0: only hints. */
  readonly weight: number;
  /** Nothing when it is met; null when it does not apply to this node. */
  readonly check: (facts: Facts) => readonly Finding[] | null;
}

export const broken = (about: string, fix: string): Finding => ({ severity: "broken", about, fix });
export const warning = (about: string, fix: string): Finding => ({ severity: "warning", about, fix });
export const hint = (about: string, fix: string): Finding => ({ severity: "hint", about, fix });

const SHOWN = 5;

/** One finding for something that is wrong in several places; none when there are none. */
export function gather(
  places: readonly string[],
  severity: Finding["severity"],
  say: { readonly what: string; readonly fix: string },
): readonly Finding[] {
  if (places.length === 0) return [];
  const more = places.length > SHOWN ? ` and ${places.length - SHOWN} more` : "";
  return [{ severity, about: `${say.what}: ${places.slice(0, SHOWN).join("; ")}${more}`, fix: say.fix }];
}
