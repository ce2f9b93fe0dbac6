import { expect, test } from "bun:test";
import { playVault } from "../../../../../test/helpers/play-contract.ts";
import { readers } from "./maker-dsr.ts";

/** Made up. */
const RATE = 1_165_432_109_876_543_210n;

test("Maker: DAI a share is worth", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (worth: bigint | null, assets: bigint | null) => reader.read(playVault(reader, { worth, assets }));
  expect(read(RATE, 123_456_789n)).toMatchObject({
    share_price: expect.closeTo(1.165432109876, 11),
    locked: "123456789",
    rewards: [],
  });
  expect(read(RATE, null)).toMatchObject({ locked: null });
  for (const rate of [0n, null]) expect(read(rate, 1n)).toBeNull();
});
