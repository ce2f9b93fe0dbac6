import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { type BitcoinFees, FeeRate, findFeesFault, MEMPOOL_TTL_MS } from "../bitcoin-mempool.ts";
import { mempoolSpace } from "./provider.ts";

const Answer = Type.Object({
  fastestFee: FeeRate,
  halfHourFee: FeeRate,
  hourFee: FeeRate,
  economyFee: FeeRate,
  minimumFee: FeeRate,
});

/**
 * Recommended fee rates, sat/vB. The answer states no time: it is as new as the call.
 * @throws UpstreamError
 */
export function fetchMempoolSpaceFees(context: Pick<FetchContext, "get">): Promise<BitcoinFees> {
  return context.get(mempoolSpace, {
    path: "/api/v1/fees/precise",
    schema: Answer,
    ttl_ms: MEMPOOL_TTL_MS,
    read(answer) {
      const fees = {
        fastest: answer.fastestFee,
        half_hour: answer.halfHourFee,
        hour: answer.hourFee,
        economy: answer.economyFee,
        minimum: answer.minimumFee,
      };
      return findFeesFault(fees) ?? fees;
    },
  });
}
