import { createVaultReader } from "../share-price.ts";

/** A vault of DAI in Maker's savings rate (ERC-4626). */
export const readers = [
  createVaultReader({
    project: "maker-dsr",
    symbol: "sDAI",
    underlying: "DAI",
    contract: "0x83F20F44975D03b1b09e64809B757c47f942BEeA",
    is_stable: true,
  }),
];
