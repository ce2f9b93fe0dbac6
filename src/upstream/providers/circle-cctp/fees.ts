import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Rows } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import type { DexChain } from "../dex-tokens.ts";
import { circleCCTP } from "./provider.ts";

/** Circle's numbers of the chains. */
const CCTP_DOMAINS: Readonly<Record<DexChain, number>> = {
  ethereum: 0,
  optimism: 2,
  arbitrum: 3,
  solana: 5,
  base: 6,
  polygon: 7,
};

const FAST = 1_000;
const STANDARD = 2_000;
const FEE_BPS_MAX = 1_000;
const FEES_TTL_MS = 900_000;

const Answer = Rows(
  Type.Object({
    finalityThreshold: Type.Integer({ minimum: 0 }),
    minimumFee: Type.Number({ minimum: 0, maximum: FEE_BPS_MAX }),
  }),
  { minItems: 1, maxItems: 20 },
);

export interface CCTPFees {
  readonly from: DexChain;
  readonly to: DexChain;
  /** Basis points; null where there is no such transfer. Chains that are final at once have no fast one. */
  readonly fast_bps: number | null;
  readonly standard_bps: number | null;
}

/**
 * What Circle takes for moving USDC from one chain to another. Not the same in both directions.
 * @throws UpstreamError
 */
export function fetchCCTPFees(
  context: Pick<FetchContext, "get">,
  { from, to }: { readonly from: DexChain; readonly to: DexChain },
): Promise<CCTPFees> {
  return context.get(circleCCTP, {
    path: `/v2/burn/USDC/fees/${CCTP_DOMAINS[from]}/${CCTP_DOMAINS[to]}`,
    schema: Answer,
    ttl_ms: FEES_TTL_MS,
    read(rows) {
      const feeOf = (threshold: number) => rows.find((row) => row.finalityThreshold === threshold)?.minimumFee ?? null;
      const [fast_bps, standard_bps] = [feeOf(FAST), feeOf(STANDARD)];
      if (fast_bps === null && standard_bps === null) return unusable("neither a fast nor a standard transfer");
      return { from, to, fast_bps, standard_bps };
    },
  });
}
