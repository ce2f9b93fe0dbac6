import { expect, test } from "bun:test";
import { playContract } from "../../../../../test/helpers/play-contract.ts";
import { readers } from "./coinbase-cbeth.ts";

/** Signature as in coinbase/wrapped-tokens-os, StakedTokenV1.sol; what it returns is made up. */
const SIGNATURE = "function exchangeRate() view returns (uint256)";
const SUPPLY = "function totalSupply() view returns (uint256)";

test("Coinbase: ether per token, as its issuer reports it", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (price: bigint | null) =>
    reader.read(playContract(reader, { [SIGNATURE]: () => price, [SUPPLY]: () => 3n * 10n ** 18n }));
  expect(read(1_098_765_432_109_876_543n)).toMatchObject({
    share_price: 1.0987654321098765,
    locked: "3296296296329629629",
    rewards: [],
    rate_apy_pct: null,
  });
  for (const price of [0n, null]) expect(read(price)).toBeNull();
});
