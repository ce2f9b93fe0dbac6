import { hashPublished } from "./facts.ts";
import type { WrittenAnswer } from "./schema.ts";

/**
 * Reduces a text to the facts and citations it shows, which are those its buyer needs to check it. They keep their ids;
 * the hash covers what is left. Pure.
 * @param more ids that other parts of the answer cite.
 */
export function keepShown(written: WrittenAnswer, more: readonly string[] = []): WrittenAnswer {
  const shown = new Set(more);
  for (const { facts, sources } of written.blocks) for (const id of [...facts, ...sources]) shown.add(id);
  const facts = written.facts.filter(({ id }) => shown.has(id));
  const citations = written.citations.filter(({ id }) => shown.has(id));
  return { ...written, facts, citations, pack_hash: hashPublished({ facts, citations }) };
}
