import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { fetchRPC } from "../json-rpc.ts";
import { evmRpc } from "./provider.ts";

const Quantity = Type.String({ pattern: "^0x[0-9a-f]{1,12}$" });
const AGE_MAX_MS = 120_000;

export interface BlockHead {
  readonly block: number;
  readonly at_ms: number;
}

/** A chain's newest block. @throws UpstreamError also when it is older than two minutes: the node lags. */
export function fetchHead(context: Pick<FetchContext, "get" | "now_ms">, chain: string): Promise<BlockHead> {
  return fetchRPC(context, evmRpc, {
    chain,
    method: "eth_getBlockByNumber",
    params: ["latest", false],
    result: Type.Object({ number: Quantity, timestamp: Quantity }),
    ttl_ms: 5_000,
    timeout_ms: 2_500,
    read({ number, timestamp }) {
      const at_ms = Number(timestamp) * 1000;
      if (at_ms > context.now_ms + CLOCK_SKEW_MAX_MS) return unusable("the newest block lies in the future");
      if (context.now_ms - at_ms > AGE_MAX_MS)
        return unusable(`the newest block is ${Math.round((context.now_ms - at_ms) / 1000)} s old`);
      return { block: Number(number), at_ms };
    },
  });
}
