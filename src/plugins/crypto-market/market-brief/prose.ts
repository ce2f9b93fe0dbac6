import { findUnfoundedNumbers } from "intel-node";
import type { MarketPack } from "./schema.ts";

const WORDS_MAX = 180;
const TRILLION = 1e12;

const fixed = (value: number, decimals: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
const price = (value: number): string => (value >= 1_000 ? fixed(value, 0) : value.toPrecision(4));
const moved = (pct: number): string =>
  pct === 0 ? "unchanged" : `${pct > 0 ? "up" : "down"} ${fixed(Math.abs(pct), 2)} %`;
const list = (names: readonly string[]): string => names.join(", ");

/** One sentence per part of the pack that is there; each figure as the pack has it, rounded. */
function* writeSentences(pack: MarketPack): Generator<string> {
  const [first, second] = pack.prices;
  if (first) {
    yield `${first.symbol} closed the last full hour at ${price(first.price_usd)} US dollars, ` +
      `${moved(first.chg_24h_pct)} in a day and ` +
      `${moved(first.chg_7d_pct)} in a week.`;
  }
  if (second) yield `${second.symbol} closed it at ${price(second.price_usd)}, ${moved(second.chg_24h_pct)} in a day.`;
  const { market, regime, fear_greed, volatility, derivatives, breadth, movers, sectors, fees, signals } = pack;
  if (market?.total_cap_usd && market.total_of === "market") {
    yield `All coins are worth ${fixed(market.total_cap_usd / TRILLION, 2)} trillion US dollars.`;
  }
  if (regime) yield `The regime is ${regime.regime} with a score of ${fixed(regime.score, 2)}, since ${regime.since}.`;
  if (breadth && breadth.above_sma50_frac !== null) {
    yield `The share of coins above their average of fifty days is ${fixed(breadth.above_sma50_frac, 2)}.`;
  }
  if (fear_greed) {
    const by = fear_greed.attribution ? ` (${fear_greed.attribution.text})` : " (this node's own index)";
    yield `Fear and greed stands at ${fear_greed.value}, ${fear_greed.classification}${by}.`;
  }
  if (volatility) yield `Bitcoin's volatility is ${fixed(volatility.btc_rv30_pct, 1)} % a year.`;
  if (derivatives && derivatives.btc_funding_apr_pct !== null) {
    yield `Funding of Bitcoin's perpetual runs at ${fixed(derivatives.btc_funding_apr_pct, 2)} % a year.`;
  }
  const [strongest, weakest] = [movers.up[0], movers.down[0]];
  if (strongest) yield `${strongest.symbol} gained most, ${fixed(strongest.chg_24h_pct, 2)} %.`;
  if (weakest) yield `${weakest.symbol} lost most, ${fixed(Math.abs(weakest.chg_24h_pct), 2)} %.`;
  if (sectors && sectors.leading.length > 0) yield `Leading sectors: ${list(sectors.leading)}.`;
  if (pack.anomalies_top && pack.anomalies_top.length > 0) {
    const odd = pack.anomalies_top.map(({ type, symbol }) => `${type.replaceAll("_", " ")} of ${symbol}`);
    yield `Odd just now: ${list(odd)}.`;
  }
  if (fees) yield `A Bitcoin transfer in the next block costs ${fixed(fees.btc_fastest_sat_vb, 2)} satoshi per vB.`;
  if (signals) yield `This node has ${signals.active_n} active signals.`;
}

/** The template's prose: the same for the same pack. */
export function writeBrief(pack: MarketPack): string {
  const written: string[] = [];
  let words = 0;
  for (const sentence of writeSentences(pack)) {
    const more = sentence.split(/\s+/).length;
    if (words + more > WORDS_MAX) break;
    words += more;
    written.push(sentence);
  }
  return written.join(" ");
}

/** Why a brief must not be shown; null when it may. Holds for whoever wrote it. */
export function findBriefFault(brief: string, pack: MarketPack): string | null {
  const words = brief.split(/\s+/).filter((word) => word !== "").length;
  if (words === 0 || words > WORDS_MAX) return `it has ${words} words`;
  const unfounded = findUnfoundedNumbers(brief, pack);
  return unfounded.length > 0 ? `figures that are not in the pack: ${unfounded.slice(0, 5).join(", ")}` : null;
}
