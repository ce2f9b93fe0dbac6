import { getOwn } from "../core/own.ts";
import { CHAIN_NAMES } from "./names.ts";
import { KNOWN_NETWORKS } from "./rows.ts";
import type { KnownAsset, KnownNetwork } from "./types.ts";

const BY_ID = new Map(KNOWN_NETWORKS.flatMap((one) => [one.id, ...one.aliases].map((id) => [id, one] as const)));

const otherNames = ({ name }: KnownNetwork): readonly string[] =>
  getOwn(CHAIN_NAMES as Readonly<Record<string, readonly string[]>>, name) ?? [];

/** Names of any kind; ids among them in lower case, because people type them so. */
const BY_NAME = new Map(
  KNOWN_NETWORKS.flatMap((network) => {
    const { id, aliases, name, v1_name, chain_id } = network;
    const names = [name, ...(v1_name === null ? [] : [v1_name]), ...otherNames(network)];
    const numbers = chain_id === null ? [] : [String(chain_id)];
    return [...names, ...numbers, ...[id, ...aliases].map((one) => one.toLowerCase())].map(
      (text) => [text, network] as const,
    );
  }),
);

/** The network an id means, in whichever of its spellings: CAIP-2, or Algorand's whole genesis hash. */
export const findNetworkById = (id: string): KnownNetwork | undefined => BY_ID.get(id);

/**
 * The network a text means: an id in any spelling, a name of x402 version 1, a plain name, or the number of an EVM
 * chain. Letter case, spaces and underscores do not matter: "Base Sepolia", base_sepolia, eip155:84532, 84532.
 */
export const findNetwork = (text: string): KnownNetwork | undefined =>
  BY_ID.get(text) ?? BY_NAME.get(text.trim().toLowerCase()) ?? BY_NAME.get(toName(text));

const toName = (text: string): string => text.trim().toLowerCase().replaceAll(/[ _]/g, "-");

/** What a network's assets are called on the wire: hex addresses are written in either case, nothing else is. */
export const isSameAsset = (one: string, other: string): boolean =>
  one === other || (one.startsWith("0x") && one.toLowerCase() === other.toLowerCase());

/** A known asset of a network, by its address and the network in any spelling; undefined for what nobody knows. */
export const findAsset = (network: string, asset: string): KnownAsset | undefined =>
  findNetwork(network)?.assets.find((one) => isSameAsset(one.asset, asset));

/** Circle's own USDC on a network, in any spelling; undefined where Circle issues none. */
export const findUSDC = (network: string): KnownAsset | undefined =>
  findNetwork(network)?.assets.find(({ symbol, is_circle }) => is_circle && symbol === "USDC");

/** A network that must be known, because our own code names it. @throws Error for one that is not. */
export function requireNetwork(text: string): KnownNetwork {
  const network = findNetwork(text);
  if (network === undefined) throw new Error(`no network is called "${text}"`);
  return network;
}

/** The address of an asset that must be known, because our own code names it. @throws Error for one that is not. */
export function requireAsset(network: string, symbol: string): string {
  const found = requireNetwork(network).assets.find((one) => one.symbol === symbol);
  if (found === undefined) throw new Error(`no ${symbol} is known on "${network}"`);
  return found.asset;
}

/** The number of an EVM chain that must be known. @throws Error for one that is not, or has no number. */
export function requireChainId(chain: string): number {
  const { chain_id } = requireNetwork(chain);
  if (chain_id === null) throw new Error(`"${chain}" has no number`);
  return chain_id;
}
