import { createVaultReader } from "../share-price.ts";

const PAID = { project: "morpho", pays_elsewhere: "MORPHO by Merkle roots" };
const USDC = { ...PAID, underlying: "USDC", decimals: 6, is_stable: true };

/** Vaults on Morpho (ERC-4626) by their curators; a share of 18 decimals is priced in the 6 of USDC. */
export const readers = [
  createVaultReader({ ...USDC, symbol: "steakUSDC", contract: "0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB" }),
  ...(
    [
      ["steakUSDC", "0xbeeF010f9cb27031ad51e3333f9aF9C6B1228183"],
      ["gtUSDCp", "0xeE8F4eC5672F09119b96Ab6fB59C27E1b7e44b61"],
      ["mwUSDC", "0xc1256Ae5FF1cf2719D4937adb3bbCCab2E00A2Ca"],
      ["sparkUSDC", "0x7BfA7C4f149E7415b73bdeDfe609237e29CBF34A"],
    ] as const
  ).map(([symbol, contract]) => createVaultReader({ ...USDC, chain: "base", symbol, contract })),
  createVaultReader({
    ...PAID,
    chain: "base",
    symbol: "mwETH",
    underlying: "WETH",
    contract: "0xa0E430870c4604CcfC7B38Ca7845B1FF653D0ff1",
  }),
];
