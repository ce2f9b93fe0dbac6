import { createShareReader } from "../share-price.ts";

/** stEthPerToken() of wstETH; all that stETH earns is in it. */
export const readers = [
  createShareReader({
    project: "lido",
    symbol: "wstETH",
    underlying: "stETH",
    contract: "0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0",
    data: "0x035faf82",
  }),
];
