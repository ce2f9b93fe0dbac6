import { column, defineTable, type FetchContext, type JobContext } from "intel-node";

/** An adverse finding of a source about a subject, and when it was last made. */
export interface AdverseFinding {
  readonly source: string;
  readonly finding: string;
  readonly seen_at_ms: number;
}

/** Adverse findings of the last day: what a restart must not forget. A job brings them here, once a minute. */
export const adverseFindings = defineTable({
  name: "trust-desk/adverse-findings",
  storage: "kept",
  columns: { subject: column.text(), source: column.text(), finding: column.text(), seen_at_ms: column.integer() },
  key: ["subject", "source", "finding"],
  indexes: [["seen_at_ms"]],
  retention: { column: "seen_at_ms", keep: "25h" },
});

const KEEP_MS = 86_400_000;
const SUBJECTS_MAX = 20_000;
const ROWS_MAX = 5_000;

/** What one source said of one subject, and when it last answered at all. */
interface Said {
  readonly subject: string;
  readonly source: string;
  findings: readonly AdverseFinding[];
  /** When it last answered; an earlier finding that it did not repeat is refuted. */
  heard_at_ms: number;
  is_stored: boolean;
}
type Memory = Map<string, Said>;

// Of each node its own: a node is known by its records.
const memories = new WeakMap<object, Memory>();

const memoryOf = ({ records }: Pick<FetchContext, "records">): Memory => {
  const known = memories.get(records);
  if (known) return known;
  const made: Memory = new Map();
  memories.set(records, made);
  return made;
};

const keyOf = (subject: string, source: string): string => `${source} ${subject}`;

/**
 * What a source says of a subject now; where it is silent, what it said within the last 24 hours, before a restart
 * too: an adverse finding stays until a fresh reading of the same source refutes it, and silence refutes nothing.
 * @param said the findings of a fresh reading; null when the source gave no answer.
 */
export async function rememberAdverse(
  context: Pick<FetchContext, "records" | "now_ms" | "table">,
  about: { readonly subject: string; readonly source: string; readonly said: readonly string[] | null },
): Promise<readonly AdverseFinding[]> {
  const { subject, source, said } = about;
  const memory = memoryOf(context);
  const { now_ms } = context;
  const key = keyOf(subject, source);
  const known = memory.get(key);
  if (said === null) {
    const since_ms = now_ms - KEEP_MS;
    const own = (known?.findings ?? []).filter(({ seen_at_ms }) => seen_at_ms >= since_ms);
    if (known) return own;
    const rows = await context
      .table(adverseFindings)
      .find({ where: { subject, source, seen_at_ms: { from: since_ms } }, limit: 100 });
    return rows.map(({ finding, seen_at_ms }) => ({ source, finding, seen_at_ms }));
  }
  const findings = said.map((finding) => ({ source, finding, seen_at_ms: now_ms }));
  // The newest subjects come last, so that the first one is the oldest.
  memory.delete(key);
  memory.set(key, { subject, source, findings, heard_at_ms: now_ms, is_stored: false });
  const [oldest] = memory.size > SUBJECTS_MAX ? memory.keys() : [];
  if (oldest !== undefined) memory.delete(oldest);
  return findings;
}

/** Brings what was said since the last time into the table: findings in, what was refuted out. */
export async function storeAdverse(context: Pick<JobContext, "records" | "table">): Promise<void> {
  const table = context.table(adverseFindings);
  const fresh = [...memoryOf(context).values()].filter(({ is_stored }) => !is_stored).slice(0, ROWS_MAX);
  const rows = fresh.flatMap(({ subject, findings }) => findings.map((one) => ({ ...one, subject })));
  if (rows.length > 0) await table.put(rows);
  const subjects = [...new Set(fresh.map(({ subject }) => subject))];
  const listed: { readonly subject: string; readonly source: string; readonly seen_at_ms: number }[] = [];
  for (let at = 0; at < subjects.length; at += 500) {
    listed.push(...(await table.find({ where: { subject: { in: subjects.slice(at, at + 500) } }, limit: 10_000 })));
  }
  const stored = new Set(listed.map(({ subject, source }) => keyOf(subject, source)));
  for (const said of fresh) {
    const { subject, source, heard_at_ms } = said;
    if (stored.has(keyOf(subject, source))) await table.remove({ subject, source, seen_at_ms: { below: heard_at_ms } });
    said.is_stored = true;
  }
}
