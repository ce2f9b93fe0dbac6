import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { fetchRPC } from "../json-rpc.ts";
import { solanaRpc } from "./provider.ts";

/** When a slot's block was made, ms. @throws UpstreamError also when it is older than `age_max_ms`: the node lags. */
export async function fetchSlotTime(
  context: Pick<FetchContext, "get" | "now_ms">,
  slot: number,
  age_max_ms: number,
): Promise<number> {
  const { at_ms } = await fetchRPC(context, solanaRpc, {
    chain: "solana",
    method: "getBlockTime",
    params: [slot],
    result: Type.Integer({ minimum: 1 }),
    ttl_ms: 5_000,
    timeout_ms: 2_500,
    read(time_s: number) {
      const age_ms = context.now_ms - time_s * 1000;
      if (age_ms < -CLOCK_SKEW_MAX_MS) return unusable("the slot lies in the future");
      return age_ms > age_max_ms
        ? unusable(`the newest block is ${Math.round(age_ms / 1000)} s old`)
        : { at_ms: time_s * 1000 };
    },
  });
  return at_ms;
}
