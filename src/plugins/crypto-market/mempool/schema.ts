import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, type Rounding } from "intel-node";

const amount = (description: string, rounding?: Rounding) => Type.Number({ description, minimum: 0, ...rounding });

const Fees = Type.Object(
  {
    fastest: amount("For the next block, sat/vB.", { decimals: 3 }),
    half_hour: amount("Within about 3 blocks, sat/vB.", { decimals: 3 }),
    hour: amount("Within about 6 blocks, sat/vB.", { decimals: 3 }),
    economy: amount("Within about a day, sat/vB.", { decimals: 3 }),
    minimum: amount("Lowest that is worth sending, sat/vB.", { decimals: 3 }),
  },
  { ...closed, description: "Recommended fee rates, sat/vB." },
);

const Backlog = Type.Object(
  {
    tx_count: count("Waiting transactions, count."),
    vsize_vb: amount("Their size, virtual bytes.", { decimals: 0 }),
    total_fee_btc: amount("Their fees, BTC.", { decimals: 8 }),
    blocks_to_clear: amount("vsize_vb / 1,000,000, blocks.", { decimals: 2 }),
    state: Type.Union([Type.Literal("idle"), Type.Literal("normal"), Type.Literal("busy"), Type.Literal("congested")], {
      description: "The worse of two readings, by blocks_to_clear and by the fastest fee.",
    }),
  },
  closed,
);

const ProjectedBlock = Type.Object(
  {
    n_tx: count("Transactions, count."),
    median_fee: amount("Median fee rate, sat/vB.", { decimals: 3 }),
    fee_min: amount("Lowest fee rate, sat/vB.", { decimals: 3 }),
    fee_max: amount("Highest fee rate, sat/vB.", { decimals: 3 }),
    total_fee_btc: amount("Fees, BTC.", { decimals: 8 }),
  },
  closed,
);

const Difficulty = Type.Object(
  {
    change_est_pct: number("Expected change at the next retarget, percent.", { decimals: 2 }),
    progress_pct: number("Share of the period that is over, percent.", { decimals: 2 }),
    remaining_blocks: count("Blocks to the retarget, count."),
    retarget_est_at: Type.String({ description: "Expected retarget, ISO 8601 UTC." }),
    previous_change_pct: number("Change at the last retarget, percent.", { decimals: 2 }),
  },
  closed,
);

const Bitcoin = Type.Object(
  {
    tip_height: count("Height of the newest block, blocks."),
    fees_sat_vb: Fees,
    backlog: nullable(Backlog, "What waits for a block; null when it cannot be read."),
    projected_blocks: nullable(
      Type.Array(ProjectedBlock, { maxItems: 8 }),
      "The next blocks as they would be mined now, nearest first; the last one can hold all the rest.",
    ),
    transfer_cost: Type.Object(
      {
        sat: amount("Fee of a 141 vB transfer (1 input, 2 outputs, P2WPKH) at the fastest rate, satoshi.", {
          decimals: 3,
        }),
        usd: nullable(Type.Number({ minimum: 0, decimals: 4 }), "The same, US dollars; null without a price."),
      },
      { ...closed, description: "What a usual transfer costs in the next block." },
    ),
    fee_percentile_30d: nullable(
      Type.Number({ minimum: 0, maximum: 100, decimals: 2 }),
      "Rank of the fastest rate among this node's hourly samples of 30 days, percent; null below 100 samples.",
    ),
    difficulty: nullable(Difficulty, "The running difficulty period; null when it cannot be read."),
    hashrate_eh_s: nullable(
      Type.Number({ minimum: 0, decimals: 2 }),
      "Mean hash rate of 3 days, exahashes per second.",
    ),
  },
  { ...closed, description: "Fees, waiting transactions and difficulty on Bitcoin." },
);

const evmChain = (name: string, note: string) =>
  nullable(
    Type.Object(
      {
        base_fee_gwei: amount("Base fee of the next block, gwei.", { digits: 8 }),
        tip_gwei_p50: amount("Median over 20 blocks of each block's median tip, gwei.", { digits: 8 }),
        transfer_usd: nullable(
          Type.Number({ minimum: 0, digits: 8 }),
          `21,000 gas at base fee + tip, US dollars.${note}`,
        ),
        swap_usd: nullable(Type.Number({ minimum: 0, digits: 8 }), `150,000 gas at base fee + tip, US dollars.${note}`),
      },
      closed,
    ),
    `Fees on ${name}; null when its nodes cannot be read.`,
  );

const Solana = Type.Object(
  {
    priority_p50_microlamports: amount("Median over 150 slots of the lowest priority fee, micro-lamports per CU."),
    priority_p75_microlamports: amount("75th percentile of the same, micro-lamports per CU."),
    transfer_usd: nullable(
      Type.Number({ minimum: 0, digits: 8 }),
      "5,000 lamports + the median priority fee at 200,000 CU, US dollars.",
    ),
  },
  closed,
);

export const MempoolSchema = Type.Object(
  {
    btc: Bitcoin,
    ethereum: evmChain("Ethereum", ""),
    base: evmChain("Base", " Without the fee for Ethereum data."),
    solana: nullable(Solana, "Fees on Solana; null when its nodes cannot be read."),
  },
  closed,
);

export type MempoolData = Static<typeof MempoolSchema>;
export type BacklogState = Static<typeof Backlog>["state"];
