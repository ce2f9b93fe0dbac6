import { type Computed, type Draft, missing, renderTime } from "intel-node";
import { parseSubject } from "../facts/subject.ts";
import { VERDICTS } from "../judge/judge.ts";
import { describeGaps, getNewest, type StoredTrades, tokenKey } from "../trades/store.ts";
import { SCANNED } from "../whales/chains.ts";
import { NO_SOURCE } from "../written/words.ts";
import { FOLLOWED, type FollowedWallet, type SmartMoneyInputs } from "./fetch.ts";
import type { SmartMoneyData } from "./schema.ts";
import type { Screening } from "./screen.ts";

type Flow = SmartMoneyData["accumulating"][number];
const FLOWS_MAX = 10;
const UNSCREENED = "the sanctions lists gave no answer, these wallets are unscreened";
const SCOPE_NOTE =
  "Swaps of 1,000 US dollars and more in the deepest pools of Ethereum, Base and Solana, in what of them was read; " +
  "gas, transfers and other venues are not counted. A past profit says little of the next one, and a wallet that " +
  "stands in no sanctions list is not thereby a good one.";

const findVerdict = (verdicts: ReadonlyMap<string, string>, key: string): Flow["launch_verdict"] =>
  VERDICTS.find((one) => one === verdicts.get(key)) ?? null;

/** What wallets bought less what they sold of each token in their newest trades. */
export function getFlows(
  wallets: readonly Pick<FollowedWallet, "chain" | "newest">[],
  inputs: Pick<SmartMoneyInputs, "tokens" | "verdicts">,
) {
  const flows = new Map<string, Flow>();
  for (const { chain, newest } of wallets) {
    const own = new Map<string, number>();
    for (const { token, is_buy, usd } of newest) own.set(token, (own.get(token) ?? 0) + (is_buy ? usd : -usd));
    for (const [token, net_usd] of own) {
      const key = tokenKey(chain, token);
      const known = flows.get(key);
      flows.set(key, {
        chain,
        token: parseSubject("token", token, chain).address,
        symbol: inputs.tokens.get(key)?.symbol || null,
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

export const describeSample = ({ trades, coverage, pools: sampled }: StoredTrades): SmartMoneyData["sampled"] => ({
  trades,
  chains: coverage.map(({ chain, pools, blocks_scanned, blocks_expected }) => ({
    chain,
    pools,
    blocks_scanned,
    blocks_expected,
    confirmations: SCANNED[chain].confirmations,
  })),
  pools: sampled.map(({ pool, name, listed, read }) => ({
    chain: "solana",
    pool,
    name,
    listed,
    read,
    commitment: "finalized",
  })),
});

const describeWallet = (one: FollowedWallet): SmartMoneyData["wallets"][number] => ({
  chain: one.chain,
  address: one.address,
  score: one.score,
  factors: [...one.factors],
  realized_pnl_usd: one.realized_pnl_usd,
  closed_trades: one.closed,
  wins: one.wins,
  win_rate: one.wins / one.closed,
  win_rate_lower95: one.win_rate_lower95 ?? 0,
  tokens: one.tokens,
  unmatched_share: one.unmatched_share,
  median_hold_min: one.median_hold_min,
  last_trade_at: renderTime(one.last_trade_at_ms),
});

const explainFlow = (flow: Flow): Draft<Flow> => ({
  ...flow,
  symbol: flow.symbol ?? missing(NO_SOURCE),
  launch_verdict: flow.launch_verdict ?? missing("it was not judged within a day"),
});

/** What screening left out, and what it could not see. */
function warnOfScreening(screening: Screening | null, sanctioned: number | null): readonly string[] {
  if (screening === null) return [];
  const { old } = screening;
  return [
    ...(sanctioned === 0
      ? []
      : [`wallets: ${sanctioned} of the best ${FOLLOWED} stand in a sanctions list and are left out`]),
    ...(old.length === 0 ? [] : [`left_out.sanctioned: not screened by ${old.join(", ")}, which are missing or old`]),
  ];
}

export function computeSmartMoney(
  inputs: SmartMoneyInputs,
  { limit }: { readonly limit: number },
): Computed<Draft<SmartMoneyData>> {
  const { best, left_out, screening } = inputs;
  const followed = best.filter(({ address }) => screening?.listed.has(address) !== true);
  const flows = getFlows(followed, inputs);
  const sanctioned = screening && best.length - followed.length;
  return {
    as_of_ms: getNewest(inputs),
    data: {
      window: { from: renderTime(inputs.from_ms), to: renderTime(inputs.read_at_ms) },
      sampled: describeSample(inputs),
      wallets: followed.slice(0, limit).map(describeWallet),
      left_out: { ...left_out, sanctioned: sanctioned ?? missing(UNSCREENED) },
      accumulating: flows.accumulating.map(explainFlow),
      distributing: flows.distributing.map(explainFlow),
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [...describeGaps(inputs), ...warnOfScreening(screening, sanctioned)],
  };
}
