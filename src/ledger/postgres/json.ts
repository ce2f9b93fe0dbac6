/** Lone surrogates and the NUL character: PostgreSQL takes neither. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Looked at first: nearly every text is, and replacing nothing in a long one takes long. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/**
 * What goes into a command, as JSON. Amounts become text, bytes hex; what the database cannot hold becomes U+FFFD, the
 * mark of something unreadable.
 */
export const renderArguments = (args: object): string => JSON.stringify(args, replace);

function replace(_key: string, value: unknown): unknown {
  if (typeof value === "string") return isStorable(value) ? value : value.replace(UNSTORABLE, "\ufffd");
  if (typeof value === "bigint") return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}

/** The members of an object that are not null; null when nothing is left. */
export function dropEmpty(parts: Readonly<Record<string, object | null>>): object | null {
  const kept = Object.entries(parts).filter(([, part]) => part !== null);
  return kept.length === 0 ? null : Object.fromEntries(kept);
}
