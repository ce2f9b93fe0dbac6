import type { Timers } from "../core/clock.ts";
import { getOwn } from "../core/own.ts";

export type LineLevel = "info" | "warn" | "error";
type LineFields = Readonly<Record<string, unknown>>;

/** How often a cause that goes on is logged again. */
export const REPEATS_TOLD_EVERY_MS = 3_600_000;
/** More causes than this at once are all told, and counting begins anew. */
const CAUSES_MAX = 2_000;

/** A fault of code is named by where it is; a failure of sources reads otherwise with each source that comes first. */
const nameFault = ({ file, line, error }: LineFields): readonly unknown[] =>
  file === undefined ? [] : [file, line, reduce("error", error)];
const nameCall = ({ provider, url, error, status }: LineFields): readonly unknown[] => [
  ...[provider, reduce("url", url), error, status],
];

/**
 * Events that one cause brings about over and over with other details each time, and what names the cause in them. A
 * source that is down fails for every address of it; a chain that is down fails for every receipt.
 */
const CAUSE_NAMES: Readonly<Record<string, (fields: LineFields) => readonly unknown[]>> = {
  upstream_call: nameCall,
  upstream_socket: (fields) => [...nameCall(fields), fields.ok],
  // That it is well again is news; that it is tried and shut off in turn is one cause.
  upstream_breaker: (fields) => [...nameCall(fields), fields.state === "closed"],
  product_failed: (fields) => [fields.product, fields.kind, ...nameFault(fields)],
  product_without_data: ({ product, kind }) => [product, kind],
  job_failed: (fields) => [fields.job, ...nameFault(fields)],
  landing_not_read: ({ network, error }) => [network, reduce("error", error)],
  reconcile_failed: ({ network, error }) => [network, reduce("error", error)],
  channel_not_read: ({ error }) => [reduce("error", error)],
};

/** Each of these lines is a deed, a movement of money or about who is to be trusted: two alike are two. */
const EACH_COUNTS: ReadonlySet<string> = new Set([
  "admin_action",
  "alert",
  "backup_taken",
  "channel_claim",
  "channel_claim_failed",
  "channel_deposit",
  "channel_refund",
  "channel_sweep",
  "channel_withdrawal",
  "extension_answer",
  "handed_over",
  "handing_over",
  "handover_failed",
  "ledger_halted",
  "ledger_refuses",
  "ledger_writes_again",
  "peer_history_inconsistent",
  "peer_lies",
  "public_url_missing",
  "ready",
  "reload_refused",
  "reloaded",
  "sale",
  "settle",
  "settled_again",
  "settled_but_not_booked",
  "settlement_doubted",
  "signal_ignored",
  "stand_in",
  "state",
  "switched",
  "untrusted_proxy",
  "verify_refused",
]);

/** A line with one of these is about one call, one payment or one person: it is never counted with others. */
const NAMES_ONE = [
  ...["request_id", "payment", "payment_id", "receipt", "transaction", "payer", "account", "key", "client", "by"],
  ...["amount", "amount_atomic", "channel"],
];

/** What is measured anew each time says nothing of the cause. */
const isMeasure = (name: string): boolean => /^(attempts?|times|tries)$|_m?s$/.test(name);
/** Texts for people, in which figures (how long, how often) change while the cause is the same. */
const PROSE: ReadonlySet<string> = new Set(["error", "message", "reason", "why"]);

interface Cause {
  readonly level: LineLevel;
  /** The newest line of it. */
  fields: LineFields;
  /** Lines that were not written. */
  repeated: number;
  /** When the line before those was written: ms since the epoch. */
  since_ms: number;
}

export interface RepeatsOptions {
  readonly timers: Timers;
  /** ms since the epoch. */
  readonly now_ms: () => number;
  /** Writes the line that summarizes those that were not written. */
  readonly tell: (level: LineLevel, fields: LineFields) => void;
}

/** Counts log lines of one cause instead of letting each be written. */
export interface Repeats {
  /** Whether the line is one more of a cause that was written lately: then it is counted, and must not be written. */
  counts(level: LineLevel, fields: LineFields): boolean;
  /** Writes what was counted so far. Causes that did not come again are forgotten. */
  tell(): void;
}

/**
 * The first line of a cause is written at once; those that follow are counted and told by one line a period:
 * the newest of them, with `repeated` and `since`.
 */
export function createRepeats({ timers, now_ms, tell }: RepeatsOptions): Repeats {
  const causes = new Map<string, Cause>();
  let is_waiting = false;

  const tellAll = (): void => {
    const at_ms = now_ms();
    for (const [id, cause] of [...causes]) {
      if (cause.repeated === 0) causes.delete(id);
      else
        tell(cause.level, { ...cause.fields, repeated: cause.repeated, since: new Date(cause.since_ms).toISOString() });
      cause.repeated = 0;
      cause.since_ms = at_ms;
    }
  };
  const wait = (): void => {
    if (is_waiting) return;
    is_waiting = true;
    timers.after(REPEATS_TOLD_EVERY_MS, () => {
      is_waiting = false;
      tellAll();
      if (causes.size > 0) wait();
    });
  };

  return {
    counts(level, fields) {
      const id = nameCause(level, fields);
      if (id === null) return false;
      const known = causes.get(id);
      if (known) {
        known.repeated += 1;
        known.fields = fields;
        return true;
      }
      if (causes.size >= CAUSES_MAX) {
        tellAll();
        causes.clear();
      }
      causes.set(id, { level, fields, repeated: 0, since_ms: now_ms() });
      wait();
      return false;
    },
    tell: tellAll,
  };
}

/** What a line has in common with the others of its cause; null for a unique line. */
function nameCause(level: LineLevel, fields: LineFields): string | null {
  const event = String(fields.event);
  if (EACH_COUNTS.has(event)) return null;
  const named = getOwn(CAUSE_NAMES, event);
  if (named) return renderKey([level, event, ...named(fields)]);
  if (NAMES_ONE.some((name) => Object.hasOwn(fields, name))) return null;
  const rest = Object.entries(fields).filter(([name]) => !isMeasure(name));
  return renderKey([level, ...rest.map(([name, value]) => [name, reduce(name, value)])]);
}

/** A value without what changes from line to line of one cause. */
function reduce(name: string, value: unknown): unknown {
  if (value instanceof Error) return reduce("error", value.message);
  if (typeof value !== "string") return value;
  if (name === "url") return URL.canParse(value) ? new URL(value).origin : value;
  return PROSE.has(name) ? value.replace(/\d+/g, "#") : value;
}

/** Null for a value without its own text, such as a circle: its line is written. */
function renderKey(parts: readonly unknown[]): string | null {
  try {
    return JSON.stringify(parts, (_, value) => (typeof value === "bigint" ? String(value) : value));
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
