import { sleep, systemTimers } from "../../core/clock.ts";
import { isNodeError, messageOf } from "../../core/errors.ts";
import type { AlertCondition } from "../types.ts";
import type { AlertParts } from "./alert-parts.ts";

/** One part of what is looked at, judged alone: whatever is wrong with it hides no other. */
export interface ConditionLook {
  /** For people: what cannot be judged when it fails. */
  readonly name: string;
  /** Events it alone can open and close. */
  readonly events: readonly string[];
  /** Then it fails with the ledger, and silence is the ledger's. */
  readonly reads_ledger?: true;
  readonly find: (parts: AlertParts) => readonly AlertCondition[] | Promise<readonly AlertCondition[]>;
}

export interface AlertJudgement {
  readonly conditions: readonly AlertCondition[];
  /** Events nobody could judge now. */
  readonly unseen: ReadonlySet<string>;
}

/** A database that is away may answer nothing at all: nobody waits for it longer. */
const LOOK_MS_MAX = 10_000;
/** One read that failed is a connection that was cut. */
const READ_FAILED_MS = 10_000;
const REASON_CHARS_MAX = 200;

interface Flight {
  readonly found: Promise<unknown>;
  readonly begun_ms: number;
}

/** Looks under way, by who looks: a database that hangs for hours must not gather a question every pass. */
const under_way = new WeakMap<object, Map<string, Flight>>();
/** After so long nobody believes any more that it will answer. */
const FLIGHT_MS_MAX = 300_000;

function join<T>(owner: Pick<AlertParts, "timers">, name: string, find: () => T | Promise<T>): Promise<T> {
  const now_ms = (owner.timers ?? systemTimers).elapsed_ms();
  const flights = under_way.get(owner) ?? new Map<string, Flight>();
  under_way.set(owner, flights);
  const known = flights.get(name);
  if (known && now_ms - known.begun_ms < FLIGHT_MS_MAX) return known.found as Promise<T>;
  const found = Promise.resolve().then(find);
  const flight = { found, begun_ms: now_ms };
  flights.set(name, flight);
  const forget = (): void => {
    if (flights.get(name) === flight) flights.delete(name);
  };
  found.then(forget, forget);
  return found;
}

/**
 * What a look, or anything else that reads the books, came to; its fault as a condition of its own. One that is still
 * under way from before is waited for once more.
 */
export async function judgeOne<T>(
  look: Pick<ConditionLook, "name" | "reads_ledger">,
  parts: Pick<AlertParts, "timers">,
  find: () => T | Promise<T>,
): Promise<{ readonly found: T } | { readonly fault: AlertCondition }> {
  const { timers = systemTimers } = parts;
  const giveUp = new AbortController();
  const late = sleep(timers, LOOK_MS_MAX, giveUp.signal).then(() => {
    throw new LateError(`no answer in ${LOOK_MS_MAX / 1_000} s`);
  });
  try {
    return { found: await Promise.race([join(parts, look.name, find), late]) };
  } catch (error) {
    return { fault: describeFault(look, error) };
  } finally {
    // The wait that is given up rejects, and nobody listens any more.
    late.catch(() => undefined);
    giveUp.abort();
  }
}

class LateError extends Error {}

function describeFault(
  { name, reads_ledger }: Pick<ConditionLook, "name" | "reads_ledger">,
  error: unknown,
): AlertCondition {
  const reason = messageOf(error).slice(0, REASON_CHARS_MAX).replace(/\.$/, "");
  const is_ledger = isNodeError(error) ? error.code === "ledger_unavailable" : error instanceof LateError;
  if (reads_ledger === true && is_ledger) {
    const text = `${reason}. Sales wait for it. See "intel-node doctor", the disk and the database.`;
    return { id: "ledger", severity: "critical", title: "the ledger cannot be read", text, for_ms: READ_FAILED_MS };
  }
  const title = `alerts cannot judge ${name}`;
  const text = `${reason}. What is wrong there is not told until this is over.`;
  return { id: `look:${name}`, severity: "warning", title, text, for_ms: READ_FAILED_MS };
}

/** What is wrong now, as far as it can be judged. Never throws: a look that fails is itself reported. */
export async function judgeConditions(parts: AlertParts, looks: readonly ConditionLook[]): Promise<AlertJudgement> {
  const unseen = new Set<string>();
  const found = await Promise.all(
    looks.map(async (look) => {
      const judged = await judgeOne(look, parts, () => look.find(parts));
      if ("found" in judged) return judged.found;
      for (const event of look.events) unseen.add(event);
      return [judged.fault];
    }),
  );
  return { conditions: mergeSame(found.flat()), unseen };
}

/** Several looks may find the same trouble: the first one's words stand. */
export const mergeSame = (conditions: readonly AlertCondition[]): readonly AlertCondition[] =>
  [...new Map(conditions.toReversed().map((condition) => [condition.id, condition])).values()].toReversed();
