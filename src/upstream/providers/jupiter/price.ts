import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { jupiter } from "./provider.ts";

const Answer = Type.Record(
  Type.String({ minLength: 32, maxLength: 44 }),
  Type.Object({
    usdPrice: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
    blockId: Type.Integer({ minimum: 1 }),
    decimals: Type.Integer({ minimum: 0, maximum: 36 }),
  }),
);

const PRICE_TTL_MS = 60_000;
const SLOTS_APART_MAX = 150;

/**
 * US dollars for one token. A token that Jupiter thinks unreliable is absent from the answer, and that is refused.
 * @throws UpstreamError
 */
export async function fetchJupiterPrice(
  context: Pick<FetchContext, "get">,
  { mint, slot }: { readonly mint: string; readonly slot: number },
): Promise<number> {
  const { price } = await context.get(jupiter, {
    path: `/price/v3?ids=${mint}`,
    schema: Answer,
    ttl_ms: PRICE_TTL_MS,
    read(answer) {
      const found = answer[mint];
      if (!found) return "no reliable price of the token";
      if (slot - found.blockId > 2 * SLOTS_APART_MAX) return `the price is of slot ${found.blockId}, now is ${slot}`;
      return { price: found.usdPrice };
    },
  });
  return price;
}
