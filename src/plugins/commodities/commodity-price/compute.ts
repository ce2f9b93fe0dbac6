import { addDays, type Computed, type Draft, getFXWeek, missing, missingIn, NodeError, renderTime } from "intel-node";
import { median } from "intel-node/quant/stats";
import { COMMODITIES, type SlowCommodity } from "./commodities.ts";
import type { CommodityInputs, DatedPrice, MetalQuote } from "./fetch.ts";
import type { CommodityData } from "./schema.ts";

type Maybe = number | null;

/** Beyond this two live sources disagree, and neither alone is the price. */
const DISAGREE_BPS = 100;
const SPREAD_BPS_MAX = 150;
const OBSERVATIONS_MIN = 20;
const YEAR_OBSERVATIONS = 252;
const HOUR_MS = 3_600_000;
/** The two oils are published within days of each other. */
const SPREAD_AGE_DAYS_MAX = 7;
/** A feed writes at least once a day while its market is open. Dealers rest an hour a day, tokens trade on. */
const AGE_MAX_MS = { dealer: 61 * 60_000, spot: 61 * 60_000, oracle: 36 * HOUR_MS, token: 5 * 60_000 } as const;
const WEEKEND_MS = 49 * HOUR_MS;
/** A price older than this is not called live: its market rests, or the feed has not written since. */
const FRESH_MS = 60_000;
const PRICE_TYPES = { dealer: "spot_mid", spot: "spot_price", oracle: "oracle", token: "token_proxy" } as const;

/** Whether the market closed for a weekend after a moment. */
function isBeforeWeekend(at_ms: number, now_ms: number): boolean {
  const { is_open, changes_ms } = getFXWeek(at_ms);
  return !is_open || changes_ms <= now_ms;
}

/** Why a quote is not used; null when it is. */
export function judgeQuote({ kind, bid, ask, mid, at_ms }: MetalQuote, now_ms: number): string | null {
  if (!(mid > 0)) return "without a price";
  if (bid !== null && ask !== null && ((ask - bid) / mid) * 1e4 > SPREAD_BPS_MAX)
    return `spread above ${SPREAD_BPS_MAX} bps`;
  if (at_ms === null) return null;
  const closed_ms = kind !== "token" && isBeforeWeekend(at_ms, now_ms) ? WEEKEND_MS : 0;
  return now_ms - at_ms > AGE_MAX_MS[kind] + closed_ms ? "older than its market allows" : null;
}

/** Highest less lowest over the median, basis points; null with fewer than two. */
function getDispersion(mids: readonly number[]): Maybe {
  const middle = median(mids);
  return middle === null || mids.length < 2 ? null : ((Math.max(...mids) - Math.min(...mids)) / middle) * 1e4;
}

const changeFrom = (price: number, before: DatedPrice | undefined): Maybe =>
  before ? (price / before.value - 1) * 100 : null;

/** Changes of a price of a day against the observations before that day. */
export function compareTo(history: readonly DatedPrice[], price: number, date: string) {
  const before = history.filter((one) => one.date < date);
  const enough = before.length + 1 >= OBSERVATIONS_MIN;
  const month_ago = addDays(date, -30);
  const year = [...before.slice(-(YEAR_OBSERVATIONS - 1)).map(({ value }) => value), price];
  return {
    change_pct: changeFrom(price, before.at(-1)),
    change_30d_pct: enough
      ? changeFrom(
          price,
          before.findLast((one) => one.date <= month_ago),
        )
      : null,
    pctile_1y: enough ? year.filter((value) => value <= price).length / year.length : null,
  };
}

const NO_DEALER = "the price is not a dealer's";
const ONE_SOURCE = "fewer than two valid live sources";
const NO_HALF = "none is defined for it, or its other half is unknown";
const NO_EARLIER = "no earlier observation is stored";

type Priced = Pick<
  Draft<CommodityData>,
  | "freshness"
  | "price"
  | "price_type"
  | "observed_at"
  | "bid"
  | "ask"
  | "spread_bps"
  | "dispersion_bps"
  | "related"
  | "quotes"
> & { readonly warnings: readonly string[]; readonly at_ms: number; readonly price: number };

const isFresh = (at_ms: number | null, read_at_ms: number): boolean => at_ms !== null && read_at_ms - at_ms <= FRESH_MS;

const WHY_OLD = {
  dealer: "its market rests; it is the last quote before that",
  spot: "its market rests; it is the last quote before that",
  oracle: "it is the feed's last write",
  token: "it is the token's last trade",
} as const;

/** @throws NodeError when no source is valid. */
function priceLive({ symbol, quotes, partner, read_at_ms }: CommodityInputs): Priced {
  const judged = quotes.map((quote) => ({ ...quote, why: judgeQuote(quote, read_at_ms) }));
  const used = judged.filter(({ why }) => why === null);
  const [first] = used;
  if (!first) throw new NodeError("upstream_bad_response", `no quote of ${symbol} is valid: ${judged[0]?.why}`);
  const mids = used.map(({ mid }) => mid);
  const dispersion_bps = getDispersion(mids);
  const disagree = dispersion_bps !== null && dispersion_bps > DISAGREE_BPS;
  const dealer = first.kind === "dealer" && !disagree ? first : null;
  const price = disagree ? (median(mids) ?? first.mid) : first.mid;
  const at_ms = Math.min(read_at_ms, first.at_ms ?? read_at_ms);
  const other = partner.quote && judgeQuote(partner.quote, read_at_ms) === null ? partner.quote.mid : null;
  const ratio = other === null ? null : symbol === "gold" ? price / other : other / price;
  const warnings = judged.flatMap(({ provider, why }) =>
    why === null ? [] : [`quotes: ${provider} is not used, ${why}`],
  );
  if (disagree) warnings.push(`price: the sources disagree by ${dispersion_bps.toFixed(0)} bps; it is their median`);
  const is_fresh = isFresh(first.at_ms, read_at_ms);
  if (first.at_ms === null) warnings.push(`price: ${first.provider} states no time for it`);
  else if (!is_fresh) {
    warnings.push(`price: ${WHY_OLD[first.kind]}, ${Math.floor((read_at_ms - at_ms) / 1000)} s old`);
  }
  if (first.kind === "token") warnings.push("price: it is of a token that stands for an ounce, not of the metal");
  return {
    price,
    price_type: disagree ? "median" : PRICE_TYPES[first.kind],
    observed_at: renderTime(at_ms),
    at_ms,
    freshness: is_fresh ? "live" : "last_quote",
    bid: dealer?.bid ?? missing(NO_DEALER),
    ask: dealer?.ask ?? missing(NO_DEALER),
    dispersion_bps: dispersion_bps ?? missing(ONE_SOURCE),
    warnings,
    spread_bps: dealer?.bid && dealer.ask ? ((dealer.ask - dealer.bid) / dealer.mid) * 1e4 : missing(NO_DEALER),
    related:
      ratio === null ? missing(NO_HALF) : { name: "gold_silver_ratio", value: ratio, observed_at: renderTime(at_ms) },
    quotes: judged.map(({ provider, kind, mid, bid, ask, at_ms: dated, why }) => ({
      provider,
      kind,
      mid,
      bid,
      ask,
      age_s: dated === null ? missing("the source states no time") : Math.max(0, read_at_ms - dated) / 1000,
      used: why === null,
      reject_reason: why,
    })),
  };
}

/** The end of what an observation is of: its day, or the month it begins. */
function endOf({ date }: DatedPrice, { cadence }: SlowCommodity): number {
  const [year = 0, month = 1] = date.split("-").map(Number);
  return cadence === "monthly" ? Date.UTC(year, month, 1) : Date.parse(date) + 24 * HOUR_MS;
}

/** Brent above WTI on the newest day that both have; null when that is long before the newest of either. */
function findOilSpread([brent, wti]: readonly [
  readonly DatedPrice[],
  readonly DatedPrice[],
]): CommodityData["related"] {
  const newest = [brent, wti].map((rows) => rows.at(-1)?.date ?? "").sort()[1] ?? "";
  const values = new Map(wti.map(({ date, value }) => [date, value]));
  const day = brent.findLast(({ date }) => values.has(date));
  if (!day || day.date < addDays(newest, -SPREAD_AGE_DAYS_MAX)) return null;
  return { name: "brent_wti_spread", value: day.value - (values.get(day.date) ?? 0), observed_at: day.date };
}

function priceSlow({ symbol, history, partner, read_at_ms }: CommodityInputs, one: SlowCommodity): Priced {
  const last = history.at(-1);
  if (!last) throw new NodeError("upstream_bad_response", `${symbol} has no observation`);
  return {
    price: last.value,
    price_type: one.cadence === "monthly" ? "monthly_average" : "daily_spot",
    quotes: [],
    observed_at: one.cadence === "monthly" ? last.date.slice(0, 7) : last.date,
    freshness: one.cadence,
    bid: null,
    ask: null,
    spread_bps: null,
    dispersion_bps: missing(ONE_SOURCE),
    warnings: [],
    related:
      findOilSpread(symbol === "brent" ? [history, partner.history] : [partner.history, history]) ?? missing(NO_HALF),
    at_ms: Math.min(read_at_ms, endOf(last, one)),
  };
}

/** @throws NodeError when no source is valid. */
export function computeCommodity(inputs: CommodityInputs): Computed<Draft<CommodityData>> {
  const one = COMMODITIES[inputs.symbol];
  const { warnings: said, at_ms, ...priced } = one.cadence === "live" ? priceLive(inputs) : priceSlow(inputs, one);
  const is_live = one.cadence === "live";
  // The history of a metal is of days that ended; that of a series ends with the price itself.
  const date = is_live ? new Date(at_ms).toISOString().slice(0, 10) : (inputs.history.at(-1)?.date ?? "");
  const { change_pct, change_30d_pct, pctile_1y } = compareTo(inputs.history, priced.price, date);
  const is_monthly = one.cadence === "monthly";
  const rank = is_monthly ? { change_30d_pct: null, pctile_1y: null } : { change_30d_pct, pctile_1y };
  const data: Draft<CommodityData> = {
    symbol: inputs.symbol,
    name: one.name,
    unit: one.unit,
    currency: "USD",
    ...priced,
    change_pct: change_pct ?? missing(NO_EARLIER),
    ...missingIn(rank, is_monthly ? "a monthly series has no days" : `fewer than ${OBSERVATIONS_MIN} observations`),
    change_basis: change_pct === null ? missing(NO_EARLIER) : is_live ? "node_fix" : "previous_obs",
    conversions: one.conversions.map(({ unit, factor }) => ({ unit, value: priced.price * factor })),
  };
  return { as_of_ms: at_ms, data, warnings: [...inputs.warnings, ...said] };
}
