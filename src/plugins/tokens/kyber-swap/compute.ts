import { type Computed, type Draft, getOwn, missing, missingIn, renderTime } from "intel-node";
import { cleanId, cleanName } from "../text/clean-text.ts";
import type { SwapInputs } from "./fetch.ts";
import { getImpact, getMinOut, type SwapQuote, toUnits } from "./quote.ts";
import type { SwapData } from "./schema.ts";

/** Metis is the routing engine; Jupiter's licence forbids its own name on what is made of it. */
const ENGINE_NAMES: Readonly<Record<string, string>> = {
  raydium: "Raydium",
  jupiter: "Metis",
  kyberswap: "KyberSwap",
  velora: "Velora",
};
const HOPS_SHOWN = 20;
const BPS = 10_000;

/** @throws Error never: `fetch` gives at least one quote. */
export function computeSwap(inputs: SwapInputs, slippage_bps: number): Computed<Draft<SwapData>> {
  const { pair, request, quotes, base_usd, quote_usd, back } = inputs;
  const [best, ...others] = quotes as readonly [SwapQuote, ...SwapQuote[]];
  const sold = toUnits(request.amount, request.decimals_in);
  const effective_price = toUnits(best.amount_out, request.decimals_out) / sold;
  const mid_price = base_usd === null || quote_usd === null ? null : base_usd / quote_usd;
  const delta = (amount: bigint) => (Number(amount) / Number(best.amount_out) - 1) * BPS;
  return {
    as_of_ms: inputs.read_at_ms,
    data: {
      chain: pair.chain,
      route_engine: getOwn(ENGINE_NAMES, best.provider) ?? best.provider,
      base: { address: pair.base.address, symbol: pair.base.symbol, decimals: request.decimals_in },
      quote: { address: pair.quote.address, symbol: pair.quote.symbol, decimals: request.decimals_out },
      amount_in: String(request.amount),
      amount_out: String(best.amount_out),
      min_amount_out: String(getMinOut(best.amount_out, slippage_bps)),
      effective_price,
      ...missingIn(
        { mid_price, price_impact_pct: getImpact(effective_price, mid_price) },
        "one of the tokens has no price in the tables of pools",
      ),
      provider_impact_pct: best.provider_impact_pct ?? missing("the service does not say, or in no known unit"),
      slippage_bps,
      gas_usd: best.gas_usd ?? missing("the service does not say"),
      route: best.route.slice(0, HOPS_SHOWN).map((hop) => ({
        venue: cleanName(hop.venue),
        pool: cleanId(hop.pool),
        share_pct: hop.share_pct,
        token_in: cleanId(hop.token_in) ?? "",
        token_out: cleanId(hop.token_out) ?? "",
      })),
      round_trip_loss_pct:
        back === null ? missing("nobody quotes the way back") : (1 - Number(back) / Number(request.amount)) * 100,
      quoted_at: renderTime(inputs.read_at_ms),
      expires_in_s: 15,
      alternatives: others.map(({ provider, amount_out }) => ({
        provider,
        amount_out: String(amount_out),
        delta_bps: delta(amount_out),
      })),
      not_advice: true,
    },
    warnings: [
      "quoted_at: no source of these quotes states a time or block; they are taken to be as new as the call",
      ...inputs.silent.map((id) => `alternatives: ${id} has no quote`),
    ],
  };
}
