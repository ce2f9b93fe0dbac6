import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { type BitcoinFees, FeeRate, findFeesFault, MEMPOOL_TTL_MS } from "../bitcoin-mempool.ts";
import { blockstream } from "./provider.ts";

/** By the number of blocks within which confirmation is wanted. */
const Answer = Type.Object({ "1": FeeRate, "3": FeeRate, "6": FeeRate, "144": FeeRate, "1008": FeeRate });

/**
 * Fee estimates, sat/vB: 1 block, 3, 6, a day and a week. The answer states no time: it is as new as the call.
 * @throws UpstreamError
 */
export function fetchBlockstreamFees(context: Pick<FetchContext, "get">): Promise<BitcoinFees> {
  return context.get(blockstream, {
    path: "/fee-estimates",
    schema: Answer,
    ttl_ms: MEMPOOL_TTL_MS,
    read(answer) {
      const fees = {
        fastest: answer["1"],
        half_hour: answer["3"],
        hour: answer["6"],
        economy: answer["144"],
        minimum: answer["1008"],
      };
      return findFeesFault(fees) ?? fees;
    },
  });
}
