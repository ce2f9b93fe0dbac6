import { createVaultReader } from "../share-price.ts";

/** A vault of frxETH (ERC-4626). */
export const readers = [
  createVaultReader({
    project: "frax-ether",
    symbol: "sfrxETH",
    underlying: "frxETH",
    contract: "0xac3E018457B222d93114458476f3E3416Abbe38F",
  }),
];
