import { type FetchContext, outcomeOf, readNewest, toNodeError } from "intel-node";
import { fetchPrioritizationFees } from "intel-node/providers/solana-rpc/prioritization-fees";
import { type MevBlock, mergePayloads, mevBlocks, toBlock } from "../mev/blocks.ts";
import { fetchTips, type Tips } from "../providers/jito/tips.ts";
import { fetchPayloads, slotAt } from "../providers/mev-relays/payloads.ts";
import { RELAY_NAMES, type RelayName } from "../providers/mev-relays/provider.ts";

export interface MevFlowInputs {
  readonly read_at_ms: number;
  /** Of the window, oldest first; null when fewer than two relays answer. */
  readonly blocks: readonly MevBlock[] | null;
  readonly answering: readonly RelayName[];
  readonly tips: Tips | null;
  /** Of the last slots. */
  readonly fees: readonly number[] | null;
}

const RELAYS_MIN = 2;
const SLOTS_PER_HOUR = 300;

/** @throws NodeError when neither two relays nor Jito answer. */
export async function fetchMevFlow(context: FetchContext, hours: number): Promise<MevFlowInputs> {
  const { now_ms } = context;
  const since = slotAt(now_ms) - hours * SLOTS_PER_HOUR;
  const [stored, tips, fees, ...relays] = await Promise.all([
    readNewest(context, context.table(mevBlocks), {
      by: "slot",
      from: since,
      to: slotAt(now_ms),
      rows_max: 10_000,
    }),
    outcomeOf(fetchTips(context)),
    outcomeOf(fetchPrioritizationFees(context)),
    ...RELAY_NAMES.map((relay) => outcomeOf(fetchPayloads(context, relay))),
  ]);
  const told = RELAY_NAMES.flatMap((relay, index) => {
    const one = relays[index];
    return one?.ok ? [{ relay, payloads: one.value }] : [];
  });
  const has_relays = told.length >= RELAYS_MIN;
  if (!has_relays && !tips.ok) {
    throw toNodeError(
      [tips.error, ...relays.flatMap((one) => (one.ok ? [] : [one.error]))],
      "blocks of two relays, and tips",
    );
  }
  const blocks = mergePayloads(told, stored.rows.toReversed().map(toBlock)).filter(({ slot }) => slot >= since);
  return {
    read_at_ms: now_ms,
    blocks: has_relays && blocks.length > 0 ? blocks : null,
    answering: told.map(({ relay }) => relay),
    tips: tips.ok ? tips.value : null,
    fees: fees.ok ? fees.value : null,
  };
}
