import { type Static, Type } from "@sinclair/typebox";
import { Whole } from "../../catalog/rows.ts";
import { type Unusable, unusable } from "../../catalog/unusable.ts";

/** Fee rates for confirmation within some blocks, satoshi per virtual byte. */
export interface BitcoinFees {
  readonly fastest: number;
  readonly half_hour: number;
  readonly hour: number;
  readonly economy: number;
  readonly minimum: number;
}

/** Everything that waits for a block, as one node sees it. */
export interface BitcoinBacklog {
  readonly tx_count: number;
  readonly vsize_vb: number;
  readonly total_fee_sat: number;
}

export interface BitcoinTip {
  readonly height: number;
}

/** How long an answer about the mempool may be used again. */
export const MEMPOOL_TTL_MS = 10_000;

const FEE_RATE_MAX = 100_000;
const HISTOGRAM_MAX = 20_000;
/** At one block in ten minutes a longer gap is expected once in a thousand years. */
const TIP_AGE_MAX_MS = 3 * 3_600_000;
/** The protocol lets miners date blocks up to two hours ahead. */
const MINER_SKEW_MAX_MS = 2 * 3_600_000;

/** Satoshi per virtual byte; below 1 is real since 2025. */
export const FeeRate = Type.Number({ exclusiveMinimum: 0, maximum: FEE_RATE_MAX });

/** Both providers answer /mempool in Esplora's shape. */
export const MempoolAnswer = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  vsize: Type.Number({ minimum: 0 }),
  total_fee: Type.Number({ minimum: 0 }),
  fee_histogram: Whole("sum", Type.Tuple([Type.Number({ minimum: 0 }), Type.Number({ minimum: 0 })]), {
    maxItems: HISTOGRAM_MAX,
  }),
});

/** Newest blocks, in Esplora's shape. Bitcoin passed the least height in 2024. */
export const BlocksAnswer = Whole(
  "series",
  Type.Object({
    height: Type.Integer({ minimum: 840_000, maximum: 10_000_000 }),
    /** Seconds; the miner's clock. */
    timestamp: Type.Integer({ minimum: 0 }),
  }),
  { minItems: 1, maxItems: 50 },
);

/**
 * Height of the newest block. Answers about the mempool state no time, so this is what shows that a provider still
 * follows the chain: one whose newest block is older than 3 h does not.
 */
export function readTip(blocks: Static<typeof BlocksAnswer>, now_ms: number): BitcoinTip | Unusable {
  const tip = blocks.reduce((newest, block) => (block.height > newest.height ? block : newest));
  const at_ms = tip.timestamp * 1000;
  if (now_ms - at_ms > TIP_AGE_MAX_MS) return unusable("the newest block is older than 3 h");
  if (at_ms - now_ms > MINER_SKEW_MAX_MS) return unusable("the newest block is dated in the future");
  return { height: tip.height };
}

/** Reads the backlog. A mempool that counts transactions but shows none in its histogram contradicts itself. */
export function readBacklog(answer: Static<typeof MempoolAnswer>): BitcoinBacklog | Unusable {
  const { count, vsize, total_fee, fee_histogram } = answer;
  if (count > 0 && (vsize === 0 || fee_histogram.length === 0)) return unusable("transactions without size");
  return { tx_count: count, vsize_vb: vsize, total_fee_sat: total_fee };
}

/** Why fee rates cannot be used: the fastest costs the most, the slowest the least. */
export function findFeesFault({ fastest, half_hour, hour, economy, minimum }: BitcoinFees): Unusable | undefined {
  const between = [half_hour, hour, economy];
  const sound = fastest >= Math.max(...between) && minimum <= Math.min(...between);
  return sound ? undefined : unusable("the fastest fee rate is not the highest, or the slowest not the lowest");
}
