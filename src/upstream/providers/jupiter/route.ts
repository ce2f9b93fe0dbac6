import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { cutForeign } from "../../../core/foreign-text.ts";
import { jupiter, METIS_ALONE, NO_ROUTE } from "./provider.ts";

const Amount = Type.String({ pattern: "^[1-9][0-9]{0,19}$" });
const Mint = Type.String({ minLength: 32, maxLength: 44 });
/** What is only shown, such as a pool's id: of any length, and cut below. */
const Shown = Type.String();
const Answer = Type.Object({
  inputMint: Mint,
  outputMint: Mint,
  inAmount: Amount,
  outAmount: Amount,
  swapMode: Type.Literal("ExactIn"),
  router: Type.Union([Type.Literal("iris"), Type.Literal("metis")]),
  /** Percentage points, negative where the price is worse: -0.1 is a tenth of a percent. */
  priceImpact: Type.Optional(Type.Number()),
  routePlan: Whole(
    "parts",
    Type.Object({
      swapInfo: Type.Object({
        ammKey: Shown,
        label: Shown,
        inputMint: Shown,
        outputMint: Shown,
        inAmount: Type.String({ pattern: "^[0-9]{1,20}$" }),
      }),
    }),
    { minItems: 1, maxItems: 100 },
  ),
});

/** A route with its pools. */
export interface MetisRoute {
  readonly provider: string;
  readonly amount_out: bigint;
  readonly gas_usd: null;
  /** How much worse than the middle, by the service's own measure. */
  readonly provider_impact_pct: number | null;
  readonly route: readonly {
    readonly venue: string;
    readonly pool: string;
    /** Part of the amount, percent; null behind the first hop. */
    readonly share_pct: number | null;
    readonly token_in: string;
    readonly token_out: string;
  }[];
}

/**
 * What the best route of Metis pays, and which pools it takes. Without a taker nothing is built. The amount is after
 * the fees of pools and the service's own, which its page of fees says is in the quote and deducted by itself.
 * @throws UpstreamError upstream_not_found when there is no route.
 */
export function fetchMetisRoute(
  context: Pick<FetchContext, "get">,
  { from, to, amount }: { readonly from: string; readonly to: string; readonly amount: bigint },
): Promise<MetisRoute> {
  return context.get(jupiter, {
    path: `/swap/v2/order?inputMint=${from}&outputMint=${to}&amount=${amount}&${METIS_ALONE}`,
    schema: Answer,
    ttl_ms: 3_000,
    errors: NO_ROUTE,
    read({ inputMint, outputMint, inAmount, outAmount, priceImpact, routePlan }) {
      const is_asked = inputMint === from && outputMint === to && inAmount === String(amount);
      if (!is_asked) return unusable("the answer is to another question");
      const route = routePlan.map(({ swapInfo: hop }) => ({
        venue: cutForeign(hop.label),
        pool: cutForeign(hop.ammKey),
        token_in: cutForeign(hop.inputMint),
        token_out: cutForeign(hop.outputMint),
        share_pct: hop.inputMint === from ? (Number(hop.inAmount) / Number(amount)) * 100 : null,
      }));
      return {
        provider: jupiter.id,
        amount_out: BigInt(outAmount),
        // It states lamports of a transaction, and none is built here.
        gas_usd: null,
        provider_impact_pct: priceImpact === undefined ? null : 0 - priceImpact,
        route,
      };
    },
  });
}
