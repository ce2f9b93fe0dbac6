import { Type } from "@sinclair/typebox";
import { type FetchContext, unusable, Whole } from "intel-node";
import { jito } from "./provider.ts";

const Tip = Type.Number({ minimum: 0, maximum: 10_000 });
const Answer = Whole(
  "one",
  Type.Object({
    time: Type.String({ maxLength: 40 }),
    landed_tips_25th_percentile: Tip,
    landed_tips_50th_percentile: Tip,
    landed_tips_75th_percentile: Tip,
    landed_tips_95th_percentile: Tip,
    landed_tips_99th_percentile: Tip,
    ema_landed_tips_50th_percentile: Tip,
  }),
  { minItems: 1, maxItems: 10 },
);

/** Tips of landed bundles, lamports. */
export interface Tips {
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
  readonly p99: number;
  readonly ema50: number;
}

const AGE_MAX_MS = 600_000;
/** It states SOL; a lamport is 1e-9 of it. */
export const toLamports = (sol: number): number => Math.round(sol * 1e9);

/** @throws UpstreamError also when the figures are older than ten minutes. */
export function fetchTips(context: Pick<FetchContext, "get" | "now_ms">): Promise<Tips> {
  return context.get(jito, {
    path: "/api/v1/bundles/tip_floor",
    schema: Answer,
    ttl_ms: 30_000,
    read([row]) {
      const at_ms = Date.parse(row?.time ?? "");
      if (!row || !Number.isFinite(at_ms)) return unusable("no time");
      if (context.now_ms - at_ms > AGE_MAX_MS) return unusable("the tips are older than ten minutes");
      const tips = {
        p25: toLamports(row.landed_tips_25th_percentile),
        p50: toLamports(row.landed_tips_50th_percentile),
        p75: toLamports(row.landed_tips_75th_percentile),
        p95: toLamports(row.landed_tips_95th_percentile),
        p99: toLamports(row.landed_tips_99th_percentile),
        ema50: toLamports(row.ema_landed_tips_50th_percentile),
      };
      const is_rising = tips.p25 <= tips.p50 && tips.p50 <= tips.p75 && tips.p75 <= tips.p95 && tips.p95 <= tips.p99;
      return is_rising ? tips : unusable("the percentiles do not rise");
    },
  });
}
