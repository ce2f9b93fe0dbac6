import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { cleanForeign } from "../../../core/foreign-text.ts";
import { requireChainId } from "../../../networks/find.ts";
import type { EVMDexChain } from "../dex-tokens.ts";
import { USDC } from "../dex-tokens.ts";
import { lifi } from "./provider.ts";

/** Quotes are asked for in nobody's name: the address that burnt tokens are sent to. */
const ASKER = "0x000000000000000000000000000000000000dEaD";
const SLIPPAGE = "0.005";
const QUOTE_TTL_MS = 60_000;
const TOOL_CHARS_MAX = 100;
const ATOMIC_PER_USDC = 1e6;

const Amount = Type.String({ pattern: "^[1-9][0-9]{0,19}$" });
const USDText = Type.String({ pattern: "^[0-9]{1,12}(\\.[0-9]{1,30})?$" });

const Answer = Type.Object({
  tool: Type.String({ minLength: 1 }),
  toolDetails: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
  estimate: Type.Object({
    fromAmount: Amount,
    toAmount: Amount,
    toAmountMin: Amount,
    fromAmountUSD: Type.Optional(USDText),
    toAmountUSD: Type.Optional(USDText),
    feeCosts: Type.Optional(
      Whole("sum", Type.Object({ amountUSD: Type.Optional(USDText), included: Type.Optional(Type.Boolean()) }), {
        maxItems: 50,
      }),
    ),
    // No chain carries transactions for nothing: a list without a cost is a broken answer.
    gasCosts: Whole("sum", Type.Object({ amountUSD: Type.Optional(USDText) }), { minItems: 1, maxItems: 50 }),
    executionDuration: Type.Number({ minimum: 0, maximum: 1e6 }),
  }),
});

export interface BridgeQuote {
  readonly tool: string;
  /** USDC. */
  readonly amount_in: number;
  readonly amount_out: number;
  readonly amount_out_min: number;
  /** Value of the amounts, US dollars; null when not stated. */
  readonly amount_in_usd: number | null;
  readonly amount_out_usd: number | null;
  /** All fees, and those that the amount that arrives does not already bear, US dollars. */
  readonly fees_usd: number;
  readonly fees_extra_usd: number;
  readonly gas_usd: number;
  readonly duration_s: number;
}

const sum = (costs: readonly { amountUSD?: string }[]): number =>
  costs.reduce((total, { amountUSD }) => total + Number(amountUSD ?? Number.NaN), 0);
const toNumber = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/**
 * What moving USDC between two chains costs by the best bridge. The answer also holds a transaction to sign: it is not
 * read, because this node never hands out transactions.
 * @throws UpstreamError
 */
export function fetchBridgeQuote(
  context: Pick<FetchContext, "get">,
  { from, to, usdc }: { readonly from: EVMDexChain; readonly to: EVMDexChain; readonly usdc: number },
): Promise<BridgeQuote> {
  const amount = String(Math.round(usdc * ATOMIC_PER_USDC));
  const query = new URLSearchParams({
    fromChain: String(requireChainId(from)),
    toChain: String(requireChainId(to)),
    fromToken: USDC[from],
    toToken: USDC[to],
    fromAmount: amount,
    fromAddress: ASKER,
    slippage: SLIPPAGE,
  });
  return context.get(lifi, {
    path: `/quote?${query}`,
    schema: Answer,
    ttl_ms: QUOTE_TTL_MS,
    read({ tool, toolDetails, estimate }) {
      if (estimate.fromAmount !== amount) return unusable("the quote is of another amount");
      const fees = estimate.feeCosts ?? [];
      const [fees_usd, gas_usd] = [sum(fees), sum(estimate.gasCosts)];
      if (!Number.isFinite(fees_usd) || !Number.isFinite(gas_usd)) return unusable("a cost without its value");
      const amount_out = Number(estimate.toAmount) / ATOMIC_PER_USDC;
      const amount_out_min = Number(estimate.toAmountMin) / ATOMIC_PER_USDC;
      if (amount_out_min > amount_out || amount_out > usdc * 1.05) return unusable("the amounts contradict each other");
      return {
        // A name that is only shown: its length decides nothing.
        tool: cleanForeign(toolDetails?.name ?? tool, TOOL_CHARS_MAX),
        amount_in: usdc,
        amount_out,
        amount_out_min,
        amount_in_usd: toNumber(estimate.fromAmountUSD),
        amount_out_usd: toNumber(estimate.toAmountUSD),
        fees_usd,
        fees_extra_usd: sum(fees.filter(({ included }) => included === false)),
        gas_usd,
        duration_s: estimate.executionDuration,
      };
    },
  });
}
