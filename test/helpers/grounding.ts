import { expect } from "bun:test";
import type { FactsPack } from "../../src/grounding/facts.ts";
import { createGuard } from "../../src/grounding/guard.ts";
import { createSentences } from "../../src/grounding/sentences.ts";
import type { WritingPlan } from "../../src/grounding/write-blocks.ts";

/** A number no rounding takes for another: another size and, of changes, the other sign. */
const alter = (value: number, is_change: boolean): number =>
  is_change ? -(value * 1.37 + Math.sign(value || 1)) : value * 1.37 + 1;

const withFact = (pack: FactsPack, id: string): FactsPack => ({
  ...pack,
  facts: pack.facts.map((fact) =>
    fact.id === id ? { ...fact, value: alter(fact.value, fact.kind === "change") } : fact,
  ),
});

/**
 * Holds a text to its facts: its templates pass the guard whole, and each number it cites, changed alone, changes the
 * text or makes the guard refuse the old one.
 * @returns how many facts the text cites.
 */
export function expectGrounded(plan: WritingPlan): number {
  const { pack, locale } = plan;
  const write = (from: FactsPack, template: WritingPlan["blocks"][number]["template"], id: string) => {
    const sentences = createSentences(from, locale);
    template(sentences);
    return sentences.block(id);
  };
  const guard = createGuard(pack, locale);
  const cited = new Set<string>();
  for (const { id, template } of plan.blocks) {
    const block = write(pack, template, id);
    if (!block) continue;
    expect({ id, text: block.text, faults: guard.check(block) }).toEqual({ id, text: block.text, faults: [] });
    for (const fact of block.facts) {
      cited.add(fact);
      const changed = withFact(pack, fact);
      const again = write(changed, template, id);
      const is_refused = createGuard(changed, locale).check(block).length > 0;
      expect({ id, fact, follows: is_refused || again?.text !== block.text }).toEqual({ id, fact, follows: true });
    }
  }
  return cited.size;
}
