import { type Computed, type Draft, type ISODate, missing, missingIn, toInstant, toLocal, yearOf } from "intel-node";
import { computeRSI } from "intel-node/quant/indicators";
import { getMovingAverage } from "intel-node/quant/stats";
import { adjustCloses } from "intel-node/series/adjust-closes";
import { sampleCorrelation, sampleCovariance, sampleVariance } from "simple-statistics";
import { getVolatility, toLogReturns } from "../b3/returns.ts";
import { B3_CALENDAR, momentOf, ZONE } from "../b3/stored-days.ts";
import type { EquityInputs, MemberDay, StoredClose } from "./fetch.ts";
import type { EquityData } from "./schema.ts";

const COMMON_DAYS_MIN = 120;
const RETURN_DAYS = { d5: 5, d21: 21, d63: 63, d252: 252 } as const;

type Maybe = number | null;

export const kindOf = (symbol: string): EquityData["kind"] => {
  if (symbol === "IBOV") return "index";
  const ending = symbol.slice(4);
  if (ending === "11") return "unit_or_fund";
  return /^3[1-9]$/.test(ending) ? "bdr" : "share";
};

const changeOver = (values: readonly number[], count: number): Maybe => {
  const [last, before] = [values.at(-1), values.at(-1 - count)];
  return last === undefined || before === undefined ? null : (last / before - 1) * 100;
};

function changeOfYear(closes: readonly StoredClose[]): Maybe {
  const last = closes.at(-1);
  const before = last && closes.findLast(({ date }) => yearOf(date) < yearOf(last.date));
  return last && before ? (last.close / before.close - 1) * 100 : null;
}

/** Slope and correlation of log returns on common days. */
export function regress(
  own: readonly StoredClose[],
  index: readonly StoredClose[],
): { readonly beta: Maybe; readonly corr: Maybe } {
  const levels = new Map(index.map(({ date, close }) => [date, close]));
  const common = own.flatMap(({ date, close }) => {
    const level = levels.get(date);
    return level === undefined ? [] : [{ close, level }];
  });
  const last = common.slice(-253);
  if (last.length <= COMMON_DAYS_MIN) return { beta: null, corr: null };
  const [x, y] = [toLogReturns(last.map(({ level }) => level)), toLogReturns(last.map(({ close }) => close))];
  const spread = sampleVariance([...x]);
  if (spread === 0 || sampleVariance([...y]) === 0) return { beta: null, corr: null };
  return { beta: sampleCovariance([...x], [...y]) / spread, corr: sampleCorrelation([...x], [...y]) };
}

/** Risers and fallers, and by how much. */
export function describeMembers(members: readonly MemberDay[], date: ISODate): NonNullable<EquityData["members"]> {
  const moved = members.flatMap(({ symbol, closes }) => {
    const last = closes.at(-1);
    return last?.date === date && last.change_pct !== null ? [{ symbol, change_pct: last.change_pct }] : [];
  });
  const above = members.flatMap(({ closes }) => {
    const adjusted = adjustCloses(closes).closes.map(({ close }) => close);
    const mean = getMovingAverage(adjusted, 50);
    return mean === null ? [] : [(adjusted.at(-1) ?? 0) > mean];
  });
  const ranked = moved.toSorted((a, b) => b.change_pct - a.change_pct);
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);
  const advancers = moved.filter(({ change_pct }) => change_pct > 0).length;
  return {
    n: moved.length,
    advancers,
    decliners: moved.filter(({ change_pct }) => change_pct < 0).length,
    breadth_pct: share(advancers, moved.length),
    above_sma50_pct:
      above.length < members.length / 2 || above.length === 0
        ? null
        : share(above.filter(Boolean).length, above.length),
    top_weights: members
      .toSorted((a, b) => b.weight_pct - a.weight_pct)
      .slice(0, 10)
      .map(({ symbol, weight_pct }) => ({ symbol, weight_pct })),
    best: ranked.slice(0, 5),
    worst: ranked.slice(-5).reverse(),
  };
}

/** Members of the index on a day, with what is missing of them. */
function describeIndex(members: readonly MemberDay[], date: ISODate): Draft<EquityData["members"]> {
  if (members.length === 0) return missing("its members could not be read");
  return missingIn(describeMembers(members, date), "too few members have a history that is long enough");
}

/** B3's session of today: the calendar's, at the hours the operator states; a late opening stays one. */
export function describeSession(now_ms: number, hours: EquityInputs["session"]): EquityData["session"] {
  const { date } = toLocal(ZONE, now_ms);
  const [session] = B3_CALENDAR.sessionsOf(date);
  if (!session) return { is_trading_day: false, is_open: false, open_utc: null, close_utc: null };
  const open_ms = Math.max(toInstant(ZONE, date, hours.open), session.open_ms);
  const close_ms = toInstant(ZONE, date, hours.close);
  return {
    is_trading_day: true,
    is_open: now_ms >= open_ms && now_ms < close_ms,
    open_utc: new Date(open_ms).toISOString(),
    close_utc: new Date(close_ms).toISOString(),
  };
}

const TOO_SHORT = "the history that is stored is too short";

/** @returns the last close of a share or of the index, with its history. */
export function computeEquity(
  inputs: EquityInputs,
  { now_ms }: { readonly now_ms: number },
): Computed<Draft<EquityData>> {
  const { symbol, last, index, members } = inputs;
  const { closes, adjusted_days } = adjustCloses(inputs.history);
  const values = closes.map(({ close }) => close);
  const is_index = symbol === "IBOV";
  const { beta, corr } = is_index ? { beta: null, corr: null } : regress(closes, index);
  const year = values.slice(-252);
  const top = Math.max(...values);
  const vol = getVolatility(toLogReturns(values), 30);
  const before = values.at(-2) ?? (last.change_pct === null ? undefined : last.close / (1 + last.change_pct / 100));
  const is_proxy = is_index && inputs.warnings.length > 0;
  // Of the index B3 states no trades; that it is the index says so already.
  const unstated = is_index ? null : missing("not stated for it");
  const data: Draft<EquityData> = {
    symbol,
    isin: last.isin,
    kind: kindOf(symbol),
    trade_date: last.date,
    close: last.close,
    unit: is_index && !is_proxy ? "points" : "BRL",
    average: last.average ?? missing("not stated for it"),
    low: last.low ?? missing("not stated for it"),
    high: last.high ?? missing("not stated for it"),
    previous_close: before ?? missing(TOO_SHORT),
    change_pct: last.change_pct ?? missing("B3 states none"),
    trades: last.trades ?? unstated,
    volume_shares: last.shares ?? unstated,
    turnover_brl: last.turnover ?? unstated,
    ...missingIn(
      {
        returns: {
          d5: changeOver(values, RETURN_DAYS.d5),
          d21: changeOver(values, RETURN_DAYS.d21),
          d63: changeOver(values, RETURN_DAYS.d63),
          d252: changeOver(values, RETURN_DAYS.d252),
          ytd: changeOfYear(closes),
        },
        sma20: getMovingAverage(values, 20),
        sma50: getMovingAverage(values, 50),
        sma200: getMovingAverage(values, 200),
        rsi14: computeRSI(values).at(-1) ?? null,
        vol30_pct: vol === null ? null : vol * 100,
        drawdown_pct: values.length < 2 ? null : (last.close / top - 1) * 100,
        high_252d: year.length < 252 ? null : Math.max(...year),
        low_252d: year.length < 252 ? null : Math.min(...year),
      },
      TOO_SHORT,
    ),
    ...missingIn({ beta_ibov_252d: beta, corr_ibov_252d: corr }, is_index ? "it is the index" : TOO_SHORT),
    index_weight_pct: inputs.weight_pct ?? missing("it is no member of the Ibovespa, or its members could not be read"),
    members: is_index ? describeIndex(members ?? [], last.date) : null,
    session: describeSession(now_ms, inputs.session),
    history_days: values.length,
    adjusted_days,
    text:
      `${symbol} closed at ${last.close.toFixed(2)}${is_index && !is_proxy ? " points" : " BRL"} on ${last.date}` +
      (last.change_pct === null
        ? "."
        : `, ${last.change_pct >= 0 ? "up" : "down"} ${Math.abs(last.change_pct).toFixed(2)} % on the day.`),
  };
  return { as_of_ms: momentOf(last.date), data, warnings: inputs.warnings };
}
