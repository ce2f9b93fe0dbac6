import { type Computed, renderTime } from "intel-node";
import { parseSubject } from "../shared/facts/subject.ts";
import { getCopyProfit } from "../shared/trades/fifo.ts";
import { describeGaps, getNewest, tokenKey } from "../shared/trades/store.ts";
import type { TradeRow } from "../shared/trades/tables.ts";
import { CLOSED_MIN, type Trader } from "../shared/trades/traders.ts";
import { BLOCK_S } from "../shared/whales/chains.ts";
import { describeSample } from "../smart-money/compute.ts";
import type { CopytradeInputs } from "./fetch.ts";
import type { CopytradeData } from "./schema.ts";

const DAY_MS = 86_400_000;
const FOLLOWED_S = 60;
const FOLLOWED_FACTOR = 5;
const ROWS_MAX = 10;
const UNMATCHED_MAX = 0.5;
const SCOPE_NOTE =
  "The past of one wallet in a sample of pools: gas, transfers, other venues and trades below 1,000 US dollars are " +
  "not counted, and the haircut is an assumption. A copier's own trades move prices.";

const clamp01 = (value: number): number => Math.min(1, Math.max(0, value));
const shareOf = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** Part of its buys after which others bought five times as much of the token within a minute: it may be a lure. */
export function getFollowedShare({ trades, address, chain }: Trader, market: readonly TradeRow[]): number | null {
  const blocks = FOLLOWED_S / BLOCK_S[chain];
  const others = groupBuys(market.filter(({ wallet }) => wallet !== address));
  const buys = trades.filter(({ is_buy }) => is_buy);
  const followed = buys.filter(({ token, block, usd }) => {
    const of_token = others.get(token) ?? [];
    let bought = 0;
    for (let at = findBlock(of_token, block); at < of_token.length; at += 1) {
      const other = of_token[at];
      if (!other || other.block > block + blocks) break;
      bought += other.usd;
    }
    return bought > FOLLOWED_FACTOR * usd;
  });
  return shareOf(followed.length, buys.length);
}

/** Buys by token, in the order they came: that of the chain. */
function groupBuys(rows: readonly TradeRow[]): ReadonlyMap<string, readonly TradeRow[]> {
  const by_token = new Map<string, TradeRow[]>();
  for (const row of rows) {
    if (!row.is_buy) continue;
    const own = by_token.get(row.token);
    if (own) own.push(row);
    else by_token.set(row.token, [row]);
  }
  return by_token;
}

/** Index of the first row of a block or a later one, by bisection. */
function findBlock(rows: readonly TradeRow[], block: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.block ?? block) < block) low = middle + 1;
    else high = middle;
  }
  return low;
}

function getFreshShare({ trades, chain }: Trader, tokens: CopytradeInputs["stored"]["tokens"]): number | null {
  const ages = trades.flatMap(({ token, at_ms }) => {
    const created_ms = tokens.get(tokenKey(chain, token))?.pool_created_at_ms ?? null;
    return created_ms === null ? [] : [at_ms - created_ms];
  });
  return shareOf(ages.filter((age_ms) => age_ms < DAY_MS).length, ages.length);
}

function getAvoidShare({ trades, chain }: Trader, verdicts: CopytradeInputs["verdicts"]): number | null {
  const tokens = [...new Set(trades.map(({ token }) => tokenKey(chain, token)))];
  const judged = tokens.flatMap((key) => verdicts.get(key) ?? []);
  return shareOf(judged.filter((verdict) => verdict === "AVOID").length, judged.length);
}

/** Copyability's parts; what nobody knows counts 0, so that silence never makes it better. */
export function scoreCopy(facts: {
  readonly copy_roi: number;
  readonly win_rate_lower95: number;
  readonly avoid_share: number | null;
  readonly median_hold_min: number | null;
}) {
  return [
    { id: "copy_roi", points: 40 * clamp01(facts.copy_roi / 0.5) },
    { id: "win_rate_lower95", points: 30 * clamp01(facts.win_rate_lower95) },
    { id: "not_avoid", points: facts.avoid_share === null ? 0 : 20 * (1 - facts.avoid_share) },
    { id: "hold", points: 10 * clamp01((facts.median_hold_min ?? 0) / 60) },
  ];
}

function describePerformance(trader: Trader, haircut_bps: number): CopytradeData["performance"] {
  const { realized_pnl_usd, matched_cost_usd, closed, wins, matched } = trader;
  const copy_pnl_usd = getCopyProfit(matched.closed, haircut_bps);
  const percentOf = (usd: number): number | null => (closed === 0 ? null : (usd / matched_cost_usd) * 100);
  return {
    ...{ realized_pnl_usd, matched_cost_usd, roi_pct: percentOf(realized_pnl_usd) },
    ...{ copy_pnl_usd, copy_roi_pct: percentOf(copy_pnl_usd), haircut_bps, closed, wins },
    ...{ win_rate: shareOf(wins, closed), win_rate_lower95: trader.win_rate_lower95 },
    max_drawdown_usd: trader.max_drawdown_usd,
    unmatched_sell_share: shareOf(matched.unmatched_usd, matched.sold_usd) ?? 0,
  };
}

function listPositions({ trader, market, stored }: CopytradeInputs): CopytradeData["open_positions"] {
  const last = new Map(market.map(({ token, usd, qty }) => [token, usd / qty]));
  const rows = [...trader.matched.open].map(([token, { qty, cost_usd }]) => {
    const price = last.get(token);
    return {
      token: parseSubject("token", token, trader.chain).address,
      symbol: stored.tokens.get(tokenKey(trader.chain, token))?.symbol || null,
      ...{ qty, cost_usd, value_usd: price === undefined ? null : price * qty },
    };
  });
  return rows.sort((a, b) => b.cost_usd - a.cost_usd).slice(0, ROWS_MAX);
}

const listRecent = ({ trader, stored }: CopytradeInputs): CopytradeData["recent_trades"] =>
  trader.trades
    .toReversed()
    .slice(0, ROWS_MAX)
    .map(({ token, is_buy, qty, usd, tx, block, at_ms }) => ({
      token: parseSubject("token", token, trader.chain).address,
      symbol: stored.tokens.get(tokenKey(trader.chain, token))?.symbol || null,
      ...{ side: is_buy ? ("buy" as const) : ("sell" as const), qty, usd, tx, block, before: renderTime(at_ms) },
    }));

function listWarnings(inputs: CopytradeInputs, data: CopytradeData): readonly string[] {
  const { behaviour, performance, copyability, sanctions } = data;
  return [
    ...(inputs.is_default ? ["wallet: none was named; the best one of what was read"] : []),
    ...(performance.closed === 0
      ? [
          "performance.roi_pct, performance.copy_roi_pct: no sale closed a buy",
          "performance.win_rate, performance.win_rate_lower95: no sale closed a buy",
        ]
      : []),
    ...(behaviour.median_hold_min === null ? ["behaviour.median_hold_min: no sale closed a buy"] : []),
    ...(behaviour.fresh_token_share === null ? ["behaviour.fresh_token_share: no pool says its age"] : []),
    ...(behaviour.avoid_share === null ? ["behaviour.avoid_share: none of its tokens was judged within a day"] : []),
    ...(behaviour.followed_share === null ? ["behaviour.followed_share: it bought nothing"] : []),
    ...(inputs.is_market_cut
      ? ["behaviour.followed_share: the oldest trades of its tokens are left out, there are too many"]
      : []),
    ...(copyability === null ? ["copyability: too few closed sales, or too much sold that nobody saw it buy"] : []),
    ...(sanctions === null ? ["sanctions: /sanctions gave no answer"] : []),
    ...describeGaps(inputs.stored),
  ];
}

export function computeCopytrade(inputs: CopytradeInputs, haircut_bps: number): Computed<CopytradeData> {
  const { stored, trader, market, verdicts, sanctions } = inputs;
  const performance = describePerformance(trader, haircut_bps);
  const avoid_share = getAvoidShare(trader, verdicts);
  const is_judged = trader.closed >= CLOSED_MIN && performance.unmatched_sell_share <= UNMATCHED_MAX;
  const factors = scoreCopy({
    ...{ copy_roi: (performance.copy_roi_pct ?? 0) / 100, win_rate_lower95: trader.win_rate_lower95 ?? 0 },
    ...{ avoid_share, median_hold_min: trader.median_hold_min },
  });
  const data: CopytradeData = {
    ...{ wallet: trader.address, chain: trader.chain },
    window: { from: renderTime(stored.from_ms), to: renderTime(stored.read_at_ms) },
    sampled: { ...describeSample(stored), trades: market.length },
    trades_seen: trader.trades.length,
    performance,
    behaviour: {
      median_hold_min: trader.median_hold_min,
      fresh_token_share: getFreshShare(trader, stored.tokens),
      avoid_share,
      one_block_share: trader.one_block_share,
      followed_share: getFollowedShare(trader, market),
    },
    copyability: is_judged ? factors.reduce((sum, { points }) => sum + points, 0) : null,
    factors: is_judged ? factors : [],
    open_positions: listPositions(inputs),
    recent_trades: listRecent(inputs),
    sanctions,
    scope_note: SCOPE_NOTE,
    not_advice: true,
  };
  return {
    as_of_ms: getNewest(stored),
    data,
    warnings: listWarnings(inputs, data),
  };
}
