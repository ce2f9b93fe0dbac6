import { type FetchContext, type Outcome, outcomeOf } from "intel-node";
import { evmRpc } from "intel-node/providers/evm-rpc/provider";
import {
  type AddressFlags,
  FLAG_CHAINS,
  type FlagChain,
  fetchAddressFlags,
} from "intel-node/providers/evm-rpc/wallet-views";
import { rememberAdverse } from "./adverse.ts";

/** What contracts on Ethereum and Base say of an address; null for a chain that could not be asked. */
export type ChainFlags = Readonly<Record<FlagChain, AddressFlags | null>>;

const NOTHING_SAID = { block_at_ms: 0, is_sanctioned: null, frozen: {} };

/** What a chain says now; where it is silent, what it said that was adverse within the last 24 hours. */
async function askChain(context: FetchContext, chain: FlagChain, address: string): Promise<AddressFlags | null> {
  const asked: Outcome<AddressFlags> | null = context.usable(evmRpc)
    ? await outcomeOf(fetchAddressFlags(context, { chain, address }))
    : null;
  const said = asked?.ok ? asked.value : null;
  const subject = `${chain} ${address.toLowerCase()}`;
  const oracle = said?.is_sanctioned ?? null;
  const listed = await rememberAdverse(context, {
    subject,
    source: "oracle",
    said: oracle === null ? null : oracle ? ["sanctioned"] : [],
  });
  const frozen: Record<string, boolean | null> = { ...said?.frozen };
  for (const token of chain === "ethereum" ? ["USDC", "USDT"] : ["USDC"]) {
    const is_frozen = frozen[token] ?? null;
    const known = await rememberAdverse(context, {
      subject,
      source: token,
      said: is_frozen === null ? null : is_frozen ? ["frozen"] : [],
    });
    if (is_frozen === null && known.length > 0) frozen[token] = true;
  }
  if (said === null && listed.length === 0 && Object.keys(frozen).length === 0) return null;
  return { ...NOTHING_SAID, ...said, chain, frozen, is_sanctioned: listed.length > 0 ? true : oracle };
}

/** Asks both chains; never fails, what is not known is null. */
export async function fetchChainFlags(context: FetchContext, address: string): Promise<ChainFlags> {
  const [ethereum = null, base = null] = await Promise.all(
    FLAG_CHAINS.map((chain) => askChain(context, chain, address)),
  );
  return { ethereum, base };
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
