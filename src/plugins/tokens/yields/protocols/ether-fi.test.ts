import { expect, test } from "bun:test";
import { playContract } from "../../../../../test/helpers/play-contract.ts";
import { annualise } from "../protocol.ts";
import { readers } from "./ether-fi.ts";

/** Signature as in etherfi-protocol/smart-contracts, WeETH.sol; both rates were read on mainnet, 30 days apart. */
const SIGNATURE = "function getRate() view returns (uint256)";
const SUPPLY = "function totalSupply() view returns (uint256)";

test("ether.fi: eETH per token; rewards by Merkle roots are unknown, never zero", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (price: bigint | null) =>
    reader.read(playContract(reader, { [SIGNATURE]: () => price, [SUPPLY]: () => 3n * 10n ** 18n }));
  expect(read(1_100_658_406_000_000_000n)).toMatchObject({
    share_price: 1.100658406,
    locked: "3301975218000000000",
    rewards: null,
    rate_apy_pct: null,
  });
  for (const price of [0n, null]) expect(read(price)).toBeNull();
  // Published with the rates: about 0.67 basis points a day, 2.4 % a year without compounding.
  const [then, now] = [read(1_098_451_976_000_000_000n), read(1_100_658_406_000_000_000n)].map(
    (one) => one?.share_price ?? 0,
  );
  const apy_pct = annualise(now ?? 0, then ?? 0, 30);
  expect(365 * Math.log1p(apy_pct / 100) * (100 / 365)).toBeCloseTo(2.44, 2);
});
