import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { mempoolSpace } from "./provider.ts";

export interface Difficulty {
  /** Expected change at the next retarget, percent. */
  readonly change_est_pct: number;
  /** Share of the period that is over, percent. */
  readonly progress_pct: number;
  readonly remaining_blocks: number;
  readonly retarget_est_at_ms: number;
  /** Change at the last retarget, percent. */
  readonly previous_change_pct: number;
}

const DIFFICULTY_TTL_MS = 60_000;
const HASHRATE_TTL_MS = 600_000;
const DAY_MS = 86_400_000;
/** A period is 14 days when blocks come on time; four times that is the protocol's bound. */
const RETARGET_WAIT_MAX_MS = 60 * DAY_MS;
const PERIOD_BLOCKS = 2_016;

const DifficultyAnswer = Type.Object({
  progressPercent: Type.Number({ minimum: 0, maximum: 100 }),
  difficultyChange: Type.Number({ minimum: -75, maximum: 300 }),
  estimatedRetargetDate: Type.Number({ minimum: 0 }),
  remainingBlocks: Type.Integer({ minimum: 0, maximum: PERIOD_BLOCKS }),
  previousRetarget: Type.Number({ minimum: -75, maximum: 300 }),
});

/**
 * The running difficulty period. A retarget date that is not in milliseconds, or not ahead, is refused.
 * @throws UpstreamError
 */
export function fetchDifficulty(context: Pick<FetchContext, "get" | "now_ms">): Promise<Difficulty> {
  return context.get(mempoolSpace, {
    path: "/api/v1/difficulty-adjustment",
    schema: DifficultyAnswer,
    ttl_ms: DIFFICULTY_TTL_MS,
    read(answer) {
      const wait_ms = answer.estimatedRetargetDate - context.now_ms;
      if (wait_ms < -DAY_MS || wait_ms > RETARGET_WAIT_MAX_MS)
        return unusable("the retarget date is not near, in milliseconds");
      return {
        change_est_pct: answer.difficultyChange,
        progress_pct: answer.progressPercent,
        remaining_blocks: answer.remainingBlocks,
        retarget_est_at_ms: answer.estimatedRetargetDate,
        previous_change_pct: answer.previousRetarget,
      };
    },
  });
}

/** Between a hundredth and a thousand times what the network had in 2025. */
const HashrateAnswer = Type.Object({ currentHashrate: Type.Number({ minimum: 1e19, maximum: 1e24 }) });

/**
 * The network's hash rate, hashes per second: the mean of the newest three days.
 * @throws UpstreamError
 */
export async function fetchHashrate(context: Pick<FetchContext, "get">): Promise<number> {
  const { currentHashrate } = await context.get(mempoolSpace, {
    path: "/api/v1/mining/hashrate/3d",
    schema: HashrateAnswer,
    ttl_ms: HASHRATE_TTL_MS,
  });
  return currentHashrate;
}
