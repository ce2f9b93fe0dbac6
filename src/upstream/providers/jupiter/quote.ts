import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { jupiter } from "./provider.ts";

const Amount = Type.String({ pattern: "^[1-9][0-9]{0,19}$" });
const Mint = Type.String({ minLength: 32, maxLength: 44 });

const Answer = Type.Object({
  inputMint: Mint,
  outputMint: Mint,
  inAmount: Amount,
  outAmount: Amount,
  swapMode: Type.Literal("ExactIn"),
  routePlan: Type.Array(Type.Object({}), { minItems: 1, maxItems: 100 }),
  contextSlot: Type.Integer({ minimum: 1 }),
});

const QUOTE_TTL_MS = 5_000;
const SLIPPAGE_BPS = 50;
/** A minute of slots. The quote states no time, only the slot it was made at. */
const SLOTS_APART_MAX = 150;

export interface JupiterSwap {
  readonly input_mint: string;
  readonly output_mint: string;
  /** In the token's smallest unit. */
  readonly amount: bigint;
  /** The slot that a node of the chain says is the newest. */
  readonly slot: number;
}

/**
 * What the best route pays for an amount, in the token's smallest unit, net of pool fees. A quote made at another time
 * than the chain's newest slot is refused.
 * @throws UpstreamError
 */
export async function fetchJupiterQuote(context: Pick<FetchContext, "get">, swap: JupiterSwap): Promise<bigint> {
  const { input_mint, output_mint, amount, slot } = swap;
  const query = `inputMint=${input_mint}&outputMint=${output_mint}&amount=${amount}&slippageBps=${SLIPPAGE_BPS}`;
  const { amount_out } = await context.get(jupiter, {
    path: `/swap/v1/quote?${query}`,
    schema: Answer,
    ttl_ms: QUOTE_TTL_MS,
    read(answer) {
      const asked = answer.inputMint === input_mint && answer.outputMint === output_mint;
      if (!asked || answer.inAmount !== String(amount)) return "the answer is to another question";
      if (Math.abs(answer.contextSlot - slot) > SLOTS_APART_MAX) {
        return `made at slot ${answer.contextSlot} while the chain is at ${slot}`;
      }
      return { amount_out: BigInt(answer.outAmount) };
    },
  });
  return amount_out;
}
