import { type Computed, type Draft, missing, missingIn } from "intel-node";
import type { FactId } from "../facts/fact.ts";
import { ownPairs } from "../facts/profile.ts";
import { isIssuer } from "../facts/subject.ts";
import { SCOPE_NOTE, warnOf } from "../judge/assess.ts";
import { aggregate } from "../markets/markets.ts";
import { AMBIGUOUS_RATIO, type Resolution } from "../markets/resolve.ts";
import { findWrappedCoin } from "../markets/wrapped-coin.ts";
import { cleanName } from "../text/clean-text.ts";
import { describeToken } from "../written/describe.ts";
import { NO_SOURCE } from "../written/words.ts";
import type { TokenIntelInputs } from "./fetch.ts";
import type { TokenIntelData } from "./schema.ts";

const POOLS_SHOWN = 3;

export const describeResolution = ({
  method,
  candidates,
  runner_up_ratio,
}: Resolution): TokenIntelData["resolution"] => ({
  method,
  candidates,
  runner_up_liquidity_ratio: runner_up_ratio,
  is_ambiguous: (runner_up_ratio ?? 0) >= AMBIGUOUS_RATIO,
});

/** Pools as one market, and the deepest of them. */
export function describeMarkets({ profile }: Pick<TokenIntelInputs, "profile">) {
  const pairs = profile.pairs?.ok ? ownPairs(profile.pairs.value, profile.subject) : [];
  const { dispersion_pct, fdv_usd, market_cap_usd, ...totals } = aggregate(pairs);
  const top_pools = pairs
    .slice(0, POOLS_SHOWN)
    .map(({ dex, pair_address, price_usd, liquidity_usd, volume_h24_usd }) => ({
      dex: cleanName(dex),
      pair_address,
      price_usd,
      liquidity_usd,
      volume_h24_usd,
    }));
  const fdv_to_liquidity = fdv_usd !== null && totals.liquidity_usd ? fdv_usd / totals.liquidity_usd : null;
  return {
    pairs,
    markets: { ...totals, price_dispersion_pct: dispersion_pct, top_pools },
    valuation: { fdv_usd, market_cap_usd, fdv_to_liquidity },
  };
}

export function computeTokenIntel(inputs: TokenIntelInputs): Computed<Draft<TokenIntelData>> {
  const { profile, facts, judgement, resolution, smart_net_usd, is_default } = inputs;
  const { pairs, markets, valuation } = describeMarkets(inputs);
  const wraps = findWrappedCoin(profile.subject);
  const value = (fact: FactId): number | null => facts[fact].value;
  const flag = (fact: FactId): boolean | null => (value(fact) === null ? null : value(fact) === 1);
  const [buys, sells] = [pairs, pairs].map((list, side) =>
    list.reduce((sum, { buys_h24, sells_h24 }) => sum + ((side === 0 ? buys_h24 : sells_h24) ?? 0), 0),
  );
  const trades = (buys ?? 0) + (sells ?? 0);
  const holders = {
    top1_pct: value("top1_pct"),
    top10_pct: value("top10_pct"),
    insider_pct: value("insider_pct"),
    creator_pct: value("creator_pct"),
  };
  const sections_missing = [
    ...(Object.values(holders).every((one) => one === null) ? ["holders"] : []),
    ...(smart_net_usd === null ? ["flows.smart_money_net_24h_usd"] : []),
  ];
  return {
    as_of_ms: profile.read_at_ms,
    data: {
      token: missingIn(describeToken(profile), NO_SOURCE),
      resolution: describeResolution(resolution),
      markets: missingIn(markets, NO_SOURCE),
      valuation: { ...missingIn(valuation, NO_SOURCE), wraps },
      holders: missingIn(holders, NO_SOURCE),
      safety: {
        risk: judgement.risk,
        coverage: judgement.coverage,
        hard_fails: judgement.hard_fails.map(({ id }) => id),
        caps: judgement.caps.map(({ id }) => id),
        unknown: [...judgement.unknown],
      },
      identity: missingIn(
        {
          is_issuer: isIssuer(profile.subject),
          verified: flag("verified"),
          has_link: flag("has_link"),
          paid_promotion: pairs.length === 0 ? null : pairs.some(({ is_promoted }) => is_promoted),
        },
        NO_SOURCE,
      ),
      flows: missingIn(
        {
          buys_h1: value("buys_h1"),
          sells_h1: value("sells_h1"),
          buy_share_h24: trades > 0 ? (buys ?? 0) / trades : missing("there was no trade"),
          smart_money_net_24h_usd: smart_net_usd ?? missing("/smart-money has no pool of it"),
        },
        NO_SOURCE,
      ),
      sections_missing,
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...warnOf(profile),
      ...(wraps === null
        ? []
        : [`valuation: of the wrapped ${wraps} on ${profile.subject.chain} alone, not of ${wraps}`]),
      ...(is_default ? ["token: none was named; this is wrapped SOL"] : []),
    ],
  };
}
