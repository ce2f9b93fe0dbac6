import { expect, test } from "bun:test";
import { playVault } from "../../../../../test/helpers/play-contract.ts";
import { readers } from "./ethena.ts";

/** Made up. */
const RATE = 1_203_456_789_012_345_678n;

test("Ethena: USDe a share is worth; points beside it are unknown, never none", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (worth: bigint | null, assets: bigint | null) => reader.read(playVault(reader, { worth, assets }));
  expect(read(RATE, 123_456_789n)).toMatchObject({
    share_price: expect.closeTo(1.203456789012, 12),
    locked: "123456789",
    rewards: null,
  });
  expect(read(RATE, null)).toMatchObject({ locked: null });
  for (const rate of [0n, null]) expect(read(rate, 1n)).toBeNull();
});
