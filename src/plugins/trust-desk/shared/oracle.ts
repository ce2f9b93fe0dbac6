import type { FetchContext, Outcome } from "intel-node";
import { outcomeOf } from "intel-node";
import { evmRpc } from "../../../upstream/providers/evm-rpc/provider.ts";
import {
  type AddressFlags,
  FLAG_CHAINS,
  type FlagChain,
  fetchAddressFlags,
} from "../../../upstream/providers/evm-rpc/wallet-views.ts";

/** What contracts on Ethereum and Base say of an address; null for a chain that could not be asked. */
export type ChainFlags = Readonly<Record<FlagChain, AddressFlags | null>>;

const asked = async (
  context: FetchContext,
  chain: FlagChain,
  address: string,
): Promise<Outcome<AddressFlags> | null> =>
  context.usable(evmRpc) ? outcomeOf(fetchAddressFlags(context, { chain, address })) : null;

/** Asks both chains; never fails, what is not known is null. */
export async function fetchChainFlags(context: FetchContext, address: string): Promise<ChainFlags> {
  const [ethereum, base] = await Promise.all(FLAG_CHAINS.map((chain) => asked(context, chain, address)));
  return { ethereum: ethereum?.ok ? ethereum.value : null, base: base?.ok ? base.value : null };
}

/**
 * Whether the oracle lists an address: true when it does on either chain, false only when both say no, else null.
 */
export function isOracleListed(flags: ChainFlags): boolean | null {
  const said = FLAG_CHAINS.map((chain) => flags[chain]?.is_sanctioned ?? null);
  return said.includes(true) ? true : said.includes(null) ? null : false;
}

/** Tokens whose issuer has frozen the address; null when not every one of them could be asked. */
export function listFrozen(flags: ChainFlags): { readonly tokens: readonly string[]; readonly is_whole: boolean } {
  const said = FLAG_CHAINS.flatMap((chain) =>
    Object.entries(flags[chain]?.frozen ?? { any: null }).map(([token, is_frozen]) => ({ chain, token, is_frozen })),
  );
  return {
    tokens: said.filter(({ is_frozen }) => is_frozen === true).map(({ chain, token }) => `${token} on ${chain}`),
    is_whole: said.every(({ is_frozen }) => is_frozen !== null),
  };
}
