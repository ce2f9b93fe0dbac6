import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { cutForeign } from "../../../core/foreign-text.ts";
import { NO_ROUTE, raydium } from "./provider.ts";

const Amount = Type.String({ pattern: "^[1-9][0-9]{0,19}$" });
const Mint = Type.String({ minLength: 32, maxLength: 44 });
/** What is only shown, such as a pool's id: of any length, and cut below. */
const Shown = Type.String();
const Answer = Type.Object({
  success: Type.Boolean(),
  msg: Type.Optional(Type.String()),
  data: Type.Optional(
    Type.Object({
      inputMint: Mint,
      inputAmount: Amount,
      outputMint: Mint,
      outputAmount: Amount,
      routePlan: Whole("parts", Type.Object({ poolId: Shown, inputMint: Shown, outputMint: Type.Optional(Shown) }), {
        minItems: 1,
        maxItems: 20,
      }),
    }),
  ),
});

/** A route with its pools. */
export interface RaydiumRoute {
  readonly provider: string;
  readonly amount_out: bigint;
  readonly gas_usd: null;
  readonly provider_impact_pct: null;
  readonly route: readonly {
    readonly venue: string;
    readonly pool: string;
    readonly share_pct: null;
    readonly token_in: string;
    readonly token_out: string;
  }[];
}

/** What the best route over Raydium's pools pays, and which pools those are. @throws UpstreamError */
export function fetchRaydiumRoute(
  context: Pick<FetchContext, "get">,
  { from, to, amount }: { readonly from: string; readonly to: string; readonly amount: bigint },
): Promise<RaydiumRoute> {
  return context.get(raydium, {
    path: `/compute/swap-base-in?inputMint=${from}&outputMint=${to}&amount=${amount}&slippageBps=50&txVersion=V0`,
    schema: Answer,
    ttl_ms: 3_000,
    errors: NO_ROUTE,
    read({ success, msg, data }) {
      if (!success || !data) return unusable(`no quote: ${(msg ?? "no reason given").slice(0, 100)}`);
      const is_asked = data.inputMint === from && data.outputMint === to && data.inputAmount === String(amount);
      if (!is_asked) return unusable("the answer is to another question");
      const route = data.routePlan.map(({ poolId, inputMint, outputMint }) => ({
        venue: "Raydium",
        pool: cutForeign(poolId),
        share_pct: null,
        token_in: cutForeign(inputMint),
        token_out: cutForeign(outputMint ?? to),
      }));
      // The unit of the impact it states is not documented.
      return {
        provider: raydium.id,
        amount_out: BigInt(data.outputAmount),
        gas_usd: null,
        provider_impact_pct: null,
        route,
      };
    },
  });
}
