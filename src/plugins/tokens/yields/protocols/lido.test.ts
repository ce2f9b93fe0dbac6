import { expect, test } from "bun:test";
import { playContract } from "../../../../../test/helpers/play-contract.ts";
import { readers } from "./lido.ts";

/** Signature as in lidofinance/core, WstETH.sol; what it returns is made up. */
const SIGNATURE = "function stEthPerToken() view returns (uint256)";
const SUPPLY = "function totalSupply() view returns (uint256)";

test("Lido: stETH per token; it includes all earnings", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (price: bigint | null) =>
    reader.read(playContract(reader, { [SIGNATURE]: () => price, [SUPPLY]: () => 3n * 10n ** 18n }));
  expect(read(1_186_543_210_987_654_321n)).toMatchObject({
    share_price: 1.1865432109876544,
    locked: "3559629632962962963",
    rewards: [],
    rate_apy_pct: null,
  });
  for (const price of [0n, null]) expect(read(price)).toBeNull();
});
