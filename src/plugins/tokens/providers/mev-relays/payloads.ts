import { Type } from "@sinclair/typebox";
import { type FetchContext, unusable, Whole } from "intel-node";
import { mevRelays, type RelayName } from "./provider.ts";

const Decimal = Type.String({ pattern: "^[0-9]{1,30}$" });
/** No relay delivered slot 0, and only the first block has the number 0. */
const Counted = Type.String({ pattern: "^[1-9][0-9]{0,29}$" });
const Hash = Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" });
const Answer = Whole(
  "sum",
  Type.Object({
    slot: Counted,
    block_hash: Hash,
    builder_pubkey: Type.String({ pattern: "^0x[0-9a-fA-F]{96}$" }),
    value: Decimal,
    num_tx: Decimal,
    block_number: Counted,
  }),
  { maxItems: 500 },
);

/** A block a relay delivered. */
export interface Payload {
  readonly slot: number;
  readonly block_hash: string;
  readonly block_number: number;
  readonly builder: string;
  /** Paid to the proposer, wei. */
  readonly value_wei: bigint;
  readonly num_tx: number;
}

/** Time of slot 0 of Ethereum's beacon chain, s, and of a slot. */
const GENESIS_S = 1_606_824_023;
const SLOT_S = 12;
const SLOTS_OLD_MAX = 300;

export const timeOfSlot = (slot: number): number => (GENESIS_S + slot * SLOT_S) * 1000;
export const slotAt = (at_ms: number): number => Math.floor((at_ms / 1000 - GENESIS_S) / SLOT_S);

/** The last 100 blocks a relay delivered. @throws UpstreamError also when the newest is an hour old. */
export function fetchPayloads(
  context: Pick<FetchContext, "get" | "now_ms">,
  relay: RelayName,
): Promise<readonly Payload[]> {
  return context.get(mevRelays, {
    host: relay,
    path: "/relay/v1/data/bidtraces/proposer_payload_delivered?limit=100",
    schema: Answer,
    ttl_ms: 60_000,
    read(rows) {
      if (rows.length === 0) return unusable("no delivered block");
      const payloads = rows.map((row) => ({
        slot: Number(row.slot),
        block_hash: row.block_hash.toLowerCase(),
        block_number: Number(row.block_number),
        builder: row.builder_pubkey.toLowerCase(),
        value_wei: BigInt(row.value),
        num_tx: Number(row.num_tx),
      }));
      const now_slot = slotAt(context.now_ms);
      const newest = Math.max(...payloads.map(({ slot }) => slot));
      if (newest > now_slot + 2) return unusable("a delivered slot lies in the future");
      return now_slot - newest > SLOTS_OLD_MAX
        ? unusable(`the newest block is ${now_slot - newest} slots old`)
        : payloads;
    },
  });
}
