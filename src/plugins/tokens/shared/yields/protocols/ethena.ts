import { createShareReader } from "../share-price.ts";

/** A vault of USDe (ERC-4626). */
export const readers = [
  createShareReader({
    project: "ethena",
    symbol: "sUSDe",
    contract: "0x9D39A5DE30e57443BfF2A8307A4256c8797A3497",
    is_stable: true,
  }),
];
