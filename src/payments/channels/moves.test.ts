import { afterEach, describe, expect, test } from "bun:test";
import { addChannels } from "../../../test/helpers/sample-channels.ts";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { type Ledger, openLedger } from "../../ledger/ledger.ts";
import { createMoves } from "./moves.ts";

let opened: Ledger | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

/** A ledger with a channel whose deposit's outcome is not known, its time being over for long. */
async function createBench(rpc_urls: readonly string[]) {
  const clock = createStillClock();
  const ledger = openLedger({ file: ":memory:", clock });
  opened = ledger;
  await addChannels(ledger);
  const [move] = await ledger.channels.openMoves(10);
  if (!move) throw new Error("a deposit is open");
  await ledger.channels.end(move.id, { state: "unknown", reason: "timed out", chain_transaction: null });
  const alarms: Readonly<Record<string, unknown>>[] = [];
  const parts = { ledger, clock, rpc_urls: () => rpc_urls, log: () => undefined, alarm: alarms.push.bind(alarms) };
  const moves = createMoves(parts as unknown as Parameters<typeof createMoves>[0]);
  return { ledger, moves, alarms, move };
}

describe("a deposit of unknown outcome that can land no more", () => {
  test("is given up where no chain can be asked, and nothing was charged for it", async () => {
    const { ledger, moves, alarms, move } = await createBench([]);
    await moves.resolveAll();
    expect(await ledger.channels.move(move.id)).toMatchObject({ state: "failed" });
    expect(alarms).toMatchObject([{ event: "channel_deposit_given_up", channel: move.channel }]);
    expect(await ledger.channels.openMoves(10)).toEqual([]);
    expect((await ledger.audit()).findings).toEqual([]);
  });

  test("waits for a chain that is silent for now", async () => {
    const { ledger, moves, move } = await createBench(["http://127.0.0.1:9"]);
    await moves.resolveAll();
    expect(await ledger.channels.move(move.id)).toMatchObject({ state: "unknown" });
  });
});
