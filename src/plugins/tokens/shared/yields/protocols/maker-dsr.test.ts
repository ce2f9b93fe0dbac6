import { expect, test } from "bun:test";
import { playContract } from "../../../../../../test/helpers/play-contract.ts";
import { readers } from "./maker-dsr.ts";

/** Signatures as in EIP-4626; what it returns is made up. */
const RATE = 1_165_432_109_876_543_210n;
const CONVERT = "function convertToAssets(uint256 shares) view returns (uint256)";
const ASSETS = "function totalAssets() view returns (uint256)";

test("Maker: DAI a share is worth", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (rate: bigint | null, assets: bigint | null) =>
    reader.read(
      playContract(reader, {
        [CONVERT]: ([shares]) => (rate === null ? null : (BigInt(String(shares)) * rate) / 10n ** 18n),
        [ASSETS]: () => assets,
      }),
    );
  expect(read(RATE, 123_456_789n)).toMatchObject({
    share_price: expect.closeTo(1.165432109876, 11),
    locked: "123456789",
    rewards: [],
  });
  expect(read(RATE, null)).toMatchObject({ locked: null });
  for (const rate of [0n, null]) expect(read(rate, 1n)).toBeNull();
});
