import { getOwn } from "../core/own.ts";
import { type Comparison, isMomentary, type Scalar, type WatchCondition } from "./condition.ts";

/** What is remembered between evaluations, by the place of a condition in the whole: plain JSON. */
export interface Memory {
  /** The last known value of a field. */
  readonly last: Readonly<Record<string, Scalar>>;
  /** Keys of rows that were seen, the newest last. */
  readonly seen: Readonly<Record<string, readonly string[]>>;
  /** Whether a part held in the last evaluations, the newest last. */
  readonly held: Readonly<Record<string, readonly boolean[]>>;
  /** Whether the whole held last time; null before the first evaluation. */
  readonly whole: boolean | null;
}

export const NO_MEMORY: Memory = { last: {}, seen: {}, held: {}, whole: null };

/** A field the condition looked at, with its value now and at the evaluation before; null is not known. */
export interface Looked {
  readonly field: string;
  readonly before: Scalar | null;
  readonly now: Scalar | null;
  /** Of a list: keys of the rows that are new. */
  readonly new_keys?: readonly string[];
}

export interface WatchJudgement {
  readonly holds: boolean;
  readonly looked: readonly Looked[];
  readonly memory: Memory;
}

/** Of one list: a list that shows some rows in turns is not new again each time. */
const SEEN_MAX = 1_000;
const KEY_CHARS_MAX = 200;

/**
 * Judges a condition on an answer's data. A figure that is not known (null, or not there) meets no comparison and is
 * no change: the one before it is remembered. Nothing is new in the first list that is seen.
 */
export function judge(condition: WatchCondition, data: unknown, memory: Memory): WatchJudgement {
  const next = { last: { ...memory.last }, seen: { ...memory.seen }, held: { ...memory.held } };
  const looked: Looked[] = [];

  const look = (field: string, place: string): { before: Scalar | null; now: Scalar | null } => {
    const before = getOwn(memory.last, place) ?? null;
    const now = readScalar(data, field);
    if (now !== null) next.last[place] = now;
    looked.push({ field, before, now });
    return { before, now };
  };

  const lookForNew = (field: string, by: string, place: string): boolean => {
    const earlier = getOwn(memory.seen, place);
    const list = readPath(data, field);
    const rows: readonly unknown[] = Array.isArray(list) ? list : [];
    const keys = rows.flatMap((row) => {
      const key = readScalar(row, by);
      return key === null ? [] : [String(key).slice(0, KEY_CHARS_MAX)];
    });
    const known = new Set(earlier);
    const new_keys = earlier === undefined ? [] : [...new Set(keys)].filter((key) => !known.has(key));
    const now = new Set(keys);
    const kept = [...known].filter((key) => !now.has(key));
    if (Array.isArray(list)) next.seen[place] = [...kept, ...now].slice(-SEEN_MAX);
    looked.push({ field, before: null, now: null, new_keys });
    return new_keys.length > 0;
  };

  // Every part is judged, also where the whole is decided already: each remembers what it saw.
  const holdsAt = (part: WatchCondition, place: string): boolean => {
    switch (part.kind) {
      case "compare": {
        const { now } = look(part.field, place);
        return now !== null && compare(now, part.op, part.value);
      }
      case "changed": {
        const { before, now } = look(part.field, place);
        return before !== null && now !== null && before !== now;
      }
      case "crossed": {
        const { before, now } = look(part.field, place);
        if (typeof before !== "number" || typeof now !== "number") return false;
        const up = before < part.value && now >= part.value;
        const down = before > part.value && now <= part.value;
        return (part.direction !== "down" && up) || (part.direction !== "up" && down);
      }
      case "new":
        return lookForNew(part.field, part.by, place);
      case "all":
        return part.conditions.map((one, index) => holdsAt(one, `${place}.${index}`)).every(Boolean);
      case "any":
        return part.conditions.map((one, index) => holdsAt(one, `${place}.${index}`)).some(Boolean);
      case "not":
        return !holdsAt(part.condition, `${place}.n`);
      case "for": {
        const { times, of } = part.persistence;
        const results = [...(getOwn(memory.held, place) ?? []), holdsAt(part.condition, `${place}.f`)].slice(-of);
        next.held[place] = results;
        return results.filter(Boolean).length >= times;
      }
      default:
        return part satisfies never;
    }
  };

  const holds = holdsAt(condition, "0");
  return { holds, looked, memory: { ...next, whole: holds } };
}

/**
 * Whether an answer makes an event: a state when it begins to hold, or each time it holds if it repeats; a change
 * each time.
 */
export function judgeToTell(
  { condition, repeat }: { readonly condition: WatchCondition; readonly repeat: boolean },
  data: unknown,
  memory: Memory,
): WatchJudgement {
  const judged = judge(condition, data, memory);
  const begins = repeat || isMomentary(condition) || memory.whole !== true;
  return { ...judged, holds: judged.holds && begins };
}

function compare(now: Scalar, op: Comparison, value: Scalar): boolean {
  if (op === "==") return now === value;
  if (op === "!=") return now !== value;
  if (typeof now !== "number" || typeof value !== "number") return false;
  switch (op) {
    case "<":
      return now < value;
    case "<=":
      return now <= value;
    case ">":
      return now > value;
    case ">=":
      return now >= value;
    default:
      return op satisfies never;
  }
}

function readPath(data: unknown, path: string): unknown {
  let value: unknown = data;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = getOwn(value as Readonly<Record<string, unknown>>, name);
  }
  return value;
}

function readScalar(data: unknown, path: string): Scalar | null {
  const value = readPath(data, path);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
