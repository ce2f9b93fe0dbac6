import { Type } from "@sinclair/typebox";
import { cutForeign, type FetchContext, unusable, Whole } from "intel-node";
import type { SwapQuote, SwapRequest } from "../../kyber-swap/quote.ts";
import { kyberswap } from "./provider.ts";

const Atomic = Type.String({ pattern: "^[0-9]{1,78}$" });
const Address = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
/**
 * What is only shown, such as a pool's id (a market maker's names every token it trades): of any length, and cut below.
 */
const Shown = Type.String();
const Answer = Type.Object({
  code: Type.Integer(),
  message: Type.Optional(Type.String()),
  data: Type.Optional(
    Type.Object({
      routeSummary: Type.Object({
        tokenIn: Address,
        tokenOut: Address,
        amountIn: Atomic,
        amountOut: Atomic,
        gasUsd: Type.Optional(Type.String({ maxLength: 40 })),
        route: Whole(
          "parts",
          Whole(
            "parts",
            Type.Object({
              pool: Shown,
              tokenIn: Address,
              tokenOut: Address,
              swapAmount: Atomic,
              amountOut: Atomic,
              exchange: Shown,
            }),
            { minItems: 1, maxItems: 20 },
          ),
          { minItems: 1, maxItems: 50 },
        ),
      }),
    }),
  ),
});

/** What KyberSwap's route pays, net of pool fees; gas apart. It states no block. @throws UpstreamError */
export function fetchKyberQuote(context: Pick<FetchContext, "get">, swap: SwapRequest): Promise<SwapQuote> {
  const { chain, from, to, amount } = swap;
  return context.get(kyberswap, {
    path: `/${chain}/api/v1/routes?tokenIn=${from}&tokenOut=${to}&amountIn=${amount}`,
    headers: { "x-client-id": "intel-node" },
    schema: Answer,
    ttl_ms: 3_000,
    read({ code, message, data }) {
      if (code !== 0 || !data) return unusable(`code ${code}: ${(message ?? "no reason given").slice(0, 100)}`);
      const { tokenIn, tokenOut, amountIn, amountOut, gasUsd, route } = data.routeSummary;
      const is_asked = tokenIn.toLowerCase() === from.toLowerCase() && tokenOut.toLowerCase() === to.toLowerCase();
      if (!is_asked || amountIn !== String(amount)) return unusable("the answer is to another question");
      if (amountOut === "0") return unusable("the route pays nothing");
      const gas_usd = Number(gasUsd ?? Number.NaN);
      return {
        provider: kyberswap.id,
        amount_out: BigInt(amountOut),
        gas_usd: Number.isFinite(gas_usd) && gas_usd >= 0 ? gas_usd : null,
        provider_impact_pct: null,
        route: route.flatMap((path) =>
          path.map((hop, index) => ({
            venue: cutForeign(hop.exchange),
            pool: cutForeign(hop.pool),
            share_pct: index === 0 ? (Number(hop.swapAmount) / Number(amount)) * 100 : null,
            token_in: hop.tokenIn,
            token_out: hop.tokenOut,
          })),
        ),
      };
    },
  });
}
