import { type FetchContext, type ProviderAttempt, UpstreamError } from "intel-node";
import { fetchCCTPFees } from "intel-node/providers/circle-cctp/fees";
import { circleCCTP } from "intel-node/providers/circle-cctp/provider";
import { type DexChain, EVM_DEX_CHAINS, type EVMDexChain } from "intel-node/providers/dex-tokens";
import { lifi } from "intel-node/providers/lifi/provider";
import { type BridgeQuote, fetchBridgeQuote } from "intel-node/providers/lifi/quote";
import { fetchGasCost, ONE_NATIVE, readNative } from "../dex/swap-costs.ts";
import { type DexContext, openVenue, within } from "../dex/venue.ts";

/** USDC that are moved. */
export const ROUTE_USDC = 10_000;

const BPS = 10_000;
const QUOTE_MS = 5_000;
const ESTIMATE_MS = 5_000;
/** What this node allows for burning USDC on one chain and for minting it on the other, gas each. */
const TRANSFER_GAS = 200_000;

export interface RouteReading {
  readonly provider: "lifi" | "circle_cctp";
  readonly tool: string;
  readonly from: DexChain;
  readonly to: DexChain;
  readonly amount_out: number;
  readonly amount_out_min: number | null;
  readonly fees_usd: number;
  readonly gas_usd: number;
  readonly duration_s: number | null;
  /** Not rounded. */
  readonly cost_bps: number;
}

const isEVM = (chain: DexChain): chain is EVMDexChain => EVM_DEX_CHAINS.some((one) => one === chain);

/**
 * What a quoted transfer costs, basis points of what is sent: the value lost on the way, and what the sender pays
 * besides (gas, and fees that are not taken from the amount). In USDC where the bridge states no value in dollars.
 */
export function getRouteCost(
  quote: Pick<BridgeQuote, "amount_in" | "amount_out" | "amount_in_usd" | "amount_out_usd"> &
    Pick<BridgeQuote, "fees_extra_usd" | "gas_usd">,
): number {
  const { amount_in_usd, amount_out_usd } = quote;
  const stated = amount_in_usd !== null && amount_out_usd !== null && amount_in_usd > 0;
  const [sent, got] = stated ? [amount_in_usd, amount_out_usd] : [quote.amount_in, quote.amount_out];
  return (1 - got / sent + (quote.fees_extra_usd + quote.gas_usd) / sent) * BPS;
}

async function quoteLifi(context: DexContext, from: EVMDexChain, to: EVMDexChain): Promise<RouteReading> {
  const quote = await within(QUOTE_MS, lifi.id, fetchBridgeQuote(context, { from, to, usdc: ROUTE_USDC }));
  const { tool, amount_out, amount_out_min, fees_usd, gas_usd, duration_s } = quote;
  return {
    provider: "lifi",
    tool,
    from,
    to,
    amount_out,
    amount_out_min,
    fees_usd,
    gas_usd,
    duration_s,
    cost_bps: getRouteCost(quote),
  };
}

/** Fee of one transaction of a transfer, US dollars. @throws UpstreamError when unknown. */
async function fetchTransferGas(context: DexContext, chain: DexChain): Promise<number> {
  const venue = await openVenue(context, chain, []);
  const [native] = (await venue.quote([ONE_NATIVE(chain)])).quotes;
  const cost = await fetchGasCost(context, chain, native ? readNative(native.amount_out) : null);
  if (!cost) throw new UpstreamError("upstream_unavailable", circleCCTP.id, `gas on ${chain} is not known`);
  return cost(TRANSFER_GAS);
}

async function estimateCCTP(context: DexContext, from: DexChain, to: DexChain): Promise<RouteReading> {
  const [fees, burn_usd, mint_usd] = await Promise.all([
    fetchCCTPFees(context, { from, to }),
    fetchTransferGas(context, from),
    fetchTransferGas(context, to),
  ]);
  const fee_bps = fees.fast_bps ?? fees.standard_bps ?? Number.NaN;
  const gas_usd = burn_usd + mint_usd;
  const fee = (ROUTE_USDC * fee_bps) / BPS;
  return {
    provider: "circle_cctp",
    tool: fees.fast_bps === null ? "CCTP standard transfer" : "CCTP fast transfer",
    from,
    to,
    amount_out: ROUTE_USDC - fee,
    amount_out_min: null,
    fees_usd: fee,
    gas_usd,
    duration_s: null,
    cost_bps: fee_bps + (gas_usd / ROUTE_USDC) * BPS,
  };
}

/**
 * Moving 10,000 USDC between two chains: LI.FI's quote, or else what Circle's own transfer would cost. LI.FI is asked
 * between EVM chains only, where one address is valid on both ends.
 * @throws NodeError when neither is available.
 */
export function fetchRoute(context: FetchContext, from: DexChain, to: DexChain): Promise<RouteReading> {
  const attempts: ProviderAttempt<RouteReading>[] = [
    ...(isEVM(from) && isEVM(to) ? [{ provider: lifi, run: () => quoteLifi(context, from, to) }] : []),
    { provider: circleCCTP, run: () => within(ESTIMATE_MS, circleCCTP.id, estimateCCTP(context, from, to)) },
  ];
  return context.first("a route", attempts);
}
