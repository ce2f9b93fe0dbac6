import { addBankDays, countBankDays, type FetchContext, type ISODate, NodeError } from "intel-node";
import { getDueDay, getSessionBefore, readSettlements, type SettlementDay } from "../b3/stored-days.ts";
import { config, readHolidays } from "../config.ts";
import { listMeetings } from "../curve/copom.ts";
import type { CurvePoint } from "../curve/flat-forward.ts";
import { dataset as treasuryPrices } from "../datasets/tesouro.ts";
import { focusYears, macroSeries } from "../documents/stored.ts";

/** The greatest age of a curve in bank days. */
const AGE_DU_MAX = 3;

/** Zero rates of government bonds on one day. */
export interface BondCurve {
  readonly date: ISODate;
  readonly nominal: readonly CurvePoint[];
  readonly real: readonly CurvePoint[];
}

export interface CurveInputs {
  readonly day: SettlementDay | null;
  /** Settlements of the days before, by how many sessions of B3 ago; null where none are stored. */
  readonly past: Readonly<Record<"d1" | "d5" | "d21", SettlementDay | null>>;
  /** Read only without settlements. */
  readonly bonds: BondCurve | null;
  readonly selic_target: number | null;
  readonly di_overnight: number | null;
  /** Median Selic target expected for the end of each year. */
  readonly focus_selic: Readonly<Record<number, number>>;
  readonly meetings: readonly ISODate[];
  readonly extra: ReadonlySet<ISODate>;
  readonly warnings: readonly string[];
}

async function readBonds(
  context: FetchContext,
  since: ISODate,
  extra: ReadonlySet<ISODate>,
): Promise<BondCurve | null> {
  const prices = await context.dataset(treasuryPrices);
  const [newest] = await prices.find({ where: { date: { from: since } }, order: ["-date"], limit: 1 });
  if (!newest) return null;
  const rows = await prices.find({ where: { date: newest.date } });
  const pointsOf = (kind: string): readonly CurvePoint[] =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ maturity, rate }) => ({ du: countBankDays(newest.date, maturity, extra), rate }))
      .filter(({ du }) => du > 0)
      .sort((a, b) => a.du - b.du);
  return { date: newest.date, nominal: pointsOf("nominal"), real: pointsOf("real") };
}

const newestOf = async (context: FetchContext, of: string): Promise<number | null> =>
  (await macroSeries.read(context, { of }))?.value.at(-1)?.[1] ?? null;

/**
 * Everything is read from the jobs' data; no calls.
 * @throws NodeError when neither settlements nor bond prices of the last 3 bank days are stored.
 */
export async function fetchCurve(context: FetchContext): Promise<CurveInputs> {
  const extra = readHolidays(context);
  const due = getDueDay(context.now_ms);
  const oldest = addBankDays(due, -AGE_DU_MAX, extra);
  const [stored, selic_target, di_overnight, focus] = await Promise.all([
    readSettlements(context, "45d"),
    newestOf(context, "selic_target"),
    newestOf(context, "cdi_annual"),
    focusYears.read(context, { of: "selic" }),
  ]);
  const newest = stored.at(-1);
  const day = newest && newest.date >= oldest ? newest : null;
  const dayBack = (sessions: number): SettlementDay | null =>
    (day && stored.find(({ date }) => date === getSessionBefore(day.date, sessions, extra))) ?? null;
  const warnings: string[] = [];
  const bonds = day ? null : await readBonds(context, oldest, extra).catch(() => null);
  if (!day && !bonds) throw new NodeError("upstream_unavailable", `there are no settlements of ${oldest} or later`);
  if (day && day.date < due) warnings.push(`reference_date: B3's file of ${due} is not there yet`);
  return {
    day,
    bonds,
    selic_target,
    di_overnight,
    extra,
    warnings,
    past: { d1: dayBack(1), d5: dayBack(5), d21: dayBack(21) },
    focus_selic: Object.fromEntries((focus?.value ?? []).map(({ year, median }) => [year, median])),
    meetings: listMeetings(context.config(config).copom_dates),
  };
}
