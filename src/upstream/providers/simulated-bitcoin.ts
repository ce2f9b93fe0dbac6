import type { SimulatedWorld } from "../../catalog/simulator.ts";
import { getSimulatedBlock } from "./simulated-bitcoin-blocks.ts";

const BLOCK_MS = 600_000;
/** A block and its time to count from. */
const ORIGIN = { height: 960_000, at_ms: 1_790_000_000_000 };
const STEP_MS = 30_000;
const HOUR_MS = 3_600_000;

export interface SimulatedMempool {
  readonly height: number;
  /** sat/vB. */
  readonly fastest: number;
  readonly tx_count: number;
  readonly vsize_vb: number;
  readonly total_fee_sat: number;
}

/** Bitcoin's mempool at the world's present time: it breathes over a day and drains with every block. */
export function getSimulatedMempool(world: SimulatedWorld): SimulatedMempool {
  const now_ms = world.now();
  const height = Math.max(840_000, ORIGIN.height + Math.floor((now_ms - ORIGIN.at_ms) / BLOCK_MS));
  const step = Math.floor(now_ms / STEP_MS);
  const wave = 1 + 0.6 * Math.sin((now_ms / HOUR_MS / 12) * Math.PI);
  const since_block = (now_ms % BLOCK_MS) / BLOCK_MS;
  const fastest = (2 + 4 * wave) * (0.9 + 0.2 * world.noise(`btc fee ${step}`));
  const vsize_vb = Math.round(1_000_000 * (1 + 3 * wave + since_block) + 50_000 * world.noise(`btc vsize ${step}`));
  return {
    height,
    fastest,
    tx_count: Math.round(vsize_vb / 420),
    vsize_vb,
    total_fee_sat: Math.round(vsize_vb * fastest * 0.45),
  };
}

const BLOCKS = 10;

const getBlockTime = (height: number): number => (ORIGIN.at_ms + (height - ORIGIN.height) * BLOCK_MS) / 1000;

/** Esplora's list of the newest blocks, newest first. */
export function renderTip(world: SimulatedWorld, { height: newest }: SimulatedMempool) {
  return Array.from({ length: BLOCKS }, (_, index) => {
    const height = newest - index;
    const timestamp = getBlockTime(height);
    const { hash: id, bytes } = getSimulatedBlock(world, height, timestamp);
    return { id, height, version: 536_870_912, timestamp, tx_count: 13, size: bytes.length, weight: bytes.length * 3 };
  });
}

/** Esplora's answer about the mempool. */
export function renderMempool({ tx_count, vsize_vb, total_fee_sat, fastest }: SimulatedMempool) {
  const shares = [0.1, 0.2, 0.3, 0.4];
  const fee_histogram = shares.map((share, index) => [Number((fastest / (index + 1)).toFixed(2)), vsize_vb * share]);
  return { count: tx_count, vsize: vsize_vb, total_fee: total_fee_sat, fee_histogram };
}
