import { SEVERITIES, type Severity } from "../config/alert-events.ts";
import { renderTime } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { Book, OpenAlert, Outgoing, WaitingText } from "./book-file.ts";
import type { AlertChannel, AlertMessage } from "./types.ts";

/** A person reads this many messages in this time, and no more. */
const WINDOW_MS = 600_000;
const MESSAGES_MAX = 5;
/** So many of them may be of what is not critical: room is left for what is. */
const CALM_MAX = 3;
/** More subjects of a reported alert are sent together, this much later. */
const MORE_MS = 600_000;
const REMIND_MS = 14_400_000;
/** What nobody took for so long is dropped. */
const UNDELIVERED_MS_MAX = 86_400_000;
/** How many titles a summary shows. */
const TITLES_MAX = 20;

/** Something to tell on a channel, before it is a message. */
interface Item {
  readonly kind: AlertMessage["kind"];
  readonly id: string;
  /** Where it is several in one. */
  readonly ids?: readonly string[];
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
}

/** A title as people read it: whether it begins, goes on or is over. */
export const titleOf = ({ kind, title }: Pick<AlertMessage, "kind" | "title">): string =>
  kind === "closed" ? `Over: ${title}` : kind === "reminded" ? `Still: ${title}` : title;

export const eventOf = (id: string): string => id.split(":")[0] ?? id;
export const keyOf = ({ key, name }: AlertChannel): string => key ?? name;
const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** What a channel has yet to get about an open alert; null when it has all of it. */
function judgeOpen(alert: OpenAlert, channel: AlertChannel, now_ms: number): "opened" | "reminded" | null {
  if (alert.told_ms === null || alert.because !== undefined || alert.gone_ms !== null) return null;
  const told = alert.channels?.[keyOf(channel)];
  if (told === undefined || rank(alert.severity) > rank(told.severity)) return "opened";
  const known = new Set(told.subjects);
  const has_more = (alert.subjects ?? []).some((subject) => !known.has(subject));
  if (has_more && now_ms - told.at_ms >= MORE_MS) return "opened";
  const is_due = now_ms - told.at_ms >= (channel.remind_ms ?? REMIND_MS);
  return alert.severity === "critical" && alert.once !== true && is_due ? "reminded" : null;
}

/** All that a channel does not know yet, what is critical first. */
function listItems(book: Book, channel: AlertChannel, now_ms: number): readonly Item[] {
  const key = keyOf(channel);
  const opens = Object.entries(book.open).flatMap(([id, alert]): Item[] => {
    const kind = channel.wants({ event: eventOf(id), severity: alert.severity })
      ? judgeOpen(alert, channel, now_ms)
      : null;
    const { severity, title, text } = alert;
    return kind === null ? [] : [{ kind, id, severity, title, text }];
  });
  const waiting = (texts: readonly WaitingText[], kind: "told" | "closed"): readonly Item[] =>
    texts.filter((one) => one.channel === key).map((one) => ({ ...one, kind }));
  const ended = mergeEnds(waiting(book.ended, "closed"));
  return [...opens.toSorted((a, b) => rank(b.severity) - rank(a.severity)), ...waiting(book.news, "told"), ...ended];
}

/** What ended together is one message. */
function mergeEnds(ends: readonly Item[]): readonly Item[] {
  const [first] = ends;
  if (first === undefined || ends.length === 1) return ends;
  const severity = mostSevere(ends);
  const ids = ends.map(({ id }) => id);
  const titles = ends.map((end) => ({ ...end, kind: "told" as const }));
  return [{ ...first, severity, id: "summary", ids, title: `${ends.length} troubles`, text: listTitles(titles) }];
}

const mostSevere = (items: readonly Item[]): Severity =>
  items.reduce<Severity>((most, { severity }) => (rank(severity) > rank(most) ? severity : most), "info");

const listTitles = (items: readonly Item[]): string => {
  const more = items.length > TITLES_MAX ? [`and ${items.length - TITLES_MAX} more: see /admin`] : [];
  const titles = items.slice(0, TITLES_MAX).map(({ kind, title }) => `- ${titleOf({ kind, title })}`);
  return [...titles, ...more].join("\n");
};

/** Items as messages for so many places; the rest go into the last one, a summary. */
function fit(items: readonly Item[], places: number): readonly (readonly Item[])[] {
  if (places <= 0) return [];
  if (items.length <= places) return items.map((item) => [item]);
  return [...items.slice(0, places - 1).map((item) => [item]), items.slice(places - 1)];
}

function renderMessage(items: readonly Item[], now_ms: number): AlertMessage {
  const alerts = items.flatMap(({ id, ids = [id] }) => ids);
  const common = { id: newId("alert", now_ms), alerts, at: renderTime(now_ms) };
  const [only] = items;
  if (only !== undefined && items.length === 1) {
    const { kind, id, severity, title, text } = only;
    return { ...common, event: eventOf(id), kind, severity, title, text };
  }
  const severity = mostSevere(items);
  const title = `${items.length} more messages in one`;
  return { ...common, event: "summary", kind: "opened", severity, title, text: listTitles(items) };
}

/**
 * Puts what a channel does not know yet into the outbox: what is critical first, at most five messages in ten minutes,
 * what can wait not in its quiet hours. What finds no place waits for the next look.
 */
export function planMessages(book: Book, channel: AlertChannel, now_ms: number): void {
  const key = keyOf(channel);
  const pending = book.outbox.filter((one) => one.channel === key || one.channel === channel.name);
  const sent = (book.sent[key] ?? []).filter((at_ms) => now_ms - at_ms < WINDOW_MS && at_ms <= now_ms);
  const used = sent.length + pending.length;
  const is_quiet = channel.isQuiet?.(now_ms) === true;
  // A channel that takes nothing now gets the rest together, when it does.
  const is_failing = pending.some(({ tries }) => tries > 0);
  const items = listItems(book, channel, now_ms);
  const urgent = items.filter(({ severity, kind }) => severity === "critical" && kind !== "closed");
  const calm = is_quiet || is_failing ? [] : items.filter((item) => !urgent.includes(item));
  const first = fit(urgent, MESSAGES_MAX - used);
  const then = fit(calm, CALM_MAX - used - first.length);
  for (const group of [...first, ...then]) enqueue(book, { key, group, now_ms });
}

function enqueue(
  book: Book,
  { key, group, now_ms }: { readonly key: string; readonly group: readonly Item[]; readonly now_ms: number },
): void {
  const alerts: string[] = [];
  for (const { kind, id } of group) {
    if (kind === "closed") book.ended = book.ended.filter(({ channel }) => channel !== key);
    else if (kind === "told") book.news = book.news.filter((one) => one.channel !== key || one.id !== id);
    const alert = kind === "opened" || kind === "reminded" ? book.open[id] : undefined;
    if (alert === undefined) continue;
    const { severity, subjects } = alert;
    alert.channels = {
      ...alert.channels,
      [key]: { at_ms: now_ms, severity, ...(subjects ? { subjects: [...subjects] } : {}) },
    };
    alerts.push(id);
  }
  const message = renderMessage(group, now_ms);
  const kept = { ...message, alerts: [...message.alerts] };
  const out: Outgoing = {
    channel: key,
    message: kept,
    tries: 0,
    next_ms: now_ms,
    until_ms: now_ms + UNDELIVERED_MS_MAX,
  };
  book.outbox.push({ ...out, alerts });
}

/** Forgets when messages went out once that no longer counts. */
export function forgetSent(book: Book, now_ms: number): void {
  for (const [key, times] of Object.entries(book.sent)) {
    const kept = times.filter((at_ms) => Math.abs(now_ms - at_ms) < WINDOW_MS);
    if (kept.length > 0) book.sent[key] = kept;
    else delete book.sent[key];
  }
}
