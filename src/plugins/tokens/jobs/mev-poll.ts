import { defineJob, outcomeOf } from "intel-node";
import { mergePayloads, mevBlocks, toBlock } from "../mev/blocks.ts";
import { fetchPayloads, timeOfSlot } from "../providers/mev-relays/payloads.ts";
import { mevRelays, RELAY_NAMES } from "../providers/mev-relays/provider.ts";

/** Stores the relays' deliveries, so that a window of hours can be shown; every relay is asked once in five minutes. */
export const job = defineJob({
  id: "mev-poll",
  schedule: "*/5 * * * *",
  providers: [mevRelays],
  serves: ["/mev-flow"],
  at_start: true,
  deadline_ms: 30_000,
  runs_kept: 2,
  async run(context) {
    const asked = await Promise.all(
      RELAY_NAMES.map(async (relay) => ({ relay, outcome: await outcomeOf(fetchPayloads(context, relay)) })),
    );
    const told = asked.flatMap(({ relay, outcome }) => (outcome.ok ? [{ relay, payloads: outcome.value }] : []));
    if (told.length === 0) throw new Error("no relay answered");
    const oldest = Math.min(...told.flatMap(({ payloads }) => payloads.map(({ slot }) => slot)));
    const known = await context.table(mevBlocks).find({ where: { slot: { from: oldest } }, limit: 5_000 });
    const blocks = mergePayloads(told, known.map(toBlock));
    await context.table(mevBlocks).put(
      blocks.map((block) => ({
        ...block,
        value_wei: String(block.value_wei),
        relays: [...block.relays],
        slot_at_ms: timeOfSlot(block.slot),
      })),
    );
  },
});
