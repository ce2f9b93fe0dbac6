import { Type } from "@sinclair/typebox";
import { column, defineTable, type RowOf } from "intel-node";
import type { Payload } from "../providers/mev-relays/payloads.ts";
import type { RelayName } from "../providers/mev-relays/provider.ts";

/** Blocks that relays delivered, each once, with the relays that reported it. */
export const mevBlocks = defineTable({
  name: "tokens/mev-blocks",
  storage: "disposable",
  columns: {
    block_hash: column.text(),
    slot: column.integer(),
    block_number: column.integer(),
    builder: column.text(),
    value_wei: column.text(),
    num_tx: column.integer(),
    relays: column.json(Type.Array(Type.String(), { maxItems: 20 })),
    slot_at_ms: column.integer(),
  },
  key: ["block_hash"],
  indexes: [["slot"], ["slot_at_ms"]],
  retention: { column: "slot_at_ms", keep: "2d" },
});

export interface MevBlock extends Payload {
  readonly relays: readonly string[];
}
export type MevRow = RowOf<typeof mevBlocks.columns>;

/** The reports of several relays, each block once. */
export function mergePayloads(
  told: readonly { readonly relay: RelayName; readonly payloads: readonly Payload[] }[],
  known: readonly MevBlock[] = [],
) {
  const blocks = new Map(known.map((block) => [block.block_hash, block]));
  for (const { relay, payloads } of told) {
    for (const payload of payloads) {
      const relays = new Set([...(blocks.get(payload.block_hash)?.relays ?? []), relay]);
      blocks.set(payload.block_hash, { ...payload, relays: [...relays].sort() });
    }
  }
  return [...blocks.values()].sort((a, b) => a.slot - b.slot);
}

export const toBlock = (row: MevRow): MevBlock => ({ ...row, value_wei: BigInt(row.value_wei) });
