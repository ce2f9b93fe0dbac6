import { createVaultReader } from "../share-price.ts";

/** A vault of USDe (ERC-4626). */
export const readers = [
  createVaultReader({
    project: "ethena",
    symbol: "sUSDe",
    underlying: "USDe",
    contract: "0x9D39A5DE30e57443BfF2A8307A4256c8797A3497",
    is_stable: true,
    pays_elsewhere: "points",
  }),
];
