import { createShareReader } from "../share-price.ts";

/** getExchangeRate() of rETH; RPL is paid to who runs nodes, not to who holds rETH. */
export const readers = [
  createShareReader({
    project: "rocket-pool",
    symbol: "rETH",
    underlying: "ETH",
    contract: "0xae78736Cd615f374D3085123A210448E74Fc6393",
    data: "0xe6aa216c",
  }),
];
