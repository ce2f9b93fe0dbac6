import { createShareReader } from "../share-price.ts";

/** exchangeRate() of cbETH, as its issuer reports it. */
export const readers = [
  createShareReader({
    project: "coinbase-cbeth",
    symbol: "cbETH",
    underlying: "ETH",
    contract: "0xBe9895146f7AF43049ca1c1AE358B0541Ea49704",
    data: "0x3ba0b9a9",
  }),
];
