import { addBankDays, countBankDays, daysBetween, type ISODate } from "intel-node";
import type { RateCurve } from "./curve/flat-forward.ts";

/**
 * Days on which the Copom decides, as the central bank published them in June of the year before
 * (bcb.gov.br/controleinflacao/calendarioreunioescopom). None of 2027 was found when this was written:
 * `[plugins.brazil] copom_dates` adds them.
 */
const PUBLISHED: readonly ISODate[] = [
  ...["2025-01-29", "2025-03-19", "2025-05-07", "2025-06-18", "2025-07-30", "2025-09-17", "2025-11-05", "2025-12-10"],
  ...["2026-01-28", "2026-03-18", "2026-04-29", "2026-06-17", "2026-08-05", "2026-09-16", "2026-11-04", "2026-12-09"],
];

/** All known meetings, in order. */
export const listMeetings = (added: readonly ISODate[]): readonly ISODate[] =>
  [...new Set([...PUBLISHED, ...added])].sort();

/** The last meeting that is known of. */
export const lastMeeting = (added: readonly ISODate[]): ISODate => listMeetings(added).at(-1) ?? "";

const WARN_DAYS = 60;

/** A warning of a field that needs the meetings, from 60 days before the list ends; none before. */
export function warnOfEnd(field: string, meetings: readonly ISODate[], today: ISODate): readonly string[] {
  const last = meetings.at(-1) ?? today;
  const left = daysBetween(today, last);
  if (left > WARN_DAYS) return [];
  const when = left < 0 ? "ended" : "ends";
  return [`${field}: the list of the Copom's meetings ${when} on ${last}; later ones are not known to this node`];
}

export interface PathStep {
  readonly meeting_date: ISODate;
  /** The bank day after the decision, from which on it holds. */
  readonly effective_date: ISODate;
  /** Average DI rate until the next decision takes effect, percent a year. */
  readonly implied_rate: number;
  readonly step_bps: number;
  readonly cumulative_bps: number;
}

export interface PolicyPath {
  /** Average DI rate until the next decision takes effect; null where the curve does not say. */
  readonly before: number | null;
  readonly steps: readonly PathStep[];
}

/**
 * The policy path that DI futures imply: the forward rate between the days on which consecutive decisions take effect.
 * It ends at the last meeting whose successor is known, and at the end of the curve.
 */
export function getPolicyPath(
  curve: RateCurve,
  {
    date,
    meetings,
    extra,
  }: { readonly date: ISODate; readonly meetings: readonly ISODate[]; readonly extra?: ReadonlySet<ISODate> },
): PolicyPath {
  const ahead = meetings
    .map((meeting_date) => ({ meeting_date, effective_date: addBankDays(meeting_date, 1, extra) }))
    .filter(({ effective_date }) => effective_date > date)
    .map((meeting) => ({ ...meeting, du: countBankDays(date, meeting.effective_date, extra) }));
  const [first] = ahead;
  const before = first ? curve.forward(0, first.du) : null;
  const steps: PathStep[] = [];
  let last = before;
  for (const [index, meeting] of ahead.entries()) {
    const next = ahead[index + 1];
    const rate = next ? curve.forward(meeting.du, next.du) : null;
    if (rate === null || last === null || before === null) break;
    const { meeting_date, effective_date } = meeting;
    steps.push({
      ...{ meeting_date, effective_date, implied_rate: rate },
      ...{ step_bps: (rate - last) * 100, cumulative_bps: (rate - before) * 100 },
    });
    last = rate;
  }
  return { before, steps };
}
