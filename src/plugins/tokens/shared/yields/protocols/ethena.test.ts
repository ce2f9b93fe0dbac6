import { expect, test } from "bun:test";
import { playContract } from "../../../../../../test/helpers/play-contract.ts";
import { readers } from "./ethena.ts";

/** Signatures as in EIP-4626; what it returns is made up. */
const RATE = 1_203_456_789_012_345_678n;
const CONVERT = "function convertToAssets(uint256 shares) view returns (uint256)";
const ASSETS = "function totalAssets() view returns (uint256)";

test("Ethena: USDe a share is worth; points beside it are unknown, never none", () => {
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
    share_price: expect.closeTo(1.203456789012, 12),
    locked: "123456789",
    rewards: null,
  });
  expect(read(RATE, null)).toMatchObject({ locked: null });
  for (const rate of [0n, null]) expect(read(rate, 1n)).toBeNull();
});
