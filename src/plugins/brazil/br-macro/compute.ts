import {
  type Computed,
  type Draft,
  daysBetween,
  type ISODate,
  missing,
  missingIn,
  toInstant,
  yearOf,
} from "intel-node";
import { getVolatility, toLogReturns } from "../b3/returns.ts";
import { ZONE } from "../b3/stored-days.ts";
import { warnOfEnd } from "../curve/copom.ts";
import { type Frequency, SGS_SERIES } from "../macro/series.ts";
import {
  accumulate12,
  accumulateYear,
  annualise3,
  changeOfQuarters,
  changeOver,
  changeOverYear,
  countOutside,
  getPressure,
  type MacroRows,
  path12,
  realRate,
  requiredMonthly,
  sumYear,
} from "../macro/transforms.ts";
import { type MacroInputs, SHOWN_ONLY, STAND_INS } from "./fetch.ts";
import type { MacroData, MacroParams } from "./schema.ts";

type Maybe = number | null;
const minus = (a: Maybe, b: Maybe): Maybe => (a === null || b === null ? null : a - b);
const newest = (rows: MacroRows): Maybe => rows.at(-1)?.[1] ?? null;

/** Days after the end of its period from which on an observation is stale: 2.5 periods. */
const STALE_DAYS: Readonly<Record<Frequency, number>> = { daily: 5, monthly: 75, quarterly: 228 };
const PERIOD_DAYS: Readonly<Record<Frequency, number>> = { daily: 0, monthly: 30, quarterly: 91 };
const CALENDAR_DAYS = 14;
const DAY_MS = 86_400_000;
/** Two publishers of one figure, rounded to two decimals, may differ by one in the last. */
const AGREE_PP = 0.011;
const BREACH_MONTHS = 6;

function listIndicators({ series, today }: MacroInputs): MacroData["indicators"] {
  return SGS_SERIES.flatMap(({ id, name, group, unit, frequency, code }) => {
    const rows = series[id] ?? [];
    const [last, before] = [rows.at(-1), rows.at(-2)];
    if (!last) return [];
    const age = daysBetween(last[0], today) - PERIOD_DAYS[frequency];
    return [
      {
        id,
        name,
        group,
        value: last[1],
        unit,
        period: last[0],
        previous: before?.[1] ?? null,
        change: minus(last[1], before?.[1] ?? null),
        source: "bcb_sgs",
        series_code: code,
        stale: age > STALE_DAYS[frequency],
      },
    ];
  });
}

/** When the newest value began, and by how much it differs from the one before; null when all are equal. */
function findStep(rows: MacroRows): { readonly since: ISODate; readonly step: number } | null {
  const last = rows.at(-1);
  const index = rows.findLastIndex(([, value]) => value !== last?.[1]);
  const [before, first] = [rows[index], rows[index + 1]];
  return last && before && first ? { since: first[0], step: last[1] - before[1] } : null;
}

function describeSelic({ series, meetings, today }: MacroInputs): MacroData["selic"] {
  const target = series.selic_target ?? [];
  const step = findStep(target);
  const next = meetings.find((date) => date >= today) ?? null;
  const gap = minus(newest(series.cdi_annual ?? []), newest(target));
  return {
    target_pct: newest(target) ?? 0,
    since_date: step?.since ?? null,
    last_step_bps: step ? step.step * 100 : null,
    effective_pct: newest(series.selic_effective ?? []),
    di_minus_target_bps: gap === null ? null : gap * 100,
    next_meeting_date: next,
    days_to_meeting: next === null ? null : daysBetween(today, next),
  };
}

/** IBGE's months, and the central bank's of the months before it; disagreements are reported. */
function mergeIPCA({ series, ibge_ipca }: MacroInputs): {
  readonly rows: MacroRows;
  readonly warnings: readonly string[];
} {
  const bank = series.ipca ?? [];
  const own = new Map(ibge_ipca);
  const apart = bank
    .filter(([date, value]) => Math.abs((own.get(date) ?? value) - value) > AGREE_PP)
    .map(([date]) => date);
  const rows = [...new Map([...bank, ...ibge_ipca])].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const warnings = apart.map(
    (date) => `sources_disagree: the IPCA of ${date.slice(0, 7)} is IBGE's, the central bank has another`,
  );
  return { rows, warnings };
}

function describeInflation(inputs: MacroInputs, ipca: MacroRows): MacroData["inflation"] {
  const { series, target, focus } = inputs;
  const [low, high] = [target.centre - target.band, target.centre + target.band];
  const ipca_12m = accumulate12(ipca) ?? newest(series.ipca_12m ?? []);
  const year = accumulateYear(ipca);
  const [period = ""] = ipca.at(-1) ?? [];
  const path = path12(ipca).filter(([date]) => date >= target.from);
  const { now, longest } = countOutside(path, { low, high });
  const goal = focus?.find((row) => row.indicator === "ipca" && row.year === yearOf(period))?.median ?? null;
  const over = (id: string): Maybe => accumulate12(series[id] ?? []);
  const [dp, ms] = [over("ipca_core_dp"), over("ipca_core_ms")];
  return {
    ipca_mom: newest(ipca) ?? 0,
    ipca_period: period,
    ipca_12m,
    ipca_3m_saar: annualise3(ipca),
    ipca_ytd: year?.ytd ?? null,
    ipca15_mom: newest(series.ipca15 ?? []),
    igpm_12m: over("igpm"),
    inpc_12m: over("inpc"),
    services_12m: over("ipca_services"),
    administered_12m: over("ipca_administered"),
    core_mean_12m: dp === null || ms === null ? null : (dp + ms) / 2,
    target: target.centre,
    band_low: low,
    band_high: high,
    gap_pp: minus(ipca_12m, target.centre),
    months_outside_band: now,
    longest_run: longest,
    breach: now >= BREACH_MONTHS,
    required_mom_to_focus: year && goal !== null ? requiredMonthly(goal, year.ytd, year.months_left) : null,
  };
}

function describeFX({ ptax }: MacroInputs): MacroData["fx"] {
  const sells: MacroRows = ptax.map(([date, , sell]) => [date, sell]);
  const [date = "", buy = 0, sell = 0] = ptax.at(-1) ?? [];
  const annual = getVolatility(toLogReturns(sells.map(([, rate]) => rate)), 63);
  const month = annual === null ? null : annual * Math.sqrt(21 / 252);
  return {
    ptax_buy: buy,
    ptax_sell: sell,
    date,
    change_1d_pct: changeOver(sells, 1),
    change_5d_pct: changeOver(sells, 5),
    change_21d_pct: changeOver(sells, 21),
    change_252d_pct: changeOver(sells, 252),
    vol_63d_pct: annual === null ? null : annual * 100,
    band_1m_low: month === null ? null : sell * Math.exp(-month),
    band_1m_high: month === null ? null : sell * Math.exp(month),
  };
}

function listEvents({ releases, meetings, today }: MacroInputs, now_ms: number): MacroData["calendar"] {
  if (!releases) return null;
  const end_ms = now_ms + CALENDAR_DAYS * DAY_MS;
  const decisions = meetings.map((date) => ({ date, at_ms: toInstant(ZONE, date, "18:30") }));
  const events = [
    ...releases.map(({ at_ms, title, url }) => ({ at_ms, title, source: "ibge" as const, url })),
    ...decisions.map(({ at_ms }) => ({
      at_ms,
      title: "Copom: Selic target",
      source: "bcb" as const,
      url: "https://www.bcb.gov.br/controleinflacao/calendarioreunioescopom",
    })),
  ];
  return events
    .filter(({ at_ms }) => at_ms >= Math.min(now_ms, toInstant(ZONE, today, "00:00")) && at_ms <= end_ms)
    .sort((a, b) => a.at_ms - b.at_ms)
    .map(({ at_ms, ...event }) => ({ time_utc: new Date(at_ms).toISOString(), ...event }));
}

/** The survey of every year; in short of this one. */
const listFocus = ({ focus, today }: MacroInputs, is_full: boolean): MacroData["focus"] =>
  focus
    ?.filter(({ year }) => is_full || year === yearOf(today))
    .map((row) => ({ ...row, indicator: row.indicator as "ipca" })) ?? null;

const UNREAD = "its series could not be read, or is too short";
const NO_CHANGE = "no change of the target is stored";
const NO_MEETING = "the central bank's list of meetings that is known has ended";
const NO_SURVEY = "the survey could not be read";

const toScore = (score: ReturnType<typeof getPressure>): MacroData["score"] =>
  score && {
    pressure: score.pressure,
    factors: score.factors.map((factor) => ({ ...factor, name: factor.name as "fx" })),
  };

const show = (value: Maybe): string => (value === null ? "unknown" : value.toFixed(2));

type MacroQuery = Partial<MacroParams> & { readonly now_ms: number };

const describeInWords = ({ selic, inflation, fx }: Pick<MacroData, "selic" | "inflation" | "fx">, centre: number) =>
  `Brazil's Selic target is ${show(selic.target_pct)} %, inflation of 12 months ${show(inflation.ipca_12m)} % ` +
  `against a target of ${show(centre)} %. ` +
  `One US dollar was sold at ${fx.ptax_sell.toFixed(4)} reais on ${fx.date}.`;

const explainSelic = (selic: MacroData["selic"]): Draft<MacroData["selic"]> =>
  missingIn(
    {
      ...selic,
      ...missingIn({ since_date: selic.since_date, last_step_bps: selic.last_step_bps }, NO_CHANGE),
      ...missingIn({ next_meeting_date: selic.next_meeting_date, days_to_meeting: selic.days_to_meeting }, NO_MEETING),
    },
    UNREAD,
  );

type ReadSeries = (id: string) => MacroRows;

const describeActivity = (of: ReadSeries, ibc_br_3m3m: Maybe): MacroData["activity"] => ({
  ibc_br_mom_sa: changeOver(of("ibc_br"), 1),
  ibc_br_3m3m,
  ibc_br_yoy: changeOverYear(of("ibc_br_nsa")),
  gdp_qoq_sa: changeOver(of("gdp_volume"), 1),
});

/** Labour, the public purse and what is owed abroad. */
function describeState(
  { ibge_unemployment }: MacroInputs,
  of: ReadSeries,
): Pick<MacroData, "labour" | "fiscal" | "external"> {
  const unemployment = ibge_unemployment.length > 0 ? ibge_unemployment : of("unemployment");
  const debt = of("gross_debt");
  const need = newest(of("primary_need_12m"));
  return {
    labour: {
      unemployment_pct: newest(unemployment),
      change_yoy_pp: minus(newest(unemployment), unemployment.at(-13)?.[1] ?? null),
      period: unemployment.at(-1)?.[0] ?? null,
    },
    fiscal: {
      gross_debt: newest(debt),
      net_debt: newest(of("net_debt")),
      primary_balance_12m: need === null ? null : -need,
      change_12m_pp: minus(newest(debt), debt.at(-13)?.[1] ?? null),
    },
    external: {
      reserves: newest(of("reserves")) ?? newest(of("reserves_month")),
      trade_balance_month: newest(of("trade_balance")),
      trade_balance_12m: sumYear(of("trade_balance")),
      current_account_12m: sumYear(of("current_account")),
    },
  };
}

/** @returns the dashboard; changes of fields without a history are null, with a warning each. */
export function computeMacro(inputs: MacroInputs, { now_ms, detail = "full" }: MacroQuery): Computed<Draft<MacroData>> {
  const is_full = detail === "full";
  const { series, target, di_1y, focus_ipca_12m } = inputs;
  const of = (id: string): MacroRows => series[id] ?? [];
  const merged = mergeIPCA(inputs);
  const [selic, inflation, fx] = [describeSelic(inputs), describeInflation(inputs, merged.rows), describeFX(inputs)];
  const ibc_br_3m3m = changeOfQuarters(of("ibc_br"));
  const sells: MacroRows = inputs.ptax.map(([date, , sell]) => [date, sell]);
  const score = getPressure(
    {
      ipca_12m: inflation.ipca_12m,
      ipca_3m_saar: inflation.ipca_3m_saar,
      focus_12m: focus_ipca_12m,
      ibc_3m3m: ibc_br_3m3m,
      usd_63d_pct: changeOver(sells, 63),
    },
    target.centre,
  );
  const data: Draft<MacroData> = {
    indicators: is_full
      ? listIndicators(inputs).map((row) => missingIn(row, "the series has no observation before"))
      : [],
    selic: explainSelic(selic),
    inflation: missingIn(
      {
        ...inflation,
        required_mom_to_focus: inflation.required_mom_to_focus ?? missing("the year is over, or the survey is missing"),
      },
      UNREAD,
    ),
    fx: missingIn(fx, UNREAD),
    real_rates: missingIn(
      {
        ex_ante: di_1y === null || focus_ipca_12m === null ? null : realRate(di_1y, focus_ipca_12m),
        ex_post: inflation.ipca_12m === null ? null : realRate(selic.target_pct, inflation.ipca_12m),
        ex_ante_basis: "1-year DI of /br-curve over the smoothed median of the survey for 12 months",
      },
      "the curve, the survey or the IPCA is missing",
    ),
    ...missingIn({ activity: describeActivity(of, ibc_br_3m3m), ...describeState(inputs, of) }, UNREAD),
    focus: listFocus(inputs, is_full) ?? missing(NO_SURVEY),
    focus_selic: inputs.focus_selic ?? missing(NO_SURVEY),
    focus_ipca_12m: focus_ipca_12m ?? missing(NO_SURVEY),
    calendar: listEvents(inputs, now_ms) ?? missing("IBGE's calendar could not be read"),
    score: toScore(score) ?? missing("fewer than 4 of its factors are known"),
    text: describeInWords({ selic, inflation, fx }, target.centre),
  };
  const ends = warnOfEnd("calendar", inputs.meetings, inputs.today);
  const last_day = [fx.date, of("selic_effective").at(-1)?.[0] ?? ""].sort().at(-1) ?? fx.date;
  return {
    as_of_ms: Math.min(now_ms, toInstant(ZONE, last_day, "23:59")),
    data,
    warnings: [...merged.warnings, ...listMissing(inputs, is_full), ...ends],
  };
}

/** Series that are not shown at all, and those that are old. */
function listMissing(inputs: MacroInputs, is_full: boolean): readonly string[] {
  const isDue = (id: string): boolean => is_full || !(SHOWN_ONLY.has(id) || STAND_INS.has(id));
  const unread = SGS_SERIES.filter(({ id }) => isDue(id) && !inputs.series[id]?.length).map(({ id }) => id);
  const stale = listIndicators(inputs).flatMap(({ id, stale }) => (stale ? [id] : []));
  return [
    ...(unread.length > 0 ? [`indicators: without ${unread.join(", ")}, which could not be read`] : []),
    ...(stale.length > 0 ? [`indicators: ${stale.join(", ")} are older than 2.5 times their period`] : []),
  ];
}
