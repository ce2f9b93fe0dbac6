import { expect, test } from "bun:test";
import { playVault } from "../../../../../test/helpers/play-contract.ts";
import { readers } from "./fluid.ts";

/** 6 decimals of a share: Instadapp/fluid-contracts-public, fToken.sol takes those of its asset. Rates are made up. */
const [THEN, NOW] = [1_101_234_000_000n, 1_101_345_000_000n];

test("Fluid: what a share is worth grows by what is earned; FLUID beside it is unknown, never none", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (worth: bigint | null, assets: bigint | null) =>
    reader.read(playVault(reader, { worth, of_shares: 10n ** 12n, assets }));
  expect(read(NOW, 123_456_789n)).toMatchObject({ share_price: 1.101345, locked: "123456789", rewards: null });
  expect((read(NOW, 1n)?.share_price ?? 0) / (read(THEN, 1n)?.share_price ?? 1)).toBeCloseTo(1.101345 / 1.101234, 12);
  for (const rate of [0n, null]) expect(read(rate, 1n)).toBeNull();
  expect(readers.map(({ chain, symbol }) => `${chain} ${symbol}`)).toEqual([
    ...["ethereum fUSDC", "base fUSDC", "arbitrum fUSDC", "base fWETH"],
  ]);
});
