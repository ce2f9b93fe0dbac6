import { hashPublished } from "./facts.ts";
import type { Written } from "./schema.ts";

/**
 * A text with the facts and citations it shows, and no others: what its buyer needs to check it. They keep their ids,
 * and the hash is of what is left. Pure.
 */
export function keepShown(written: Written): Written {
  const shown = new Set(written.blocks.flatMap(({ facts, sources }) => [...facts, ...sources]));
  const facts = written.facts.filter(({ id }) => shown.has(id));
  const citations = written.citations.filter(({ id }) => shown.has(id));
  return { ...written, facts, citations, pack_hash: hashPublished({ facts, citations }) };
}
