import { expect, test } from "bun:test";
import { settled } from "../../../../test/helpers/settled.ts";
import { mergePayloads } from "../mev/blocks.ts";
import { toLamports } from "../providers/jito/tips.ts";
import type { Payload } from "../providers/mev-relays/payloads.ts";
import { slotAt, timeOfSlot } from "../providers/mev-relays/payloads.ts";
import { countBuilders, computeMevFlow as draft, percentile } from "./compute.ts";
import type { MevFlowData } from "./schema.ts";

const computeMevFlow = (...given: Parameters<typeof draft>) => settled<MevFlowData>(draft(...given));

const VALUES: readonly (readonly [string, number])[] = [
  ...[0.041, 0.12, 0.035, 0.06].map((value) => ["b1", value] as const),
  ...[0.038, 0.5, 0.031].map((value) => ["b2", value] as const),
  ["b3", 0.02],
];
const PAYLOADS: readonly Payload[] = VALUES.map(([builder, value], index) => ({
  slot: 100 + index,
  block_hash: `0x${index}`,
  block_number: index,
  builder,
  num_tx: 1,
  value_wei: BigInt(Math.round(value * 1e9)) * 1_000_000_000n,
}));
const inputs = (blocks: ReturnType<typeof mergePayloads>) => ({
  read_at_ms: timeOfSlot(200),
  blocks,
  answering: [],
  tips: null,
  fees: null,
});

test("the published vector: totals, percentiles, shares, HHI, lamports", () => {
  const blocks = mergePayloads([{ relay: "flashbots", payloads: PAYLOADS }]);
  const { data } = computeMevFlow(inputs(blocks), 1);
  expect(data.ethereum?.value_eth.total).toBeCloseTo(0.845, 9);
  expect(data.ethereum?.value_eth.mean).toBeCloseTo(0.105625, 9);
  expect(data.ethereum?.value_eth.p50).toBeCloseTo(0.0395, 9);
  expect(data.ethereum?.value_eth.p90).toBeCloseTo(0.234, 9);
  const { rows, hhi } = countBuilders(blocks);
  expect(rows.map(({ share_pct }) => share_pct)).toEqual([50, 37.5, 12.5]);
  expect(hhi).toBe(4_062.5);
  expect(data.ethereum?.mev_boost_share).toBe(1);
  expect([toLamports(1e-5), toLamports(0.0014479055)]).toEqual([10_000, 1_447_906]);
});

test("a block of several relays counts once and names each; a silence leaves no share", () => {
  const blocks = mergePayloads([
    { relay: "flashbots", payloads: PAYLOADS },
    { relay: "titan", payloads: PAYLOADS.slice(0, 2) },
  ]);
  expect(blocks).toHaveLength(8);
  expect(blocks[0]?.relays).toEqual(["flashbots", "titan"]);
  const late = PAYLOADS.map((payload) => ({
    ...payload,
    slot: payload.slot + 500,
    block_hash: `${payload.block_hash}f`,
  }));
  const { data } = computeMevFlow(inputs(mergePayloads([{ relay: "titan", payloads: late }], blocks)), 1);
  expect(data.ethereum?.window.gap_slots).toBe(492);
  expect(data.ethereum?.mev_boost_share).toBeNull();
});

test("the dearest blocks come first, five of them; a gap is more than 75 slots", () => {
  const { data } = computeMevFlow(inputs(mergePayloads([{ relay: "titan", payloads: PAYLOADS }])), 1);
  // Of 0.041, 0.12, 0.035, 0.06, 0.038, 0.5, 0.031, 0.02 in slots from 100 on.
  expect(data.ethereum?.top_blocks.map(({ slot, value_eth }) => [slot, value_eth])).toEqual([
    ...[
      [105, 0.5],
      [101, 0.12],
      [103, 0.06],
      [100, 0.041],
      [104, 0.038],
    ],
  ]);
  const apart = (slots: number) => {
    const [first, second] = PAYLOADS.slice(0, 2).map((one, index) => ({ ...one, slot: 100 + index * slots }));
    const payloads = [first, second].flatMap((one) => one ?? []);
    const { ethereum } = computeMevFlow(inputs(mergePayloads([{ relay: "titan", payloads }])), 1).data;
    return [ethereum?.window.slots, ethereum?.window.gap_slots, ethereum?.mev_boost_share];
  };
  // Two blocks 74, 75 and 76 slots apart: between the last two are 75 slots without a report.
  expect([74, 75, 76].map(apart)).toEqual([
    [75, 0, 2 / 75],
    [76, 0, 2 / 76],
    [77, 75, null],
  ]);
});

test("of equally dear blocks the newer comes first, in whatever order they were reported", () => {
  const [first] = PAYLOADS;
  if (!first) throw new Error("no payload");
  const equal = [3, 1, 2].map((n) => ({ ...first, slot: first.slot + n, block_hash: `${first.block_hash}${n}` }));
  for (const payloads of [equal, equal.toReversed()]) {
    const { data } = computeMevFlow(inputs(mergePayloads([{ relay: "titan", payloads }])), 1);
    expect(data.ethereum?.top_blocks.map(({ slot }) => slot - first.slot)).toEqual([3, 2, 1]);
  }
});

test("slots and times, and a percentile of one value", () => {
  expect(slotAt(timeOfSlot(9_000_000))).toBe(9_000_000);
  expect(percentile([7], 0.9)).toBe(7);
});
