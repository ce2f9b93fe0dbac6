import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedMempool, renderMempool, renderTip, type SimulatedMempool } from "../simulated-bitcoin.ts";
import { answerBlock } from "../simulated-bitcoin-blocks.ts";
import { unknownPath } from "../simulated-market.ts";

const BLOCK_VB = 1_000_000;
const BLOCKS_MAX = 8;
const PERIOD_BLOCKS = 2_016;
const BLOCK_MS = 600_000;
const HASHRATE = 9.4e20;

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));

const renderFees = ({ fastest }: SimulatedMempool) => ({
  fastestFee: round(fastest, 3),
  halfHourFee: round(fastest * 0.6, 3),
  hourFee: round(fastest * 0.35, 3),
  economyFee: 0.2,
  minimumFee: 0.1,
});

function renderBlocks({ fastest, vsize_vb, tx_count }: SimulatedMempool) {
  const count = Math.min(BLOCKS_MAX, Math.max(1, Math.ceil(vsize_vb / BLOCK_VB)));
  return Array.from({ length: count }, (_, index) => {
    const blockVSize = index === count - 1 ? vsize_vb - index * BLOCK_VB : BLOCK_VB;
    const median = fastest / (index + 1);
    return {
      blockSize: Math.round(blockVSize * 1.6),
      blockVSize,
      nTx: Math.round((tx_count * blockVSize) / vsize_vb),
      totalFees: Math.round(blockVSize * median),
      medianFee: median,
      feeRange: [0.5, 0.8, 1, 1.5, 3, 8, 20].map((factor) => median * factor),
    };
  });
}

function renderDifficulty(world: SimulatedWorld, height: number) {
  const done = height % PERIOD_BLOCKS;
  const remainingBlocks = PERIOD_BLOCKS - done;
  const period = Math.floor(height / PERIOD_BLOCKS);
  const changeOf = (index: number) => (world.noise(`difficulty ${index}`) - 0.4) * 8;
  return {
    progressPercent: (done / PERIOD_BLOCKS) * 100,
    difficultyChange: changeOf(period),
    estimatedRetargetDate: world.now() + remainingBlocks * BLOCK_MS,
    remainingBlocks,
    remainingTime: remainingBlocks * BLOCK_MS,
    previousRetarget: changeOf(period - 1),
    nextRetargetHeight: height + remainingBlocks,
    timeAvg: BLOCK_MS,
    timeOffset: 0,
  };
}

export const simulator = defineSimulator({
  provider: "mempool_space",
  respond({ path }, world) {
    const mempool = getSimulatedMempool(world);
    if (path === "/api/v1/fees/precise") return { json: renderFees(mempool) };
    if (path === "/api/v1/fees/mempool-blocks") return { json: renderBlocks(mempool) };
    if (path === "/api/mempool") return { json: renderMempool(mempool) };
    if (path === "/api/v1/blocks") return { json: renderTip(world, mempool) };
    const [, hash] = /^\/api\/block\/([0-9a-f]{64})\/raw$/.exec(path) ?? [];
    const block = hash === undefined ? undefined : answerBlock(world, hash, renderTip(world, mempool));
    if (block) return block;
    if (path === "/api/v1/difficulty-adjustment") return { json: renderDifficulty(world, mempool.height) };
    if (path !== "/api/v1/mining/hashrate/3d") return unknownPath();
    const day_ms = Math.floor(world.now() / 86_400_000) * 86_400_000;
    const currentHashrate = HASHRATE * (0.95 + 0.1 * world.noise(`hashrate ${day_ms}`));
    const hashrates = [{ timestamp: day_ms / 1000, avgHashrate: currentHashrate }];
    return { json: { hashrates, difficulty: [], currentHashrate, currentDifficulty: 1.3e14 } };
  },
});
