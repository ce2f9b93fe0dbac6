import { expect, test } from "bun:test";
import type { ChannelTotals } from "../../ledger/channel-rows.ts";
import { findChannels } from "./channel-conditions.ts";

const TOTALS: ChannelTotals = {
  network: "eip155:8453",
  channels: 1,
  owed: 0n,
  earned: 5_000n,
  unclaimed: 5_000n,
  unswept: 0n,
  swept: 0n,
  lost: 0n,
  withdrawing: 0,
};
const idsOf = (totals: Partial<ChannelTotals>, times: number) =>
  findChannels([{ ...TOTALS, ...totals }], { times, why: "gas" }).map(({ id }) => id);

test("a claim that failed twice is reported, one that failed once is not", () => {
  expect(idsOf({}, 1)).toEqual([]);
  expect(idsOf({}, 2)).toEqual(["channels:claim"]);
});

test("a withdrawal is reported while something is unclaimed", () => {
  expect(idsOf({ withdrawing: 1 }, 0)).toEqual(["channels:withdrawal"]);
  expect(idsOf({ withdrawing: 1, unclaimed: 0n }, 0)).toEqual([]);
});
