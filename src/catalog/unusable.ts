/** Of the whole process: a plugin may bring its own copy of this module. No JSON can hold it. */
const TAG: unique symbol = Symbol.for("intel-node.unusable");

/** What a reader returns instead of a value: why the answer, the row or the message is refused. */
export interface Unusable {
  readonly [TAG]: true;
  /** For the log and `sources[]`. */
  readonly why: string;
}

/** Refuses what a reader was given. `return unusable("no rows")`. */
export const unusable = (why: string): Unusable => Object.freeze({ [TAG]: true as const, why });

/** Whether a reader refused. */
export const isUnusable = (value: unknown): value is Unusable =>
  typeof value === "object" && value !== null && TAG in value;

/**
 * The value a reader returned, or its refusal. Readers used to refuse by returning a text. A plugin written then is not
 * compiled against these types, so a text counts as a value only if the request says that it may be one.
 */
export function judgeReading<T>(value: T | Unusable, gives_text: boolean | undefined): T | Unusable {
  if (typeof value !== "string" || gives_text === true) return value;
  return unusable(
    "the reader returned a text: it refuses by unusable(why); a text as the value needs gives_text: true",
  );
}
