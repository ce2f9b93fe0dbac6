import { expect, test } from "bun:test";
import { assetOf, isOfAsset } from "./assets.ts";
import { YIELD_READERS } from "./readers.ts";

test("an asset is named directly, by the token that is lent or by the share that is held", () => {
  const lido = YIELD_READERS.find(({ project }) => project === "lido");
  if (!lido) throw new Error("no reader");
  expect(assetOf(lido)).toBe("ETH");
  for (const name of ["eth", "STETH", "wsteth"]) expect(isOfAsset(lido, name)).toBe(true);
  for (const name of ["WETH", "USDC", "st"]) expect(isOfAsset(lido, name)).toBe(false);
});

test("every asset is one of a few, and dollars on Base are lent in at least seven places", () => {
  expect(new Set(YIELD_READERS.map(assetOf))).toEqual(new Set(["USDC", "USDT", "DAI", "USDS", "USDe", "ETH", "SOL"]));
  const dollars = YIELD_READERS.filter((one) => one.chain === "base" && isOfAsset(one, "USDC"));
  expect(dollars.map(({ id }) => id).toSorted()).toEqual([
    ...["aave-v3-usdc-base", "compound-v3-usdc-base", "fluid-fusdc-base", "moonwell-usdc-base"],
    ...["morpho-gtusdcp-base", "morpho-mwusdc-base", "morpho-sparkusdc-base", "morpho-steakusdc-base"],
  ]);
});
