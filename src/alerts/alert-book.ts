import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Clock, renderTime } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { type AlertChannel, type AlertMessage, type Condition, type Happening, SEVERITIES } from "./types.ts";

/** What ended within this time and comes back is the same trouble: nobody is told twice. */
const QUIET_MS = 600_000;
const RETRY_FIRST_MS = 30_000;
const RETRY_MS_MAX = 3_600_000;
/** What nobody took for so long is dropped. */
const UNDELIVERED_MS_MAX = 86_400_000;
/** Happenings are remembered, so that they are told once; the oldest go. */
const TOLD_MAX = 400;
const OUTBOX_MAX = 200;
const RECENT_MAX = 100;

const Severity = Type.Union(SEVERITIES.map((one) => Type.Literal(one)));
const Message = Type.Object({
  id: Type.String(),
  event: Type.String(),
  kind: Type.Union([Type.Literal("opened"), Type.Literal("closed"), Type.Literal("told")]),
  severity: Severity,
  title: Type.String(),
  text: Type.String(),
  at: Type.String(),
});
const OpenAlert = Type.Object({
  severity: Severity,
  title: Type.String(),
  text: Type.String(),
  since_ms: Type.Number(),
  /** Null until it has lasted long enough to be told. */
  told_ms: Type.Union([Type.Number(), Type.Null()]),
  /** Since when it is no longer so. */
  gone_ms: Type.Union([Type.Number(), Type.Null()]),
});
const Book = Type.Object({
  /** When this node's first book was begun; missing in books of before it was noted. */
  begun_ms: Type.Optional(Type.Number()),
  open: Type.Record(Type.String(), OpenAlert),
  told: Type.Array(Type.String()),
  /** What was told last, oldest first. */
  recent: Type.Optional(Type.Array(Message)),
  outbox: Type.Array(
    Type.Object({
      channel: Type.String(),
      message: Message,
      tries: Type.Number(),
      next_ms: Type.Number(),
      until_ms: Type.Number(),
    }),
  ),
});
type Book = Static<typeof Book>;

/** One alert as the operator sees it. */
export interface AlertStatus {
  readonly id: string;
  readonly severity: string;
  readonly title: string;
  readonly text: string;
  /** ISO 8601. */
  readonly since: string;
  readonly told: boolean;
}

export interface AlertBook {
  /**
   * What is wrong now: opens what is new, closes what is gone. An open one that cannot be judged now stays open: what
   * nobody has looked at since the start has not mended.
   */
  update(conditions: readonly Condition[], isUnseen?: (id: string) => boolean): void;
  /** Tells something once for ever. */
  tell(happening: Happening): void;
  hasTold(id: string): boolean;
  /** Since when it is kept, over all restarts. */
  readonly begun_ms: number;
  /** Sends what is due. Never throws. */
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
}

/**
 * What is open and what is still to be sent. Each trouble opens once and closes once, also over restarts: the book is
 * on disk before anything is sent. A crash between sending and noting it repeats one message, with the same id.
 */
export function createAlertBook(options: AlertBookOptions): AlertBook {
  const { file, clock, log } = options;
  const book = readBook(file) ?? { begun_ms: clock.now(), open: {}, told: [], outbox: [] };
  let written = "";

  const save = () => {
    const text = JSON.stringify(book);
    if (text === written) return;
    writeWhole(file, text);
    written = text;
  };
  const enqueue = (
    kind: AlertMessage["kind"],
    id: string,
    { severity, title, text }: Omit<AlertMessage, "id" | "event" | "kind" | "at">,
  ) => {
    const now_ms = clock.now();
    const event = id.split(":")[0] ?? id;
    const message: AlertMessage = {
      id: newId("alert", now_ms),
      event,
      kind,
      severity,
      title,
      text,
      at: renderTime(now_ms),
    };
    book.recent = [...(book.recent ?? []), message].slice(-RECENT_MAX);
    log({ event: "alert", alert: id, kind, severity, title });
    for (const channel of options.channels) {
      if (!channel.wants(message)) continue;
      book.outbox.push({
        channel: channel.name,
        message,
        tries: 0,
        next_ms: now_ms,
        until_ms: now_ms + UNDELIVERED_MS_MAX,
      });
    }
    book.outbox.splice(0, book.outbox.length - OUTBOX_MAX);
  };

  let delivering: Promise<void> = Promise.resolve();
  const deliverAll = async () => {
    for (const waiting of [...book.outbox]) {
      const now_ms = clock.now();
      if (waiting.next_ms > now_ms) continue;
      const channel = options.channels.find(({ name }) => name === waiting.channel);
      const drop = () => book.outbox.splice(book.outbox.indexOf(waiting), 1);
      if (!channel || now_ms >= waiting.until_ms) drop();
      else {
        try {
          await channel.send(waiting.message, now_ms);
          drop();
        } catch (error) {
          waiting.tries += 1;
          waiting.next_ms = clock.now() + Math.min(RETRY_MS_MAX, RETRY_FIRST_MS * 2 ** (waiting.tries - 1));
          log({ event: "alert_not_sent", channel: channel.name, tries: waiting.tries, error: messageOf(error) });
        }
      }
      save();
    }
  };

  return {
    update(conditions, isUnseen = () => false) {
      const now_ms = clock.now();
      const now = new Map(conditions.map((condition) => [condition.id, condition]));
      for (const [id, { severity, title, text, for_ms }] of now) {
        const known = book.open[id];
        const alert = { since_ms: now_ms, told_ms: null, ...known, severity, title, text, gone_ms: null };
        book.open[id] = alert;
        if (alert.told_ms !== null || now_ms - alert.since_ms < for_ms) continue;
        alert.told_ms = now_ms;
        enqueue("opened", id, alert);
      }
      for (const [id, alert] of Object.entries(book.open)) {
        if (now.has(id)) continue;
        if (isUnseen(id)) {
          alert.gone_ms = null;
          continue;
        }
        alert.gone_ms ??= now_ms;
        if (alert.told_ms === null) delete book.open[id];
        else if (now_ms - alert.gone_ms >= QUIET_MS) {
          delete book.open[id];
          enqueue("closed", id, alert);
        }
      }
      save();
    },
    tell({ id, title, text }) {
      if (book.told.includes(id)) return;
      book.told.push(id);
      book.told.splice(0, book.told.length - TOLD_MAX);
      enqueue("told", id, { severity: "info", title, text });
      save();
    },
    hasTold: (id) => book.told.includes(id),
    begun_ms: book.begun_ms ?? 0,
    deliver() {
      delivering = delivering.then(deliverAll);
      return delivering;
    },
    list: () =>
      Object.entries(book.open).map(([id, { severity, title, text, since_ms, told_ms }]) => ({
        id,
        severity,
        title,
        text,
        since: renderTime(since_ms),
        told: told_ms !== null,
      })),
    recent: () => (book.recent ?? []).toReversed(),
    get undelivered() {
      return book.outbox.length;
    },
  };
}

/** Null where there is none, and where it cannot be read: begun anew, at worst something is told twice. */
function readBook(file: string): Book | null {
  if (!existsSync(file)) return null;
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Value.Check(Book, read) ? read : null;
  } catch {
    return null;
  }
}

function writeWhole(file: string, text: string): void {
  const temporary = `${file}.new`;
  const handle = openSync(temporary, "w", 0o600);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(temporary, file);
}
