import { type Computed, type Draft, getFXWeek, missing, missingIn, NodeError } from "intel-node";
import { median } from "intel-node/quant/stats";
import { sampleStandardDeviation } from "simple-statistics";
import { bpsOver, midOf, spreadBpsOf } from "../quotes/quotes.ts";
import type { Fix, ForexInputs } from "./fetch.ts";
import { judgeOracle, judgeQuote } from "./judge.ts";
import type { PTAX } from "./ptax.ts";
import type { ForexData } from "./schema.ts";

const VOL_RETURNS = 30;
const VOL_RETURNS_MIN = 20;
const YEAR_FIXES = 260;
const RANK_FIXES_MIN = 130;
/** The fix is made at about 14:15 in Frankfurt. */
const FIX_HOUR_MS = 13 * 3_600_000;

type Maybe = number | null;
const NO_FIXES = "too few official rates";

const changeOver = (fixes: readonly Fix[], count: number): Maybe => {
  const [last, before] = [fixes.at(-1), fixes.at(-1 - count)];
  return last && before ? (last.rate / before.rate - 1) * 100 : null;
};

/** Sample deviation of the last log returns x sqrt(252), percent; null with fewer than `least` of them. */
export function getVol(fixes: readonly Fix[], least = VOL_RETURNS_MIN): Maybe {
  const rates = fixes.slice(-(VOL_RETURNS + 1)).map(({ rate }) => rate);
  const returns = rates.slice(1).map((rate, index) => Math.log(rate / (rates[index] ?? rate)));
  return returns.length < Math.max(2, least) ? null : sampleStandardDeviation(returns) * Math.sqrt(252) * 100;
}

function getRank(fixes: readonly Fix[]): Maybe {
  const year = fixes.slice(-YEAR_FIXES);
  const last = year.at(-1);
  return !last || year.length < RANK_FIXES_MIN
    ? null
    : year.filter(({ rate }) => rate <= last.rate).length / year.length;
}

/** The closing PTAX beside a rate of the dollar in reais, or of the real in dollars. */
function describePTAX(ptax: PTAX | null, { base, rate }: { readonly base: string; readonly rate: number }) {
  if (!ptax) return missing("the closing PTAX is not stored yet, or could not be had");
  return { ...ptax, deviation_bps: bpsOver(rate, base === "USD" ? ptax.sell : 1 / ptax.sell) };
}

/** @throws NodeError without a usable live quote and an official rate. */
export function computeForex(inputs: ForexInputs, { now_ms }: { readonly now_ms: number }): Computed<Draft<ForexData>> {
  const { pair, fixes, fixed_by, read_at_ms } = inputs;
  const [base = "", quote = ""] = pair.split("/");
  const fix = fixes.at(-1) ?? null;
  const judged = inputs.live.map((one) => ({ ...one, why: judgeQuote(one, fix?.rate ?? null, read_at_ms) }));
  const used = judged.filter(({ why }) => why === null);
  const mids = used.map(midOf);
  const middle = median(mids);
  const why_no_oracle = inputs.oracle && judgeOracle(inputs.oracle, fix?.rate ?? null, read_at_ms);
  const oracle = middle === null && why_no_oracle === null ? inputs.oracle : null;
  const rate = middle ?? oracle?.rate ?? fix?.rate ?? null;
  if (rate === null) throw new NodeError("upstream_bad_response", `no quote of ${pair} is usable: ${judged[0]?.why}`);
  const [best = null] = used.toSorted((a, b) => spreadBpsOf(a) - spreadBpsOf(b));
  const data: Draft<ForexData> = {
    base,
    quote,
    rate,
    inverse: 1 / rate,
    kind: middle !== null ? "live" : oracle ? "oracle" : "official_daily",
    rate_of: middle !== null ? used.map(({ provider }) => provider) : [oracle ? "chainlink" : (fixed_by ?? "ecb")],
    ...missingIn(
      {
        bid: best?.bid ?? null,
        ask: best?.ask ?? null,
        spread_bps: best && spreadBpsOf(best),
        quoted_by: best?.provider ?? null,
      },
      "no live quote of it",
    ),
    official: fix ? { rate: fix.rate, date: fix.date, read_from: fixed_by ?? "ecb" } : missing(NO_FIXES),
    ...(inputs.ptax === undefined ? {} : { ptax: describePTAX(inputs.ptax, { base, rate }) }),
    deviation_from_official_bps:
      fix && (middle !== null || oracle)
        ? bpsOver(rate, fix.rate)
        : missing("there is no official rate, or the rate is the official one"),
    dispersion_bps:
      mids.length < 2 || middle === null
        ? missing("fewer than two live quotes")
        : ((Math.max(...mids) - Math.min(...mids)) / middle) * 1e4,
    ...missingIn(
      {
        change_1d_pct: changeOver(fixes, 1),
        change_5d_pct: changeOver(fixes, 5),
        change_22d_pct: changeOver(fixes, 22),
        realised_vol_30d_pct: getVol(fixes),
        pctile_52w: getRank(fixes),
      },
      NO_FIXES,
    ),
    market_state: getFXWeek(now_ms).is_open ? "open" : "weekend",
    quotes: judged.map(({ provider, bid, ask, at_ms, why }) => ({
      provider,
      mid: (bid + ask) / 2,
      bid,
      ask,
      age_s: at_ms === null ? missing("the venue states no time") : Math.max(0, read_at_ms - at_ms) / 1000,
      used: why === null,
      reject_reason: why,
    })),
  };
  const dropped = judged.flatMap(({ provider, why }) =>
    why === null ? [] : [`quotes: ${provider} is not used, ${why}`],
  );
  const is_undated = used.length > 0 && used.every(({ at_ms }) => at_ms === null);
  const undated = is_undated ? ["rate: no venue that it is made of states a time"] : [];
  const unused = why_no_oracle === null ? [] : [`rate: the oracle's is not used, ${why_no_oracle}`];
  const fixed_ms = fix ? Date.parse(`${fix.date}T00:00:00Z`) + FIX_HOUR_MS : read_at_ms;
  const dated = used.map(({ at_ms }) => at_ms ?? read_at_ms);
  const as_of_ms = Math.min(read_at_ms, dated.length > 0 ? Math.max(...dated) : (oracle?.updated_at_ms ?? fixed_ms));
  return { as_of_ms, data, warnings: [...inputs.warnings, ...dropped, ...unused, ...undated] };
}
