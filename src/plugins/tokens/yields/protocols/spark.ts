import { NATIVE, USDC } from "intel-node/providers/dex-tokens";
import { createAaveReaders } from "../aave-market.ts";

/** SparkLend is a fork of Aave's v3 (sparkdotfi/spark-address-registry). */
export const readers = createAaveReaders(
  {
    project: "spark",
    chain: "ethereum",
    pool: "0xC13e21B648A5Ee794902342038FF3aDAB66BE987",
    controller: "0x4370D3b6C9588E02ce9D22e684387859c7Ff5b34",
  },
  { USDC: USDC.ethereum, WETH: NATIVE.ethereum.address },
);
