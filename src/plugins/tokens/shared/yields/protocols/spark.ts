import { NATIVE, USDC } from "intel-node/providers/dex-tokens";
import { createAaveReaders } from "../aave-market.ts";

/** SparkLend is a fork of Aave's v3. */
export const readers = createAaveReaders(
  { project: "spark", chain: "ethereum", pool: "0xC13e21B648A5Ee794902342038FF3aDAB66BE987" },
  { USDC: USDC.ethereum, WETH: NATIVE.ethereum.address },
);
