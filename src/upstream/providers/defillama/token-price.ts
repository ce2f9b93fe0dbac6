import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import type { DexChain } from "../dex-tokens.ts";
import { isSameToken } from "../pool-price.ts";
import { defillama } from "./provider.ts";

const Answer = Type.Object({
  coins: Type.Record(
    Type.String({ maxLength: 120 }),
    Type.Object({
      price: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
      symbol: Type.String({ maxLength: 80 }),
      /** Seconds. */
      timestamp: Type.Integer({ minimum: 1 }),
      confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    }),
  ),
});

/** Without a window of its own it answers with prices of up to six hours ago, most of them minutes to hours old. */
export const DEFILLAMA_AGE_MAX_MS = 6 * 3_600_000;
/** Below this it does not think much of the price itself. */
const CONFIDENCE_MIN = 0.9;

export interface DefiLlamaPrice {
  /** US dollars. */
  readonly price: number;
  /** Time it states, ms. */
  readonly at_ms: number;
}

/**
 * US dollars for one token, from the pools and feeds DefiLlama weighs itself. A token it does not know is absent from
 * the answer; that, a price older than its use bears and one it is not sure of are refused.
 * @param age_max_ms how old a price may be for what is done with it; the publisher's own window unless given.
 * @throws UpstreamError
 */
export function fetchDefillamaPrice(
  context: Pick<FetchContext, "get" | "now_ms">,
  {
    chain,
    token,
    age_max_ms = DEFILLAMA_AGE_MAX_MS,
  }: { readonly chain: DexChain; readonly token: string; readonly age_max_ms?: number },
): Promise<DefiLlamaPrice> {
  return context.get(defillama, {
    path: `/prices/current/${chain}:${token}`,
    schema: Answer,
    ttl_ms: 60_000,
    read({ coins }) {
      const name = `${chain}:`;
      const found = Object.entries(coins).find(
        ([key]) => key.startsWith(name) && isSameToken(chain, key.slice(name.length), token),
      )?.[1];
      if (!found) return unusable("the token is not in the answer");
      const at_ms = found.timestamp * 1_000;
      if (at_ms > context.now_ms + CLOCK_SKEW_MAX_MS) return unusable("the time lies in the future");
      const age_ms = context.now_ms - at_ms;
      if (age_ms > age_max_ms)
        return unusable(
          `the price is ${Math.floor(age_ms / 60_000)} min old, ${Math.floor(age_max_ms / 60_000)} at most here`,
        );
      if ((found.confidence ?? 1) < CONFIDENCE_MIN) return unusable(`its confidence is ${found.confidence}`);
      return { price: found.price, at_ms };
    },
  });
}
