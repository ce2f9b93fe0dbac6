import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { SEVERITIES } from "../config/alert-events.ts";

const Severity = Type.Union(SEVERITIES.map((one) => Type.Literal(one)));
const Subjects = Type.Optional(Type.Array(Type.String()));
const Message = Type.Object({
  id: Type.String(),
  event: Type.String(),
  alerts: Type.Optional(Type.Array(Type.String())),
  kind: Type.Union([Type.Literal("opened"), Type.Literal("reminded"), Type.Literal("closed"), Type.Literal("told")]),
  severity: Severity,
  title: Type.String(),
  text: Type.String(),
  at: Type.String(),
});

/** What a channel was last told of an alert. */
const ToldThere = Type.Object({ at_ms: Type.Number(), severity: Severity, subjects: Subjects });

const OpenAlert = Type.Object({
  severity: Severity,
  title: Type.String(),
  text: Type.String(),
  since_ms: Type.Number(),
  /** When it had lasted long enough to be reported; null until then. */
  told_ms: Type.Union([Type.Number(), Type.Null()]),
  /** Since when it is no longer so. */
  gone_ms: Type.Union([Type.Number(), Type.Null()]),
  over_ms: Type.Optional(Type.Number()),
  subjects: Subjects,
  once: Type.Optional(Type.Literal(true)),
  because: Type.Optional(Type.String()),
  /** When what explained it was over. */
  freed_ms: Type.Optional(Type.Number()),
  /** Who was told of it, by the channel's key. Missing in books of before it was noted. */
  channels: Type.Optional(Type.Record(Type.String(), ToldThere)),
});

/** Text that waits for a channel: what ended, and what happened. */
const Waiting = Type.Object({
  channel: Type.String(),
  id: Type.String(),
  severity: Severity,
  title: Type.String(),
  text: Type.String(),
});

const Outgoing = Type.Object({
  channel: Type.String(),
  message: Message,
  tries: Type.Number(),
  next_ms: Type.Number(),
  until_ms: Type.Number(),
  /** Open alerts it tells of. */
  alerts: Type.Optional(Type.Array(Type.String())),
});

/** All that is kept of alerts. What is optional came later. */
export const BookFile = Type.Object({
  /** When this node's first book was begun. */
  begun_ms: Type.Optional(Type.Number()),
  open: Type.Record(Type.String(), OpenAlert),
  told: Type.Array(Type.String()),
  /** What was told last, oldest first. */
  recent: Type.Optional(Type.Array(Message)),
  outbox: Type.Array(Outgoing),
  ended: Type.Optional(Type.Array(Waiting)),
  news: Type.Optional(Type.Array(Waiting)),
  /** When messages went out of late, by the channel's key, ms. */
  sent: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Number()))),
  /** When alerts were last told to be over, by id, ms. */
  closed: Type.Optional(Type.Record(Type.String(), Type.Number())),
});
export type Book = Required<Static<typeof BookFile>>;
export type KeptMessage = Static<typeof Message>;
export type OpenAlert = Static<typeof OpenAlert>;
export type WaitingText = Static<typeof Waiting>;
export type Outgoing = Static<typeof Outgoing>;

const createBook = (now_ms: number): Book => ({
  begun_ms: now_ms,
  open: {},
  told: [],
  recent: [],
  outbox: [],
  ended: [],
  news: [],
  sent: {},
  closed: {},
});

/** A new one where it is missing or cannot be read: at worst something is reported twice. */
export function loadBook(file: string, now_ms: number): Book {
  const empty = createBook(now_ms);
  if (!existsSync(file)) return empty;
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Value.Check(BookFile, read) ? { ...empty, begun_ms: 0, ...read } : empty;
  } catch {
    return empty;
  }
}

/** @throws Error when the disk takes no writes; what was there before stays. */
export function writeBook(file: string, text: string): void {
  const temporary = `${file}.new`;
  const handle = openSync(temporary, "w", 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
}
