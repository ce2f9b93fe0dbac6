import type { FetchContext } from "intel-node";

/** An adverse finding of a source about a subject, and when it was last made. */
export interface AdverseFinding {
  readonly source: string;
  readonly finding: string;
  readonly seen_at_ms: number;
}

const KEEP_MS = 86_400_000;
const SUBJECTS_MAX = 20_000;

type Findings = Map<string, Map<string, AdverseFinding>>;

// Of each node its own: a node is known by its records.
const memories = new WeakMap<object, Findings>();

const memoryOf = ({ records }: Pick<FetchContext, "records">): Findings => {
  const known = memories.get(records);
  if (known) return known;
  const made: Findings = new Map();
  memories.set(records, made);
  return made;
};

/**
 * What a source says of a subject now, beside what it said within the last 24 hours: an adverse finding stays until a
 * fresh reading of the same source refutes it, and a source that falls silent refutes nothing.
 * @param said the findings of a fresh reading; null when the source gave no answer.
 */
export function rememberAdverse(
  context: Pick<FetchContext, "records" | "now_ms">,
  {
    subject,
    source,
    said,
  }: { readonly subject: string; readonly source: string; readonly said: readonly string[] | null },
): readonly AdverseFinding[] {
  const memory = memoryOf(context);
  const of_subject = memory.get(subject) ?? new Map<string, AdverseFinding>();
  const { now_ms } = context;
  const isOfSource = (one: AdverseFinding): boolean => one.source === source;
  for (const [key, one] of of_subject) {
    const is_refuted = said !== null && isOfSource(one);
    if (is_refuted || now_ms - one.seen_at_ms > KEEP_MS) of_subject.delete(key);
  }
  for (const finding of said ?? []) of_subject.set(`${source} ${finding}`, { source, finding, seen_at_ms: now_ms });
  memory.delete(subject);
  if (of_subject.size > 0) memory.set(subject, of_subject);
  const [oldest] = memory.size > SUBJECTS_MAX ? memory.keys() : [];
  if (oldest !== undefined) memory.delete(oldest);
  return [...of_subject.values()].filter(isOfSource);
}
