import { createShareReader } from "../share-price.ts";

/** getRate() of weETH: eETH per token. */
export const readers = [
  createShareReader({
    project: "ether-fi",
    symbol: "weETH",
    underlying: "eETH",
    contract: "0xCd5fE23C85820F7B72D0926FC9b05b43E359b7ee",
    data: "0x679aefce",
    pays_elsewhere: "tokens by Merkle roots",
  }),
];
