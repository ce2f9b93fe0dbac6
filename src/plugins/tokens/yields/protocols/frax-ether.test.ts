import { expect, test } from "bun:test";
import { playVault } from "../../../../../test/helpers/play-contract.ts";
import { readers } from "./frax-ether.ts";

/**
 * The rate is that of mainnet at block 15868474 (mkflow27/metastable-rate-providers,
 * test/ERC4626RateProviderFork.test.ts).
 */
const RATE = 1_001_216_513_304_948_175n;

test("Frax: frxETH a share is worth", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (worth: bigint | null, assets: bigint | null) => reader.read(playVault(reader, { worth, assets }));
  expect(read(RATE, 123_456_789n)).toMatchObject({ share_price: 1.0012165133049482, locked: "123456789", rewards: [] });
  expect(read(RATE, null)).toMatchObject({ locked: null });
  for (const rate of [0n, null]) expect(read(rate, 1n)).toBeNull();
});
