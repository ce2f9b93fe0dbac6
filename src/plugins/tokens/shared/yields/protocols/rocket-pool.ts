import { createShareReader } from "../share-price.ts";

/** getExchangeRate() of rETH. */
export const readers = [
  createShareReader({
    project: "rocket-pool",
    symbol: "rETH",
    contract: "0xae78736Cd615f374D3085123A210448E74Fc6393",
    data: "0xe6aa216c",
  }),
];
