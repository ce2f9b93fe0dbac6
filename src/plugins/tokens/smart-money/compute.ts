import { type Computed, renderTime } from "intel-node";
import { parseSubject } from "../shared/facts/subject.ts";
import { VERDICTS } from "../shared/judge/judge.ts";
import { describeGaps, type StoredTrades, tokenKey } from "../shared/trades/store.ts";
import { listTraders, rankTraders, type Trader } from "../shared/trades/traders.ts";
import type { SmartMoneyInputs } from "./fetch.ts";
import type { SmartMoneyData } from "./schema.ts";

type Flow = SmartMoneyData["accumulating"][number];
const DAY_MS = 86_400_000;
const FLOWS_MAX = 10;
/** Flows are those of this many wallets, however many are shown. */
const FOLLOWED = 50;
const SCOPE_NOTE =
  "Swaps of 1,000 US dollars and more in the deepest pools of Ethereum and Base, in the blocks that were read; gas, " +
  "transfers and other venues are not counted. A past profit says little of the next one. Wallets are not screened.";

const findVerdict = (verdicts: ReadonlyMap<string, string>, key: string): Flow["launch_verdict"] =>
  VERDICTS.find((one) => one === verdicts.get(key)) ?? null;

/** What wallets bought less what they sold of each token within a day. */
export function getFlows(
  wallets: readonly Trader[],
  inputs: Pick<SmartMoneyInputs, "tokens" | "verdicts" | "read_at_ms">,
) {
  const since_ms = inputs.read_at_ms - DAY_MS;
  const flows = new Map<string, Flow>();
  for (const { chain, trades } of wallets) {
    const own = new Map<string, number>();
    for (const { token, is_buy, usd, at_ms } of trades) {
      if (at_ms >= since_ms) own.set(token, (own.get(token) ?? 0) + (is_buy ? usd : -usd));
    }
    for (const [token, net_usd] of own) {
      const key = tokenKey(chain, token);
      const known = flows.get(key);
      flows.set(key, {
        ...{
          chain,
          token: parseSubject("token", token, chain).address,
          symbol: inputs.tokens.get(key)?.symbol || null,
        },
        net_usd_24h: (known?.net_usd_24h ?? 0) + net_usd,
        buyers: (known?.buyers ?? 0) + (net_usd > 0 ? 1 : 0),
        sellers: (known?.sellers ?? 0) + (net_usd < 0 ? 1 : 0),
        launch_verdict: findVerdict(inputs.verdicts, key),
      });
    }
  }
  const sorted = [...flows.values()].sort((a, b) => b.net_usd_24h - a.net_usd_24h);
  return {
    accumulating: sorted.filter(({ net_usd_24h }) => net_usd_24h > 0).slice(0, FLOWS_MAX),
    distributing: sorted
      .filter(({ net_usd_24h }) => net_usd_24h < 0)
      .toReversed()
      .slice(0, FLOWS_MAX),
  };
}

export const describeSample = ({ rows, coverage }: StoredTrades): SmartMoneyData["sampled"] => ({
  trades: rows.length,
  chains: coverage.map(({ chain, pools, blocks_scanned, blocks_expected }) => ({
    ...{ chain, pools, blocks_scanned, blocks_expected },
  })),
});

function describeWallet({ trader, score, factors }: ReturnType<typeof rankTraders>["ranked"][number]) {
  const { matched, closed, wins } = trader;
  return {
    ...{ chain: trader.chain, address: trader.address, score, factors, realized_pnl_usd: trader.realized_pnl_usd },
    ...{ closed_trades: closed, wins, win_rate: wins / closed, win_rate_lower95: trader.win_rate_lower95 ?? 0 },
    tokens: trader.tokens,
    unmatched_share: matched.sold_usd > 0 ? matched.unmatched_usd / matched.sold_usd : 0,
    median_hold_min: trader.median_hold_min,
    last_trade_at: renderTime(trader.last_trade_at_ms),
  };
}

export function computeSmartMoney(
  inputs: SmartMoneyInputs,
  { limit, min_closed }: { readonly limit: number; readonly min_closed: number },
): Computed<SmartMoneyData> {
  const { ranked, left_out } = rankTraders(listTraders(inputs.rows), min_closed);
  const followed = ranked.slice(0, FOLLOWED).map(({ trader }) => trader);
  const flows = getFlows(followed, inputs);
  const unjudged = [...flows.accumulating, ...flows.distributing].filter((one) => one.launch_verdict === null);
  return {
    as_of_ms: Math.max(...inputs.coverage.map(({ newest_ms }) => newest_ms)),
    data: {
      window: { from: renderTime(inputs.from_ms), to: renderTime(inputs.read_at_ms) },
      sampled: describeSample(inputs),
      wallets: ranked.slice(0, limit).map(describeWallet),
      left_out,
      accumulating: [...flows.accumulating],
      distributing: [...flows.distributing],
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...describeGaps(inputs),
      ...(unjudged.length > 0 ? [`launch_verdict: ${unjudged.length} of the tokens were not judged within a day`] : []),
    ],
  };
}
