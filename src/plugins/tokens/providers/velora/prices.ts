import { Type } from "@sinclair/typebox";
import { cutForeign, type FetchContext, findNetwork, unusable, Whole } from "intel-node";
import type { SwapQuote, SwapRequest } from "../../kyber-swap/quote.ts";
import { velora } from "./provider.ts";

const Atomic = Type.String({ pattern: "^[0-9]{1,78}$" });
/** What is only shown, such as a pool's id: of any length, and cut below. */
const Shown = Type.String();
const Answer = Type.Object({
  priceRoute: Type.Object({
    srcAmount: Atomic,
    destAmount: Atomic,
    destAmountAfterFee: Type.Optional(Atomic),
    gasCostUSD: Type.Optional(Type.String({ maxLength: 40 })),
    bestRoute: Whole(
      "parts",
      Type.Object({
        percent: Type.Number(),
        swaps: Whole(
          "parts",
          Type.Object({
            srcToken: Shown,
            destToken: Shown,
            swapExchanges: Whole(
              "parts",
              Type.Object({
                exchange: Shown,
                percent: Type.Number(),
                poolAddresses: Type.Optional(Whole("parts", Shown)),
              }),
              { maxItems: 50 },
            ),
          }),
          { maxItems: 20 },
        ),
      }),
      { minItems: 1, maxItems: 50 },
    ),
  }),
});

/** What Velora's route pays after its fee; gas apart. @throws UpstreamError */
export function fetchVeloraQuote(context: Pick<FetchContext, "get">, swap: SwapRequest): Promise<SwapQuote> {
  const { chain, from, to, amount, decimals_in, decimals_out } = swap;
  const tokens = `srcToken=${from}&destToken=${to}&srcDecimals=${decimals_in}&destDecimals=${decimals_out}`;
  return context.get(velora, {
    path: `/prices?${tokens}&amount=${amount}&side=SELL&network=${findNetwork(chain)?.chain_id ?? 0}`,
    schema: Answer,
    ttl_ms: 3_000,
    read({ priceRoute }) {
      if (priceRoute.srcAmount !== String(amount)) return unusable("the answer is to another question");
      // An anonymous partner pays a fee of 0.01 %: what arrives is the amount after it.
      const paid = BigInt(priceRoute.destAmountAfterFee ?? priceRoute.destAmount);
      if (paid === 0n) return unusable("the route pays nothing");
      const gas_usd = Number(priceRoute.gasCostUSD ?? Number.NaN);
      return {
        provider: velora.id,
        amount_out: paid,
        gas_usd: Number.isFinite(gas_usd) && gas_usd >= 0 ? gas_usd : null,
        provider_impact_pct: null,
        route: priceRoute.bestRoute.flatMap(({ percent, swaps }) =>
          swaps.flatMap(({ srcToken, destToken, swapExchanges }, index) =>
            swapExchanges.map(({ exchange, percent: part, poolAddresses }) => ({
              venue: cutForeign(exchange),
              pool: cutForeign(poolAddresses?.[0] ?? "") || null,
              share_pct: index === 0 ? (percent * part) / 100 : null,
              token_in: cutForeign(srcToken),
              token_out: cutForeign(destToken),
            })),
          ),
        ),
      };
    },
  });
}
