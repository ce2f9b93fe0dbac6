import { addBankDays, COPOM_DATES, countBankDays, daysBetween, type ISODate } from "intel-node";
import { createFlatForward, type RateCurve } from "./flat-forward.ts";

/** All known meetings, in order. */
export const listMeetings = (added: readonly ISODate[]): readonly ISODate[] =>
  [...new Set([...COPOM_DATES, ...added])].sort();

/** The last meeting that is known of. */
export const lastMeeting = (added: readonly ISODate[]): ISODate => listMeetings(added).at(-1) ?? "";

const WARN_DAYS = 120;

/** Whether the list of meetings ends soon, or has ended. */
export const endsSoon = (meetings: readonly ISODate[], today: ISODate): boolean =>
  daysBetween(today, meetings.at(-1) ?? today) <= WARN_DAYS;

/** A warning of a field that needs the meetings, from 120 days before the list ends; none before. */
export function warnOfEnd(field: string, meetings: readonly ISODate[], today: ISODate): readonly string[] {
  const last = meetings.at(-1) ?? today;
  const left = daysBetween(today, last);
  if (!endsSoon(meetings, today)) return [];
  const when = left < 0 ? "ended" : "ends";
  return [`${field}: the list of the Copom's meetings ${when} on ${last}; later ones are not known to this node`];
}

export interface PathStep {
  readonly meeting_date: ISODate;
  /** The bank day after the decision, from which on it holds. */
  readonly effective_date: ISODate;
  /** The day the next decision takes effect; where no next one is known, the last the average is taken to. */
  readonly until_date: ISODate;
  /** Average DI rate until then, percent a year. */
  readonly implied_rate: number;
  readonly step_bps: number;
  readonly cumulative_bps: number;
}

export interface PolicyPath {
  /** Average DI rate until the next decision takes effect; null where the curve does not say. */
  readonly before: number | null;
  readonly steps: readonly PathStep[];
  /** The meeting whose successor is not known, where the path reaches it. */
  readonly open_meeting: ISODate | null;
}

/**
 * Bank days the rate after the last known meeting is the average of: no two meetings of the published years lie nearer,
 * so that no later decision is in it.
 */
export const OPEN_DU = 24;

/** A front future settles on the first bank day of a month: nothing it says is of more days than a month has. */
const FRONT_DU_MAX = 23;

/** The curve of a path: where the overnight rate is not known, the front future's own average holds before it. */
function reachToday({ points }: RateCurve): RateCurve {
  const first_du = points[0]?.du ?? 0;
  return createFlatForward(points, { reaches_back: first_du <= FRONT_DU_MAX });
}

/**
 * The policy path that DI futures imply: the forward rate between the days on which consecutive decisions take effect.
 * After the last known meeting it is that of the next 24 bank days. It ends there, and at the end of the curve.
 */
export function getPolicyPath(
  vertices: RateCurve,
  {
    date,
    meetings,
    extra,
  }: { readonly date: ISODate; readonly meetings: readonly ISODate[]; readonly extra?: ReadonlySet<ISODate> },
): PolicyPath {
  const curve = reachToday(vertices);
  const ahead = meetings
    .map((meeting_date) => ({ meeting_date, effective_date: addBankDays(meeting_date, 1, extra) }))
    .filter(({ effective_date }) => effective_date > date)
    .map((meeting) => ({ ...meeting, du: countBankDays(date, meeting.effective_date, extra) }));
  const [first] = ahead;
  const before = first ? curve.forward(0, first.du) : null;
  const steps: PathStep[] = [];
  let last = before;
  for (const [index, { meeting_date, effective_date, du }] of ahead.entries()) {
    const until_date = ahead[index + 1]?.effective_date ?? addBankDays(effective_date, OPEN_DU, extra);
    const rate = curve.forward(du, countBankDays(date, until_date, extra));
    if (rate === null || last === null || before === null) break;
    steps.push({
      meeting_date,
      effective_date,
      until_date,
      implied_rate: rate,
      step_bps: (rate - last) * 100,
      cumulative_bps: (rate - before) * 100,
    });
    last = rate;
  }
  const open_meeting = steps.length > 0 && steps.length === ahead.length ? (ahead.at(-1)?.meeting_date ?? null) : null;
  return { before, steps, open_meeting };
}
