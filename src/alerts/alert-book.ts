import { type Clock, renderTime } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { type KeptMessage, loadBook, type OpenAlert, type Outgoing, writeBook } from "./book-file.ts";
import { eventOf, forgetSent, keyOf, planMessages } from "./plan-messages.ts";
import type { AlertChannel, AlertCondition, AlertMessage, Happening } from "./types.ts";

/** What ended within this time and comes back is the same trouble: it is not reported twice. */
const QUIET_MS = 600_000;
/** What comes back so soon after its end was told comes and goes: its next end takes longer to be believed. */
const AGAIN_MS = 3_600_000;
/** A trouble that another one explained ends a little after that one: only what stays is reported. */
const FREED_MS = 300_000;
const RETRY_FIRST_MS = 30_000;
/** A channel that was away, as with the whole network, is found within a minute of its return. */
const RETRY_MS_MAX = 60_000;
/** Happenings are remembered, so that they are reported once; the oldest go. */
const TOLD_MAX = 400;
const WAITING_MAX = 200;
const RECENT_MAX = 100;

/** One alert as the operator sees it. */
export interface AlertStatus {
  readonly id: string;
  readonly severity: string;
  readonly title: string;
  readonly text: string;
  /** ISO 8601. */
  readonly since: string;
  /** Whether a message about it went to any channel. */
  readonly told: boolean;
}

export interface AlertBook {
  /**
   * What is wrong now: opens what is new, closes what is gone. An open one that cannot be judged now stays open: what
   * nobody has looked at since the start has not mended. Needs no disk.
   */
  update(
    conditions: readonly AlertCondition[],
    isUnseen?: (id: string, subjects: readonly string[] | undefined) => boolean,
  ): void;
  /** Tells something once for ever. */
  tell(happening: Happening): void;
  hasTold(id: string): boolean;
  /** Since when it is kept, over all restarts. */
  readonly begun_ms: number;
  /** Sends what is due, then keeps on disk what was told. Never throws. */
  deliver(): Promise<void>;
  list(): readonly AlertStatus[];
  /** What was told last, newest first. */
  recent(): readonly AlertMessage[];
  /** Messages nobody has taken yet. */
  readonly undelivered: number;
}

export interface AlertBookOptions {
  /** Where it is kept over restarts. */
  readonly file: string;
  readonly clock: Clock;
  /** Read anew with each message. */
  readonly channels: readonly AlertChannel[];
  readonly log: (told: Readonly<Record<string, unknown>>) => void;
  /** How it is kept: on disk before it returns, unless given. @throws Error when that cannot be. */
  readonly write?: (file: string, text: string) => void;
}

/**
 * What is open, who was told of it, and what is still to be sent. Each trouble opens once and closes once on each
 * channel, also over restarts. It is told from memory and written afterwards: a full disk is told of too. A crash
 * between the two repeats a message.
 */
export function createAlertBook(options: AlertBookOptions): AlertBook {
  const { file, clock, log, write = writeBook } = options;
  const book = loadBook(file, clock.now());
  let written = "";
  let is_kept = true;

  const save = () => {
    const text = JSON.stringify(book);
    if (text === written) return;
    try {
      write(file, text);
      written = text;
      is_kept = true;
    } catch (error) {
      if (is_kept) log({ event: "alerts_not_kept", error: messageOf(error) });
      is_kept = false;
    }
  };
  const note = (kind: AlertMessage["kind"], id: string, alert: Pick<AlertMessage, "severity" | "title" | "text">) => {
    const { severity, title, text } = alert;
    const now_ms = clock.now();
    const message = { id: newId("alert", now_ms), event: eventOf(id), alerts: [id], kind, severity, title, text };
    book.recent = [...book.recent, { ...message, at: renderTime(now_ms) }].slice(-RECENT_MAX);
    log({ event: "alert", alert: id, kind, severity, title });
  };
  const plan = () => {
    forgetSent(book, clock.now());
    for (const channel of options.channels) planMessages(book, channel, clock.now());
  };

  const open = ({ id, for_ms, over_ms, subjects, once, because, severity, title, text }: AlertCondition): void => {
    const now_ms = clock.now();
    const { because: was_because, ...known }: Partial<OpenAlert> = book.open[id] ?? {};
    const again = (book.closed[id] ?? Number.NEGATIVE_INFINITY) > now_ms - AGAIN_MS;
    const alert: OpenAlert = {
      since_ms: now_ms,
      told_ms: null,
      ...known,
      severity,
      title,
      text,
      gone_ms: null,
      over_ms: again ? QUIET_MS : (over_ms ?? QUIET_MS),
      ...(subjects ? { subjects: [...subjects] } : {}),
      ...(once === undefined ? {} : { once }),
      ...(because === undefined ? {} : { because }),
      ...(because === undefined && was_because !== undefined ? { freed_ms: now_ms } : {}),
    };
    book.open[id] = alert;
    if (alert.told_ms !== null || because !== undefined) return;
    const { freed_ms } = alert;
    const has_lasted = now_ms - alert.since_ms >= for_ms;
    if (!has_lasted || (freed_ms !== undefined && now_ms - freed_ms < FREED_MS)) return;
    alert.told_ms = now_ms;
    note("opened", id, alert);
  };
  const close = (id: string, alert: OpenAlert): void => {
    delete book.open[id];
    book.closed[id] = clock.now();
    note("closed", id, alert);
    const { severity, title, text, channels = {} } = alert;
    for (const channel of Object.keys(channels)) book.ended.push({ channel, id, severity, title, text });
    book.ended.splice(0, book.ended.length - WAITING_MAX);
  };
  const forgetClosed = (now_ms: number): void => {
    for (const [id, at_ms] of Object.entries(book.closed)) if (now_ms - at_ms >= AGAIN_MS) delete book.closed[id];
  };

  const sending = createSending({ book, clock, log, channels: () => options.channels });
  let delivering: Promise<void> = Promise.resolve();

  return {
    update(conditions, isUnseen = () => false) {
      const now_ms = clock.now();
      const now = new Set(conditions.map(({ id }) => id));
      for (const condition of conditions) open(condition);
      for (const [id, alert] of Object.entries(book.open)) {
        if (now.has(id)) continue;
        if (isUnseen(id, alert.subjects)) {
          alert.gone_ms = null;
          continue;
        }
        alert.gone_ms ??= now_ms;
        if (alert.told_ms === null) delete book.open[id];
        else if (now_ms - alert.gone_ms >= (alert.over_ms ?? QUIET_MS)) close(id, alert);
      }
      forgetClosed(now_ms);
      plan();
    },
    tell({ id, title, text }) {
      if (book.told.includes(id)) return;
      book.told.push(id);
      book.told.splice(0, book.told.length - TOLD_MAX);
      note("told", id, { severity: "info", title, text });
      for (const channel of options.channels) {
        if (!channel.wants({ event: eventOf(id), severity: "info" })) continue;
        book.news.push({ channel: keyOf(channel), id, severity: "info", title, text });
      }
      book.news.splice(0, book.news.length - WAITING_MAX);
      plan();
    },
    hasTold: (id) => book.told.includes(id),
    begun_ms: book.begun_ms,
    deliver() {
      delivering = delivering.then(sending.sendAll).finally(save);
      return delivering;
    },
    list: () =>
      Object.entries(book.open).map(([id, { severity, title, text, since_ms, channels = {} }]) => ({
        id,
        severity,
        title,
        text,
        since: renderTime(since_ms),
        told: Object.keys(channels).length > 0,
      })),
    recent: () => book.recent.toReversed().map(readMessage),
    get undelivered() {
      return book.outbox.length;
    },
  };
}

/** Messages that were kept before they named what they tell of. */
const readMessage = ({ alerts = [], ...message }: KeptMessage): AlertMessage => ({ ...message, alerts });

interface SendingParts {
  readonly book: ReturnType<typeof loadBook>;
  readonly clock: Clock;
  readonly channels: () => readonly AlertChannel[];
  readonly log: AlertBookOptions["log"];
}

/** Sends what is in the outbox: each channel separately, so that one that is away holds up no other. */
function createSending({ book, clock, channels, log }: SendingParts) {
  const drop = (waiting: Outgoing): void => {
    book.outbox = book.outbox.filter((one) => one !== waiting);
  };
  /** Not delivered for a day: if the trouble stays, it is reported anew. */
  const giveUp = (waiting: Outgoing): void => {
    drop(waiting);
    for (const id of waiting.alerts ?? []) delete book.open[id]?.channels?.[waiting.channel];
  };
  const sendTo = async (channel: AlertChannel): Promise<void> => {
    const key = keyOf(channel);
    for (const waiting of book.outbox.filter((one) => one.channel === key || one.channel === channel.name)) {
      const now_ms = clock.now();
      if (now_ms >= waiting.until_ms) giveUp(waiting);
      else if (waiting.next_ms <= now_ms) {
        try {
          await channel.send(readMessage(waiting.message), now_ms);
          drop(waiting);
          book.sent[key] = [...(book.sent[key] ?? []), now_ms];
        } catch (error) {
          waiting.tries += 1;
          waiting.next_ms = clock.now() + Math.min(RETRY_MS_MAX, RETRY_FIRST_MS * 2 ** (waiting.tries - 1));
          log({ event: "alert_not_sent", channel: channel.name, tries: waiting.tries, error: messageOf(error) });
          // The others would wait for the same: they go once it takes one.
          return;
        }
      }
    }
  };
  return {
    async sendAll(): Promise<void> {
      const known = channels();
      const names = new Set(known.flatMap((channel) => [channel.name, keyOf(channel)]));
      for (const waiting of [...book.outbox]) if (!names.has(waiting.channel)) drop(waiting);
      await Promise.all(known.map(sendTo));
    },
  };
}
