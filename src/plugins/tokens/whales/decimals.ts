import { findIssuerToken } from "intel-node/providers/issuer-tokens";
import { NATIVE_TOKEN } from "./scan-native.ts";
import type { TransferRow } from "./tables.ts";

const SATOSHI_DECIMALS = 8;
const WEI_DECIMALS = 18;

/** Places of what a row moves; null for a token that is in no table of this node any more. */
export function findDecimals({ chain, token }: Pick<TransferRow, "chain" | "token">): number | null {
  if (chain === "bitcoin") return SATOSHI_DECIMALS;
  return token === NATIVE_TOKEN ? WEI_DECIMALS : (findIssuerToken(chain, token)?.decimals ?? null);
}
