import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { scaleInteger } from "../fixed-point.ts";
import { findPythFault, type PythPrice } from "../pyth-price.ts";
import { pythHermes } from "./provider.ts";

const Scaled = Type.Object({
  price: Type.String({ pattern: "^-?[0-9]{1,19}$" }),
  conf: Type.String({ pattern: "^[0-9]{1,20}$" }),
  expo: Type.Integer({ minimum: -18, maximum: 18 }),
  publish_time: Type.Integer({ minimum: 1 }),
});

const Answer = Type.Object({
  parsed: Whole(
    "one",
    Type.Object({
      id: Type.String({ pattern: "^(0x)?[0-9a-fA-F]{64}$" }),
      price: Scaled,
      ema_price: Scaled,
      metadata: Type.Optional(
        Type.Object({ slot: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])) }),
      ),
    }),
    { minItems: 1, maxItems: 10 },
  ),
});

/**
 * The newest price of one feed. The signed update that comes with it is not checked here.
 * @throws UpstreamError
 */
export function fetchHermesPrice(
  context: Pick<FetchContext, "get" | "now_ms">,
  feed_id: string,
  timeout_ms = 3_000,
): Promise<PythPrice> {
  return context.get(pythHermes, {
    path: `/v2/updates/price/latest?ids[]=0x${feed_id}&parsed=true`,
    schema: Answer,
    ttl_ms: 2_000,
    timeout_ms,
    read({ parsed }) {
      const found = parsed.find((one) => one.id.toLowerCase().replace(/^0x/, "") === feed_id);
      if (!found) return unusable("the answer is about another feed");
      const { price, ema_price, metadata } = found;
      const publish_slot = metadata?.slot ?? null;
      const read = {
        price: scaleInteger(BigInt(price.price), price.expo),
        conf: scaleInteger(BigInt(price.conf), price.expo),
        publish_time_ms: price.publish_time * 1000,
        ema_price: scaleInteger(BigInt(ema_price.price), ema_price.expo),
        ema_conf: scaleInteger(BigInt(ema_price.conf), ema_price.expo),
        publish_slot,
      };
      return (
        findPythFault(read, context.now_ms) ?? {
          ...read,
          feed_id,
          exponent: price.expo,
          verification: null,
          path: "hermes",
          account: null,
          slot_kind: publish_slot === null ? null : "pythnet_slot",
          context_slot: null,
        }
      );
    },
  });
}
