import { getOwn } from "intel-node";
import type { NamedPool } from "./protocol.ts";

/** Tokens that represent another one, which converts into them. */
const FORMS: Readonly<Record<string, string>> = { WETH: "ETH", stETH: "ETH", eETH: "ETH", frxETH: "ETH" };

type Held = Pick<NamedPool, "symbol" | "underlying">;

/** The asset needed to earn this, such as ETH for staked ether. */
export const assetOf = ({ underlying }: Pick<NamedPool, "underlying">): string =>
  getOwn(FORMS, underlying) ?? underlying;

/** Whether it is earned on an asset: named directly, by the token that is lent, or by the share that is held. */
export const isOfAsset = (reader: Held, asset: string): boolean => {
  const name = asset.toUpperCase();
  return [assetOf(reader), reader.underlying, reader.symbol].some((one) => one.toUpperCase() === name);
};
