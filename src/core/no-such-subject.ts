import { listClosest } from "./closest.ts";
import { NodeError } from "./errors.ts";

const NEAR_MAX = 3;

export interface MissingSubject {
  /** The parameter that names it. */
  readonly param: string;
  readonly got: string;
  /** Names there are, of which the nearest are suggested. */
  readonly known: Iterable<string>;
}

/**
 * The error for a subject that only an upstream could know not to exist, with suggestions of what was meant.
 * @param message a whole sentence, such as "The SEC lists no ticker APPL."
 */
export function createNoSuchSubject(message: string, { param, got, known }: MissingSubject): NodeError {
  const near = listClosest(got, known, NEAR_MAX);
  const hint = near.length > 0 ? ` Near: ${near.join(", ")}.` : "";
  return new NodeError("subject_not_found", `${message}${hint} Nothing was charged.`, {
    param,
    details: { parameter: param, got, ...(near.length > 0 ? { near } : {}) },
  });
}
