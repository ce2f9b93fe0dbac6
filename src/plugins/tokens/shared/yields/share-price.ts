import { type ContractReader, encodeArgument, NOTHING, toNumber } from "./protocol.ts";

const WAD = 1e18;
/** convertToAssets(uint256) of ERC-4626, asked of one share. */
export const CONVERT_TO_ASSETS = `0x07a2d13a${encodeArgument("0xde0b6b3a7640000")}`;

/** A token whose contract says what a share is worth, in 18 decimals. */
export const createShareReader = ({
  project,
  symbol,
  contract,
  data = CONVERT_TO_ASSETS,
  is_stable = false,
}: {
  readonly project: string;
  readonly symbol: string;
  readonly contract: string;
  readonly data?: string;
  readonly is_stable?: boolean;
}): ContractReader => ({
  ...{ project, symbol, contract, is_stable, chain: "ethereum" },
  views: [{ to: contract, data }],
  read([words]) {
    const price = toNumber(words?.[0]);
    return price === null || price === 0n ? null : { ...NOTHING, share_price: Number(price) / WAD };
  },
});
