import { type Computed, type Draft, missing, missingIn, renderTime } from "intel-node";
import { parseSubject } from "../facts/subject.ts";
import { describeSample } from "../smart-money/compute.ts";
import { describeGaps, getNewest, tokenKey } from "../trades/store.ts";
import { CLOSED_MIN } from "../trades/traders.ts";
import { NO_SOURCE } from "../written/words.ts";
import { type CopiedWallet, shareOf } from "./describe-wallet.ts";
import type { CopytradeInputs } from "./fetch.ts";
import type { CopytradeData } from "./schema.ts";

const UNMATCHED_MAX = 0.5;
const SCOPE_NOTE =
  "The past of one wallet in a sample of pools: gas, transfers, other venues and trades below 1,000 US dollars are " +
  "not counted, and the haircut is an assumption. A copier's own trades move prices.";

const clamp01 = (value: number): number => Math.min(1, Math.max(0, value));

function getAvoidShare({ traded, chain }: CopiedWallet, verdicts: CopytradeInputs["verdicts"]): number | null {
  const judged = traded.flatMap((token) => verdicts.get(tokenKey(chain, token)) ?? []);
  return shareOf(judged.filter((verdict) => verdict === "AVOID").length, judged.length);
}

/** Copyability's parts; unknown ones count 0, so that silence never improves it. */
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

function describePerformance(wallet: CopiedWallet, haircut_bps: number): CopytradeData["performance"] {
  const { realized_pnl_usd, matched_cost_usd, closed, wins, copy_pnl_usd } = wallet;
  const percentOf = (usd: number): number | null => (closed === 0 ? null : (usd / matched_cost_usd) * 100);
  return {
    realized_pnl_usd,
    matched_cost_usd,
    roi_pct: percentOf(realized_pnl_usd),
    copy_pnl_usd,
    copy_roi_pct: percentOf(copy_pnl_usd),
    haircut_bps,
    closed,
    wins,
    win_rate: shareOf(wins, closed),
    win_rate_lower95: wallet.win_rate_lower95,
    max_drawdown_usd: wallet.max_drawdown_usd,
    unmatched_sell_share: wallet.unmatched_sell_share,
  };
}

const listPositions = ({ wallet, stored }: CopytradeInputs): Draft<CopytradeData["open_positions"]> =>
  wallet.open.map(({ token, qty, cost_usd, price_usd }) => ({
    token: parseSubject("token", token, wallet.chain).address,
    symbol: stored.tokens.get(tokenKey(wallet.chain, token))?.symbol || missing(NO_SOURCE),
    qty,
    cost_usd,
    value_usd: price_usd === null ? missing("no trade of it was read") : price_usd * qty,
  }));

const listRecent = ({ wallet, stored }: CopytradeInputs): Draft<CopytradeData["recent_trades"]> =>
  wallet.recent.map(({ token, is_buy, qty, usd, tx, block, at_ms }) => ({
    token: parseSubject("token", token, wallet.chain).address,
    symbol: stored.tokens.get(tokenKey(wallet.chain, token))?.symbol || missing(NO_SOURCE),
    side: is_buy ? ("buy" as const) : ("sell" as const),
    qty,
    usd,
    tx,
    block,
    before: renderTime(at_ms),
  }));

const listWarnings = ({ is_default, is_market_cut, stored }: CopytradeInputs): readonly string[] => [
  ...(is_default ? ["wallet: none was named; the best one of what was read"] : []),
  ...(is_market_cut
    ? ["behaviour.followed_share: the oldest trades of its tokens are left out, there are too many"]
    : []),
  ...describeGaps(stored),
];

const NONE_CLOSED = "no sale closed a buy";

export function computeCopytrade(inputs: CopytradeInputs, haircut_bps: number): Computed<Draft<CopytradeData>> {
  const { stored, wallet, verdicts, sanctions } = inputs;
  const performance = describePerformance(wallet, haircut_bps);
  const avoid_share = getAvoidShare(wallet, verdicts);
  const is_judged = wallet.closed >= CLOSED_MIN && performance.unmatched_sell_share <= UNMATCHED_MAX;
  const factors = scoreCopy({
    copy_roi: (performance.copy_roi_pct ?? 0) / 100,
    win_rate_lower95: wallet.win_rate_lower95 ?? 0,
    avoid_share,
    median_hold_min: wallet.median_hold_min,
  });
  const data: Draft<CopytradeData> = {
    wallet: wallet.address,
    chain: wallet.chain,
    window: { from: renderTime(stored.from_ms), to: renderTime(stored.read_at_ms) },
    sampled: { ...describeSample(stored), trades: inputs.market_trades },
    trades_seen: wallet.trades_seen,
    performance: missingIn(performance, NONE_CLOSED),
    behaviour: {
      median_hold_min: wallet.median_hold_min ?? missing(NONE_CLOSED),
      fresh_token_share: wallet.fresh_token_share ?? missing("no pool says its age"),
      avoid_share: avoid_share ?? missing("none of its tokens was judged within a day"),
      one_block_share: wallet.one_block_share,
      followed_share: wallet.followed_share ?? missing("it bought nothing"),
    },
    copyability: is_judged
      ? factors.reduce((sum, { points }) => sum + points, 0)
      : missing("too few closed sales, or too much sold that nobody saw it buy"),
    factors: is_judged ? factors : [],
    open_positions: listPositions(inputs),
    recent_trades: listRecent(inputs),
    sanctions: sanctions ?? missing("/sanctions gave no answer"),
    scope_note: SCOPE_NOTE,
    not_advice: true,
  };
  return {
    as_of_ms: getNewest(stored),
    data,
    warnings: listWarnings(inputs),
  };
}
