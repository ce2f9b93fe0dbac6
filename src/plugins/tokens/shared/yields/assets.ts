import { getOwn } from "intel-node";
import type { NamedPool } from "./protocol.ts";

/** Tokens that stand for another: whoever has that one can have them. */
const FORMS: Readonly<Record<string, string>> = { WETH: "ETH", stETH: "ETH", eETH: "ETH", frxETH: "ETH" };

type Held = Pick<NamedPool, "symbol" | "underlying">;

/** What somebody has to have to earn this, such as ETH of staked ether. */
export const assetOf = ({ underlying }: Pick<NamedPool, "underlying">): string =>
  getOwn(FORMS, underlying) ?? underlying;

/** Whether it is earned on an asset: named by itself, by the token that is lent, or by the share that is held. */
export const isOfAsset = (reader: Held, asset: string): boolean => {
  const name = asset.toUpperCase();
  return [assetOf(reader), reader.underlying, reader.symbol].some((one) => one.toUpperCase() === name);
};
