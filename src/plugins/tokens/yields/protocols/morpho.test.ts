import { expect, test } from "bun:test";
import { playVault } from "../../../../../test/helpers/play-contract.ts";
import { readers } from "./morpho.ts";

/** 18 decimals of a share: morpho-org, blue-sdk (steakUSDC, decimalsOffset 12). */
const RATE = 1_101_234n;

test("Morpho: a share of 18 decimals in the 6 of USDC; MORPHO beside it is unknown, never none", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (worth: bigint | null, assets: bigint | null) => reader.read(playVault(reader, { worth, assets }));
  expect(read(RATE, 123_456_789n)).toMatchObject({
    share_price: expect.closeTo(1.101234e-12, 20),
    locked: "123456789",
    rewards: null,
  });
  expect(read(RATE, null)).toMatchObject({ locked: null });
  for (const rate of [0n, null]) expect(read(rate, 1n)).toBeNull();
  // A millionth of a dollar on a million shares still shows.
  const raise = read(RATE, 1n)?.share_price ?? 0;
  const finer = reader.read(playVault(reader, { worth: 1_101_234_000_001n, of_shares: 10n ** 24n, assets: 1n }));
  expect(finer?.share_price).toBeGreaterThan(raise);
  expect(reader).toMatchObject({ underlying: "USDC", decimals: 6 });
});
