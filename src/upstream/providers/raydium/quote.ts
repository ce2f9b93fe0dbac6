import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import type { SolanaSwap } from "../solana-swap.ts";
import { NO_ROUTE, raydium } from "./provider.ts";

const Amount = Type.String({ pattern: "^[1-9][0-9]{0,19}$" });
const Mint = Type.String({ minLength: 32, maxLength: 44 });

const Answer = Type.Object({
  success: Type.Boolean(),
  msg: Type.Optional(Type.String()),
  data: Type.Optional(
    Type.Object({
      swapType: Type.Literal("BaseIn"),
      inputMint: Mint,
      inputAmount: Amount,
      outputMint: Mint,
      outputAmount: Amount,
      routePlan: Whole("parts", Type.Object({}), { minItems: 1, maxItems: 20 }),
    }),
  ),
});

const QUOTE_TTL_MS = 5_000;
const SLIPPAGE_BPS = 50;

/**
 * What the best route over Raydium's pools pays for an amount, in the token's smallest unit, net of pool fees. The
 * quote states neither time nor slot: it is as new as the call.
 * @throws UpstreamError upstream_not_found when there is no route.
 */
export async function fetchRaydiumQuote(context: Pick<FetchContext, "get">, swap: SolanaSwap): Promise<bigint> {
  const { input_mint, output_mint, amount } = swap;
  const pair = `inputMint=${input_mint}&outputMint=${output_mint}`;
  const { amount_out } = await context.get(raydium, {
    path: `/compute/swap-base-in?${pair}&amount=${amount}&slippageBps=${SLIPPAGE_BPS}&txVersion=V0`,
    schema: Answer,
    ttl_ms: QUOTE_TTL_MS,
    errors: NO_ROUTE,
    read({ success, msg, data }) {
      if (!success || !data) return unusable(`no quote: ${(msg ?? "no reason given").slice(0, 100)}`);
      const asked = data.inputMint === input_mint && data.outputMint === output_mint;
      if (!asked || data.inputAmount !== String(amount)) return unusable("the answer is to another question");
      return { amount_out: BigInt(data.outputAmount) };
    },
  });
  return amount_out;
}
