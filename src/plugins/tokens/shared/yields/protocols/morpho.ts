import { createVaultReader } from "../share-price.ts";

/** A vault of USDC by Steakhouse on Morpho (ERC-4626); a share of 18 decimals is told in the 6 of USDC. */
export const readers = [
  createVaultReader({
    ...{ project: "morpho", symbol: "steakUSDC", underlying: "USDC" },
    contract: "0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB",
    decimals: 6,
    is_stable: true,
    pays_elsewhere: "MORPHO by Merkle roots",
  }),
];
