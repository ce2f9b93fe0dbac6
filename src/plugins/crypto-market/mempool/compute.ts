import { type Computed, type Draft, missing, renderTime } from "intel-node";
import type { FeeHistory } from "intel-node/providers/evm-rpc/fee-history";
import type { Difficulty } from "intel-node/providers/mempool-space/mining";
import type { ProjectedBlock } from "intel-node/providers/mempool-space/projected-blocks";
import { mempoolSpace } from "intel-node/providers/mempool-space/provider";
import { getPercentileRank } from "intel-node/quant/stats";
import { median, quantileSorted } from "simple-statistics";
import { type MempoolInputs, TIP_PERCENTILES } from "./fetch.ts";
import type { BacklogState, MempoolData } from "./schema.ts";

const SAT_PER_BTC = 1e8;
const BLOCK_VB = 1_000_000;
/** One input, two outputs, P2WPKH. */
const TRANSFER_VB = 141;
const PROJECTED_BLOCKS_MAX = 8;
const SAMPLES_MIN = 100;
const HASHES_PER_EXAHASH = 1e18;

const WEI_PER_GWEI = 1e9;
const WEI_PER_ETH = 1e18;
const TRANSFER_GAS = 21_000;
const SWAP_GAS = 150_000;

const LAMPORTS_PER_SOL = 1e9;
const MICROLAMPORTS_PER_LAMPORT = 1e6;
const SIGNATURE_LAMPORTS = 5_000;
const TRANSFER_CU = 200_000;

const STATES: readonly BacklogState[] = ["idle", "normal", "busy", "congested"];

type Bitcoin = MempoolData["btc"];
const UNREAD = "mempool.space could not be read";

/** The worse of two readings: below 1, 5 and 20 blocks; up to 2, 10 and 50 sat/vB. */
export function getState(blocks_to_clear: number, fastest: number): BacklogState {
  const by_blocks = [1, 5, 20].filter((bound) => blocks_to_clear >= bound).length;
  const by_fee = [2, 10, 50].filter((bound) => fastest > bound).length;
  return STATES[Math.max(by_blocks, by_fee)] ?? "congested";
}

function describeBacklog({ bitcoin }: MempoolInputs): Bitcoin["backlog"] {
  if (!bitcoin.backlog.ok) return null;
  const backlog = bitcoin.backlog.value;
  const blocks_to_clear = backlog.vsize_vb / BLOCK_VB;
  return {
    tx_count: backlog.tx_count,
    vsize_vb: backlog.vsize_vb,
    total_fee_btc: backlog.total_fee_sat / SAT_PER_BTC,
    blocks_to_clear,
    state: getState(blocks_to_clear, bitcoin.fees.fastest),
  };
}

const describeBlocks = (blocks: readonly ProjectedBlock[]): Bitcoin["projected_blocks"] =>
  blocks.slice(0, PROJECTED_BLOCKS_MAX).map((block) => ({
    n_tx: block.n_tx,
    median_fee: block.median_fee,
    fee_min: block.fee_min,
    fee_max: block.fee_max,
    total_fee_btc: block.total_fee_sat / SAT_PER_BTC,
  }));

const describeDifficulty = (difficulty: Difficulty): Bitcoin["difficulty"] => ({
  change_est_pct: difficulty.change_est_pct,
  progress_pct: difficulty.progress_pct,
  remaining_blocks: difficulty.remaining_blocks,
  retarget_est_at: renderTime(Math.round(difficulty.retarget_est_at_ms / 1000) * 1000),
  previous_change_pct: difficulty.previous_change_pct,
});

/** Rank among the samples and itself: a fee higher than all of them is not above itself. */
function getFeePercentile(samples: readonly number[], fastest: number): number | null {
  if (samples.length < SAMPLES_MIN) return null;
  return getPercentileRank([...samples, fastest], fastest);
}

/** What only mempool.space gives. When its fees were refused, the rest of its answers is not trusted either. */
const readDetail = <T>(inputs: MempoolInputs, detail: T | null): T | null =>
  inputs.bitcoin.provider === mempoolSpace.id ? detail : null;

function describeBitcoin(inputs: MempoolInputs): Draft<Bitcoin> {
  const { fees, tip, sampled, provider } = inputs.bitcoin;
  const price = inputs.btc_usd;
  const blocks = readDetail(inputs, inputs.projected_blocks);
  const difficulty = readDetail(inputs, inputs.difficulty);
  const hashrate = readDetail(inputs, inputs.hashrate);
  const sat = fees.fastest * TRANSFER_VB;
  return {
    tip_height: tip.height,
    fees_sat_vb: {
      fastest: fees.fastest,
      half_hour: fees.half_hour,
      hour: fees.hour,
      economy: fees.economy,
      minimum: fees.minimum,
    },
    backlog: describeBacklog(inputs) ?? missing(`${provider} could not be read`),
    projected_blocks: blocks === null ? missing(UNREAD) : describeBlocks(blocks),
    transfer_cost: {
      sat,
      usd: price === null ? null : (sat / SAT_PER_BTC) * price,
    },
    fee_percentile_30d:
      getFeePercentile(
        sampled.map(({ sat_vb }) => sat_vb),
        fees.fastest,
      ) ?? missing(`this node has ${sampled.length} of the ${SAMPLES_MIN} hourly samples it takes`),
    difficulty: difficulty === null ? missing(UNREAD) : describeDifficulty(difficulty),
    hashrate_eh_s: hashrate === null ? missing(UNREAD) : hashrate / HASHES_PER_EXAHASH,
  };
}

/** Base fee of the next block plus the median of the blocks' median tips. */
function describeEVM({ next_base_fee_wei, tips_wei }: FeeHistory, eth_usd: number | null): MempoolData["ethereum"] {
  const middle = TIP_PERCENTILES.indexOf(50);
  const tip_wei = median(tips_wei.map((tips) => tips[middle] ?? Number.NaN));
  const gas_price_wei = next_base_fee_wei + tip_wei;
  const cost = (gas: number) => (eth_usd === null ? null : ((gas_price_wei * gas) / WEI_PER_ETH) * eth_usd);
  return {
    base_fee_gwei: next_base_fee_wei / WEI_PER_GWEI,
    tip_gwei_p50: tip_wei / WEI_PER_GWEI,
    transfer_usd: cost(TRANSFER_GAS),
    swap_usd: cost(SWAP_GAS),
  };
}

function describeSolana(fees: readonly number[], sol_usd: number | null): MempoolData["solana"] {
  const sorted = [...fees].sort((a, b) => a - b);
  const p50 = quantileSorted(sorted, 0.5);
  const lamports = SIGNATURE_LAMPORTS + (p50 * TRANSFER_CU) / MICROLAMPORTS_PER_LAMPORT;
  return {
    priority_p50_microlamports: p50,
    priority_p75_microlamports: quantileSorted(sorted, 0.75),
    transfer_usd: sol_usd === null ? null : (lamports / LAMPORTS_PER_SOL) * sol_usd,
  };
}

/** What a transaction costs now, on each chain. Pure. `as_of` is the time of the calls: the answers state none. */
export function computeMempool(inputs: MempoolInputs): Computed<Draft<MempoolData>> {
  const { eth_usd, sol_usd, ethereum, base, solana } = inputs;
  const { provider } = inputs.bitcoin;
  const is_other = provider !== mempoolSpace.id;
  return {
    as_of_ms: inputs.read_at_ms,
    warnings: [
      ...(is_other ? [`btc.fees_sat_vb: mempool.space could not be read; these are ${provider}'s`] : []),
      ...inputs.warnings,
    ],
    data: {
      btc: describeBitcoin(inputs),
      ethereum: ethereum && describeEVM(ethereum, eth_usd),
      base: base && describeEVM(base, eth_usd),
      solana: solana && describeSolana(solana, sol_usd),
    },
  };
}
