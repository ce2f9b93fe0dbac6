import type { Clock, Timers } from "./clock.ts";

/** A clock this far off makes signed payments look not yet valid, or dead. */
const OFF_MS_MAX = 5_000;
/** A server's time older than this says nothing about the clock now. */
const SAID_MS_MAX = 180_000;
const HOSTS_MAX = 100;
/** Payments refused for this long, with no payment accepted, suggest that the clock is wrong. */
const REFUSED_MS = 600_000;
const REFUSED_MIN = 2;

/** Payments since the start. */
export interface PaymentCounts {
  /** Turned away because their time was over. */
  readonly expired: number;
  readonly taken: number;
}

/** What responses and payments that arrive anyway say about this machine's clock. Makes no requests. */
export interface ClockWatch {
  /** Notes the Date header of an answer that has just come. */
  note(url: string, headers: Pick<Headers, "get">): void;
  /** Notes how payments went; called every quarter of a minute or so. */
  notePayments(counts: PaymentCounts): void;
  /** How far the clock is off, in words; null while it is right; undefined while too little is known. */
  judge(): string | null | undefined;
}

interface ClockWatchParts {
  readonly clock: Clock;
  readonly timers: Pick<Timers, "elapsed_ms">;
}

/**
 * Two servers that agree are believed, and one that payments bear out: buyers sign by their own clocks. Strangers who
 * send old payments prove nothing alone.
 */
export function createClockWatch({ clock, timers }: ClockWatchParts): ClockWatch {
  const said = new Map<string, { readonly offset_ms: number; readonly at_ms: number }>();
  let payments: readonly (PaymentCounts & { readonly at_ms: number })[] = [];

  const listFresh = (): readonly number[] => {
    const since_ms = timers.elapsed_ms() - SAID_MS_MAX;
    for (const [host, { at_ms }] of said) if (at_ms < since_ms) said.delete(host);
    return [...said.values()].map(({ offset_ms }) => offset_ms);
  };
  const areRefused = (): boolean => {
    const [first, last] = [payments[0], payments.at(-1)];
    if (!first || !last) return false;
    return last.taken === first.taken && last.expired - first.expired >= REFUSED_MIN;
  };

  return {
    note(url, headers) {
      const date_ms = Date.parse(headers.get("date") ?? "");
      // A cached response carries the date on which it was made.
      if (Number.isNaN(date_ms) || Number(headers.get("age") ?? 0) > 0 || !URL.canParse(url)) return;
      const { host } = new URL(url);
      if (said.size >= HOSTS_MAX && !said.has(host)) return;
      // The header counts whole seconds, cut off: half of one is what it lacks on average.
      said.set(host, { offset_ms: date_ms + 500 - clock.now(), at_ms: timers.elapsed_ms() });
    },
    notePayments(counts) {
      const now_ms = timers.elapsed_ms();
      payments = [...payments.filter(({ at_ms }) => now_ms - at_ms <= REFUSED_MS), { ...counts, at_ms: now_ms }];
    },
    judge() {
      const offsets = listFresh().toSorted((a, b) => a - b);
      const middle = offsets[Math.floor((offsets.length - 1) / 2)];
      if (middle === undefined) return undefined;
      const is_borne_out = offsets.length > 1 || areRefused();
      if (Math.abs(middle) <= OFF_MS_MAX) return is_borne_out ? null : undefined;
      // As many servers say that the clock is right: undecided.
      const agree = offsets.filter((one) => Math.abs(one) > OFF_MS_MAX && one > 0 === middle > 0).length;
      if (!is_borne_out || agree * 2 <= offsets.length) return undefined;
      const side = middle > 0 ? "behind" : "ahead of";
      const bearing = areRefused() ? ", and payments are refused for it" : "";
      const servers = `${agree} ${agree === 1 ? "server" : "servers"}`;
      return `${Math.abs(middle / 1_000).toFixed(1)} s ${side} ${servers} that answered this node${bearing}`;
    },
  };
}
