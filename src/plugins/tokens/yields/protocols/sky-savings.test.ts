import { expect, test } from "bun:test";
import { playContract } from "../../../../../test/helpers/play-contract.ts";
import { readers } from "./sky-savings.ts";

/** Signatures as in sky-ecosystem/sdai, SUsds.sol and EIP-4626. */
const SSR = "function ssr() view returns (uint256)";
const ASSETS = "function totalAssets() view returns (uint256)";
/** Rates as the governance's own spells write them (sky-ecosystem/spells-mainnet: the rate constants). */
const PUBLISHED: readonly (readonly [ray: bigint, yearly_pct: number])[] = [
  [1_000_000_000_627_937_192_491_029_810n, 2],
  [1_000_000_001_090_862_085_746_321_732n, 3.5],
  [1_000_000_001_243_680_656_318_820_312n, 4],
  [1_000_000_001_395_766_281_313_196_627n, 4.5],
  [1_000_000_001_847_694_957_439_350_562n, 6],
  [1_000_000_002_145_441_671_308_778_766n, 7],
];

test("Sky: a factor of each second is the yearly rate the governance set", () => {
  const [reader] = readers;
  if (!reader) throw new Error("no reader");
  const read = (ray: bigint | null) => reader.read(playContract(reader, { [SSR]: () => ray, [ASSETS]: () => 77n }));
  for (const [ray, yearly_pct] of PUBLISHED) expect(read(ray)?.rate_apy_pct).toBeCloseTo(yearly_pct, 9);
  expect(read(PUBLISHED[0]?.[0] ?? 0n)).toMatchObject({ locked: "77", rewards: [], share_price: null });
  for (const ray of [0n, null]) expect(read(ray)).toBeNull();
});
