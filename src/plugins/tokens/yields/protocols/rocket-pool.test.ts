import { expect, test } from "bun:test";
import { playContract } from "../../../../../test/helpers/play-contract.ts";
import { readers } from "./rocket-pool.ts";

/** Signature as in rocket-pool/rocketpool, RocketTokenRETH.sol; the rate is one from mainnet. */
const SIGNATURE = "function getExchangeRate() view returns (uint256)";
const SUPPLY = "function totalSupply() view returns (uint256)";

test("Rocket Pool: ether per token", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (price: bigint | null) =>
    reader.read(playContract(reader, { [SIGNATURE]: () => price, [SUPPLY]: () => 3n * 10n ** 18n }));
  expect(read(1_108_864_467_208_237_612n)).toMatchObject({
    share_price: 1.1088644672082375,
    locked: "3326593401624712836",
    rewards: [],
    rate_apy_pct: null,
  });
  for (const price of [0n, null]) expect(read(price)).toBeNull();
});
