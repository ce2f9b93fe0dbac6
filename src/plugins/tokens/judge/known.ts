import type { TellGist } from "intel-node";
import { isFactor } from "./factors.ts";

type Teller = Parameters<TellGist<object>>[1];

/** Rules, not factors, in a list of what is not known. */
export const countRules = (unknown: readonly string[]): number => unknown.filter((id) => !isFactor(id)).length;

/** How much is known in one form of words, rules too: every factor can be known while a rule is not. */
export function tellKnown(
  judged: { readonly coverage?: number; readonly unknown?: readonly string[] } | undefined,
  { en, pt, fig, share, opt, pick }: Teller,
) {
  const points = share(judged?.coverage, { decimals: 0 });
  const rules = countRules(judged?.unknown ?? []);
  const open = rules === 0 ? null : fig(rules, "count");
  const noun = rules === 1 ? pick("rule", "regra desconhecida") : pick("rules", "regras desconhecidas");
  return (
    en`${points} of the points known${opt(en` and ${open} ${noun} not known`)}` ??
    pt`${points} dos pontos conhecidos${opt(pt` e ${open} ${noun}`)}`
  );
}
