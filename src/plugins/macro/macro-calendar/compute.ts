import { addDays, type Computed, type Draft, missing, missingIn, renderTime, toInstant, toLocal } from "intel-node";
import {
  BANKS,
  type CentralBank,
  findLoanPrimeRateDay,
  isProvisional,
  listDecisions,
  warnOfDecisionEnds,
} from "../releases/decisions.ts";
import { getKind, type KindId, type ScheduledEvent } from "../releases/kinds.ts";
import { getCalendarLinks } from "../releases/links.ts";
import { CLAIMS_WINDOW_DAYS, findClaimsDay, RELEASE_RULES } from "../releases/release-rules.ts";
import type { MacroCalendarInputs } from "./fetch.ts";
import { measureRelease, type Numbers } from "./measure.ts";
import { DAYS, type MacroCalendarData, type MacroEvent } from "./schema.ts";

const DAY_MS = 86_400_000;
const DAYS_BACK = 7;
/** Which of several dates of one release is kept: the smaller. */
const RANK = { scheduled: 0, tentative: 1, estimated: 2 } as const;
const RULE = "rule";
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function planned(kind: KindId, date: string, rest: Pick<ScheduledEvent, "status" | "window_days" | "source">) {
  const { zone, time } = getKind(kind);
  return { kind, at_ms: toInstant(zone, date, time), all_day: false, ...rest };
}

interface Span {
  readonly from: string;
  readonly to: string;
}

/** What rules say: releases whose publisher's calendar could not be read, weekly claims, China's loan prime rate. */
function applyRules({ from, to }: Span, failed: ReadonlySet<string>): readonly ScheduledEvent[] {
  const events: ScheduledEvent[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
    for (const kind of failed.has("bls") ? (["jobs", "cpi", "ppi"] as const) : []) {
      const { dayOf, window_days } = RELEASE_RULES[kind];
      if (dayOf(year, month) === date)
        events.push(planned(kind, date, { status: "estimated", window_days, source: RULE }));
    }
    const usual = { status: "tentative", source: RULE } as const;
    if (findClaimsDay(date) === date)
      events.push(planned("claims", date, { ...usual, window_days: CLAIMS_WINDOW_DAYS }));
    const lpr = findLoanPrimeRateDay(year, month);
    if (lpr.date === date) events.push(planned("pboc", date, { ...usual, window_days: lpr.window_days }));
  }
  return events;
}

/** The provider whose own calendar lists a bank's days; the others have none that programs can read. */
const READ_FROM: Partial<Record<CentralBank, string>> = { fomc: "fed", ecb: "ecb" };

/** Days in the tables of this node: of banks without a readable calendar, and of those it failed for. */
function listTabled({ from, to }: Span, failed: ReadonlySet<string>, added: readonly string[]): ScheduledEvent[] {
  return BANKS.flatMap((bank) => {
    const provider = READ_FROM[bank];
    if (provider !== undefined && !failed.has(provider)) return [];
    // Where the publisher could not be asked, it may have moved the day since.
    const is_sure = provider === undefined;
    return listDecisions(bank, added).flatMap((date): ScheduledEvent[] => {
      if (date < addDays(from, -1) || date > addDays(to, 1)) return [];
      const status = is_sure && !isProvisional(bank, date) ? "scheduled" : "tentative";
      const event = planned(bank, date, { status, window_days: null, source: "table" });
      return [bank === "boj" ? { ...event, all_day: true, at_ms: Date.parse(`${date}T00:00:00Z`) } : event];
    });
  });
}

/**
 * Whether two calendars date the same event. One calendar's own events are all different: the note of 10 years is sold
 * the day before the bond of 30.
 */
const isSame = (a: ScheduledEvent, b: ScheduledEvent): boolean =>
  a.kind === b.kind &&
  (a.source === b.source
    ? a.at_ms === b.at_ms && a.detail?.id === b.detail?.id
    : Math.abs(a.at_ms - b.at_ms) <= DAY_MS);

/** One entry of each release: official dates win over tables, and those over rules, within a day of each other. */
export function mergeEvents(events: readonly ScheduledEvent[]): readonly ScheduledEvent[] {
  const kept: ScheduledEvent[] = [];
  for (const event of events.toSorted((a, b) => RANK[a.status] - RANK[b.status] || a.at_ms - b.at_ms)) {
    if (!kept.some((one) => isSame(one, event))) kept.push(event);
  }
  return kept.toSorted((a, b) => a.at_ms - b.at_ms || (a.kind < b.kind ? -1 : 1));
}

const NO_EXPECTATION = "no official source publishes expectations, and no licensed one is configured";
const UNREAD = "the official series could not be read, or is not configured";

/** The numbers of a release, and why those are missing that its series should have by now. */
function describeNumbers(
  numbers: Numbers | null,
  { is_past, is_read }: { readonly is_past: boolean; readonly is_read: boolean },
): Draft<Pick<MacroEvent, "period" | "previous" | "actual" | "vs_trailing">> {
  if (numbers === null) return { period: null, previous: null, actual: null, vs_trailing: null };
  const { period, previous, actual, vs_trailing } = numbers;
  const known = { period, previous: previous ?? missing(is_read ? "the official series has none before it" : UNREAD) };
  if (!is_past) return { ...known, actual: null, vs_trailing: null };
  if (actual === null) {
    const why = is_read ? "it is not in the official series yet" : UNREAD;
    return { ...known, ...missingIn({ actual, vs_trailing: null }, why) };
  }
  return {
    ...known,
    actual,
    vs_trailing: vs_trailing ?? missing("fewer than 12 numbers that vary are known before it"),
  };
}

function describeEvent(event: ScheduledEvent, inputs: MacroCalendarInputs, now_ms: number): Draft<MacroEvent> {
  const kind = getKind(event.kind);
  const local = toLocal(kind.zone, event.at_ms);
  const day = event.all_day ? dateOf(event.at_ms) : local.date;
  const { measure } = kind;
  const series = (measure && inputs.series.get(measure.series)) ?? null;
  const numbers = measure ? measureRelease(measure, { day, about: event.about, series }) : null;
  // Where only the day is known, the event is past when the day is.
  const is_past = event.at_ms + (event.all_day ? DAY_MS : 0) <= now_ms;
  const has_come = measure ? (numbers?.actual ?? null) !== null : event.source !== RULE;
  const is_out = is_past && has_come;
  const { period, previous, actual, vs_trailing } = describeNumbers(numbers, { is_past, is_read: series !== null });
  return {
    id: [kind.country, event.kind, day, ...(event.detail ? [event.detail.id] : [])].join(":"),
    kind: event.kind,
    title: event.detail?.title ?? kind.title,
    country: kind.country,
    currency: kind.currency,
    time_utc: renderTime(event.at_ms),
    time_local: event.all_day ? `${day} 00:00` : `${day} ${local.time}`,
    zone: kind.zone,
    all_day: event.all_day,
    importance: kind.importance,
    period,
    status: is_out ? "released" : event.status,
    window_days: event.window_days,
    previous,
    actual,
    unit: measure?.unit ?? null,
    consensus: missing(NO_EXPECTATION),
    surprise: missing(NO_EXPECTATION),
    vs_trailing,
    ...getCalendarLinks(event),
  };
}

/** The events of the last 7 days, today and the `days` after it, with what their series say. */
export function computeMacroCalendar(
  inputs: MacroCalendarInputs,
  now_ms: number,
  days: number = DAYS.max,
): Computed<Draft<MacroCalendarData>> {
  const today = dateOf(now_ms);
  const [from, to] = [addDays(today, -DAYS_BACK), addDays(today, DAYS.max)];
  const failed = new Set(inputs.coverage.flatMap(({ source, state }) => (state === "ok" ? [] : [source])));
  const added = inputs.decision_dates ?? [];
  const isInside = ({ at_ms }: ScheduledEvent): boolean => dateOf(at_ms) >= from && dateOf(at_ms) <= to;
  const merged = mergeEvents([
    ...inputs.events,
    ...listTabled({ from, to }, failed, added),
    ...applyRules({ from, to }, failed),
  ]).filter(isInside);
  const events = merged.map((event) => describeEvent(event, inputs, now_ms));
  const shown_to = addDays(today, days);
  const next = events.find(
    ({ importance, status, time_utc }) =>
      importance === "high" && status !== "estimated" && Date.parse(time_utc) > now_ms,
  );
  const warnings = [
    "events: no publisher's calendar states a time of its own; as_of is that of the calls",
    ...[...failed].map((source) => `coverage: ${source} could not be read or is not configured`),
    ...warnOfDecisionEnds(added, today),
  ];
  return {
    as_of_ms: now_ms,
    warnings,
    data: {
      from,
      to: shown_to,
      events: events.filter(({ time_utc }) => time_utc.slice(0, 10) <= shown_to),
      next_high_impact: next
        ? { id: next.id, time_utc: next.time_utc, hours_until: (Date.parse(next.time_utc) - now_ms) / 3_600_000 }
        : missing("none is scheduled in the next 14 days"),
      coverage: [...inputs.coverage],
    },
  };
}
