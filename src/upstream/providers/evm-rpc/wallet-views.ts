import type { FetchContext } from "../../../catalog/context.ts";
import { USDC } from "../dex-tokens.ts";
import { encodeAddress, fetchViews, type ViewCall } from "./multicall.ts";

/** balanceOf(address) of ERC-20. */
export const BALANCE_OF = "0x70a08231";
/** isSanctioned(address) of the Chainalysis sanctions oracle. */
export const IS_SANCTIONED = "0xdf592f7d";
/** isBlacklisted(address) of USDC. */
export const IS_BLACKLISTED = "0xfe575a87";
/** isBlackListed(address) of USDT. */
export const IS_BLACK_LISTED = "0xe47d6060";
/** getUserAccountData(address) of Aave v3's pool: collateral and debt (USD, 8 decimals), …, health factor (18). */
export const ACCOUNT_DATA = "0xbf92857c";

/** go.chainalysis.com/chainalysis-oracle-docs.html */
const ORACLES: Readonly<Record<string, string>> = {
  ethereum: "0x40C57923924B5c5c5455c48D93317139ADDaC8fb",
  base: "0x3A91A31cB3dC49b4db9Ce721F50a9D076c8D739B",
};
const USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
/** Aave v3 pools, aave-address-book. */
export const AAVE_POOLS: Readonly<Record<string, string>> = {
  ethereum: "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2",
  base: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5",
};
const AGE_MAX_MS = 600_000;
const TTL_MS = 15_000;

/** A word that is no boolean (a contract without code answers nothing at all) is unknown, never "no". */
const toFlag = (words: readonly string[] | null | undefined): boolean | null => {
  const [word] = words ?? [];
  if (word === undefined || words?.length !== 1) return null;
  const value = BigInt(`0x${word}`);
  return value === 0n ? false : value === 1n ? true : null;
};

/** What contracts say of an address; null where a contract gave no usable answer. */
export interface AddressFlags {
  readonly chain: string;
  readonly block_at_ms: number;
  /** The Chainalysis oracle; it covers US, EU and UN lists, not the UK's. */
  readonly is_sanctioned: boolean | null;
  /** By token: whether its issuer has frozen the address. */
  readonly frozen: Readonly<Record<string, boolean | null>>;
}

export const FLAG_CHAINS = ["ethereum", "base"] as const;
export type FlagChain = (typeof FLAG_CHAINS)[number];

/**
 * Asks the sanctions oracle and the issuers of USDC and USDT about an address, on one chain at one block.
 * @throws UpstreamError
 */
export async function fetchAddressFlags(
  context: Pick<FetchContext, "get" | "now_ms">,
  { chain, address }: { readonly chain: FlagChain; readonly address: string },
): Promise<AddressFlags> {
  const argument = encodeAddress(address);
  const views: ViewCall[] = [
    { to: ORACLES[chain] ?? "", data: IS_SANCTIONED + argument },
    { to: USDC[chain], data: IS_BLACKLISTED + argument },
    ...(chain === "ethereum" ? [{ to: USDT, data: IS_BLACK_LISTED + argument }] : []),
  ];
  const { block_at_ms, results } = await fetchViews(context, { chain, views, ttl_ms: TTL_MS, age_max_ms: AGE_MAX_MS });
  const [oracle, usdc, usdt] = results.map(toFlag);
  return {
    chain,
    block_at_ms,
    is_sanctioned: oracle ?? null,
    frozen: { USDC: usdc ?? null, ...(chain === "ethereum" ? { USDT: usdt ?? null } : {}) },
  };
}
