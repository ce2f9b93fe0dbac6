import type { NetworkFamily } from "../types.ts";
import { algorandFamily } from "./algorand/index.ts";
import { evmFamily } from "./evm/index.ts";
import { solanaFamily } from "./solana/index.ts";
import type { Network } from "./table.ts";

const FAMILIES: Partial<Record<Network["wallet"], NetworkFamily>> = {
  base: evmFamily,
  solana: solanaFamily,
  algorand: algorandFamily,
};

/** @throws Error for a network in the table whose family is not built in; the start checks this. */
export function familyOf(network: Network): NetworkFamily {
  const family = FAMILIES[network.wallet];
  if (!family) throw new Error(`no code for ${network.title} in this version`);
  return family;
}
