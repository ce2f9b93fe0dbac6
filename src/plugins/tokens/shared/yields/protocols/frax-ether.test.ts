import { expect, test } from "bun:test";
import { playContract } from "../../../../../../test/helpers/play-contract.ts";
import { readers } from "./frax-ether.ts";

/**
 * Signatures as in EIP-4626; the rate is that of mainnet at block 15868474 (mkflow27/metastable-rate-providers,
 * test/ERC4626RateProviderFork.test.ts).
 */
const RATE = 1_001_216_513_304_948_175n;
const CONVERT = "function convertToAssets(uint256 shares) view returns (uint256)";
const ASSETS = "function totalAssets() view returns (uint256)";

test("Frax: frxETH a share is worth", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (rate: bigint | null, assets: bigint | null) =>
    reader.read(
      playContract(reader, {
        [CONVERT]: ([shares]) => (rate === null ? null : (BigInt(String(shares)) * rate) / 10n ** 18n),
        [ASSETS]: () => assets,
      }),
    );
  expect(read(RATE, 123_456_789n)).toMatchObject({ share_price: 1.0012165133049482, locked: "123456789", rewards: [] });
  expect(read(RATE, null)).toMatchObject({ locked: null });
  for (const rate of [0n, null]) expect(read(rate, 1n)).toBeNull();
});
