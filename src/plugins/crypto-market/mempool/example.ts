import type { MempoolData } from "./schema.ts";

const data: MempoolData = {
  btc: {
    tip_height: 968_400,
    fees_sat_vb: { fastest: 2.023, half_hour: 1.094, hour: 0.502, economy: 0.2, minimum: 0.1 },
    backlog: {
      tx_count: 4_503,
      vsize_vb: 1_891_542,
      total_fee_btc: 0.0112,
      blocks_to_clear: 1.89,
      state: "normal",
    },
    projected_blocks: [
      { n_tx: 2_374, median_fee: 2.05, fee_min: 1.1, fee_max: 120.5, total_fee_btc: 0.00887561 },
      { n_tx: 2_129, median_fee: 0.52, fee_min: 0.1, fee_max: 1.1, total_fee_btc: 0.00232439 },
    ],
    transfer_cost: { sat: 285.243, usd: 0.1826 },
    fee_percentile_30d: 41.67,
    difficulty: {
      change_est_pct: -1.42,
      progress_pct: 35.71,
      remaining_blocks: 1_296,
      retarget_est_at: "2026-11-30T09:07:00Z",
      previous_change_pct: 2.87,
    },
    hashrate_eh_s: 942.5,
  },
  ethereum: { base_fee_gwei: 0.812, tip_gwei_p50: 0.1, transfer_usd: 0.057456, swap_usd: 0.4104 },
  base: { base_fee_gwei: 0.005, tip_gwei_p50: 0.001, transfer_usd: 0.000378, swap_usd: 0.0027 },
  solana: { priority_p50_microlamports: 400, priority_p75_microlamports: 6_000, transfer_usd: 0.000762 },
};

export const example = { params: {}, as_of: "2026-11-21T06:00:00Z", data };
