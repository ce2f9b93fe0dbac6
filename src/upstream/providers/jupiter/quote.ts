import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import type { SolanaSwap } from "../solana-swap.ts";
import { jupiter, METIS_ALONE, NO_ROUTE } from "./provider.ts";

const Amount = Type.String({ pattern: "^[1-9][0-9]{0,19}$" });
const Mint = Type.String({ minLength: 32, maxLength: 44 });

const Answer = Type.Object({
  inputMint: Mint,
  outputMint: Mint,
  inAmount: Amount,
  outAmount: Amount,
  swapMode: Type.Literal("ExactIn"),
  /** Metis, by its name in the API. */
  router: Type.Union([Type.Literal("iris"), Type.Literal("metis")]),
  routePlan: Whole("parts", Type.Object({}), { minItems: 1, maxItems: 100 }),
});

const QUOTE_TTL_MS = 5_000;

/**
 * What Metis' best route pays for an amount, in the token's smallest unit, net of pool fees. Without a taker the order
 * is a quote and holds no transaction. It states neither time nor slot: it is as new as the call.
 * @throws UpstreamError upstream_not_found when there is no route.
 */
export async function fetchMetisQuote(context: Pick<FetchContext, "get">, swap: SolanaSwap): Promise<bigint> {
  const { input_mint, output_mint, amount } = swap;
  const query = `inputMint=${input_mint}&outputMint=${output_mint}&amount=${amount}&${METIS_ALONE}`;
  const { amount_out } = await context.get(jupiter, {
    path: `/swap/v2/order?${query}`,
    schema: Answer,
    ttl_ms: QUOTE_TTL_MS,
    errors: NO_ROUTE,
    read(answer) {
      const asked = answer.inputMint === input_mint && answer.outputMint === output_mint;
      if (!asked || answer.inAmount !== String(amount)) return unusable("the answer is to another question");
      return { amount_out: BigInt(answer.outAmount) };
    },
  });
  return amount_out;
}
