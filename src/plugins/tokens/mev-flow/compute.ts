import { type Computed, type Draft, missing, renderTime } from "intel-node";
import type { MevBlock } from "../mev/blocks.ts";
import { timeOfSlot } from "../providers/mev-relays/payloads.ts";
import { RELAY_NAMES } from "../providers/mev-relays/provider.ts";
import type { MevFlowInputs } from "./fetch.ts";
import type { MevFlowData } from "./schema.ts";

const GAP_SLOTS = 75;
const BUILDERS_SHOWN = 8;
const BLOCKS_SHOWN = 5;

const toETH = (wei: bigint): number => Number(wei / 1_000_000_000n) / 1e9;

/** Percentile by linear interpolation (numpy's default). */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

/** The builders of the blocks, and their concentration. */
export function countBuilders(blocks: readonly MevBlock[]) {
  const builders = new Map<string, { blocks: number; wei: bigint }>();
  for (const { builder, value_wei } of blocks) {
    const known = builders.get(builder) ?? { blocks: 0, wei: 0n };
    builders.set(builder, { blocks: known.blocks + 1, wei: known.wei + value_wei });
  }
  const rows = [...builders]
    .map(([pubkey, row]) => ({
      pubkey,
      blocks: row.blocks,
      share_pct: (row.blocks / blocks.length) * 100,
      value_eth: toETH(row.wei),
    }))
    .sort((a, b) => b.blocks - a.blocks);
  return { rows, hhi: rows.reduce((sum, { share_pct }) => sum + share_pct ** 2, 0) };
}

function describeEthereum(blocks: readonly MevBlock[], answering: MevFlowInputs["answering"]) {
  const slots = blocks.map(({ slot }) => slot);
  const [first, last] = [Math.min(...slots), Math.max(...slots)];
  const gap_slots = slots.reduce((sum, slot, index) => {
    const apart = slot - (slots[index - 1] ?? slot);
    return apart > GAP_SLOTS ? sum + apart - 1 : sum;
  }, 0);
  const values = blocks.map(({ value_wei }) => toETH(value_wei));
  const total = toETH(blocks.reduce((sum, { value_wei }) => sum + value_wei, 0n));
  const { rows, hhi } = countBuilders(blocks);
  // Equally dear ones: the newer first.
  const dearest = [...blocks]
    .sort((a, b) => (a.value_wei === b.value_wei ? b.slot - a.slot : b.value_wei > a.value_wei ? 1 : -1))
    .slice(0, BLOCKS_SHOWN);
  return {
    window: {
      from: renderTime(timeOfSlot(first)),
      to: renderTime(timeOfSlot(last)),
      slots: last - first + 1,
      gap_slots,
    },
    blocks: blocks.length,
    mev_boost_share: gap_slots > 0 ? missing("the window has gaps") : Math.min(1, blocks.length / (last - first + 1)),
    value_eth: {
      total,
      mean: total / blocks.length,
      p50: percentile(values, 0.5),
      p90: percentile(values, 0.9),
      max: Math.max(...values),
    },
    builders: rows.slice(0, BUILDERS_SHOWN),
    builder_hhi: hhi,
    relays: RELAY_NAMES.map((id) => ({
      id,
      payloads: blocks.filter(({ relays }) => relays.includes(id)).length,
      ok: answering.includes(id),
    })),
    top_blocks: dearest.map(({ block_number, slot, value_wei, builder }) => ({
      block_number,
      slot,
      value_eth: toETH(value_wei),
      builder,
    })),
  };
}

export function computeMevFlow(
  { blocks, answering, tips, fees, read_at_ms }: MevFlowInputs,
  hours: number,
): Computed<Draft<MevFlowData>> {
  const ethereum = blocks && describeEthereum(blocks, answering);
  const silent = RELAY_NAMES.filter((id) => !answering.includes(id));
  const covered_h = ethereum ? ethereum.window.slots / 300 : 0;
  return {
    as_of_ms: blocks ? Math.min(read_at_ms, timeOfSlot(blocks.at(-1)?.slot ?? 0)) : read_at_ms,
    data: {
      ethereum: ethereum ?? missing("fewer than two relays answer"),
      solana: {
        tip_lamports: tips ? { ...tips } : missing("Jito does not answer"),
        priority_fee_microlamports: fees
          ? {
              p50: percentile(fees, 0.5),
              p90: percentile(fees, 0.9),
              max: Math.max(...fees),
              slots: fees.length,
            }
          : missing("no node answers"),
      },
    },
    warnings: [
      ...(ethereum !== null && silent.length > 0
        ? [`ethereum.relays: ${silent.join(", ")} did not answer; their blocks may be missing`]
        : []),
      ...(ethereum !== null && covered_h < hours * 0.95
        ? [`ethereum.window: ${covered_h.toFixed(1)} of ${hours} hours are covered`]
        : []),
      ...(ethereum === null ? ["solana: no source of the fees states a time"] : []),
    ],
  };
}
