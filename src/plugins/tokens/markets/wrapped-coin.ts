import { DEX_TOKENS, NATIVE } from "intel-node/providers/dex-tokens";
import { foldAddress } from "intel-node/providers/issuer-tokens";
import type { Subject } from "../facts/subject.ts";

/** The coin that a token represents one to one, such as SOL for its wrapped form; null for any other token. */
export function findWrappedCoin({ chain, address }: Subject): string | null {
  const isSame = (other: string): boolean => foldAddress(chain, other) === foldAddress(chain, address);
  if (isSame(NATIVE[chain].address)) return chain === "solana" ? "SOL" : "ETH";
  const listed = DEX_TOKENS[chain].find((token) => isSame(token.address));
  return listed && listed.wrapper !== listed.asset ? listed.asset : null;
}
