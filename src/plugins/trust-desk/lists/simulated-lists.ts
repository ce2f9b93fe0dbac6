import type { SimulatedWorld } from "intel-node";
import { SIMULATED_LISTED_SOLANA_WALLET, SIMULATED_LISTED_WALLET } from "intel-node/providers/simulated-wallets";
import { getPublicListings } from "./public-listings.ts";
import type { SimulatedListing } from "./simulated-listing.ts";

/** What the sandbox's lists hold: public listings, and entries that say that they are simulated. */
const KNOWN: readonly SimulatedListing[] = [
  {
    id: 33151,
    type: "Entity",
    last: "SUEX OTC, S.R.O.",
    first: "",
    aliases: [{ name: "SUCCESSFUL EXCHANGE", is_weak: false }],
    wallets: [{ currency: "XBT", address: "1B64QRxfaa35MVkf7sDjuGUYAP5izQt7Qi" }],
    program: "CYBER2",
    born: "",
  },
  {
    id: 48603,
    type: "Individual",
    last: "KHOROSHEV",
    first: "Dmitry Yuryevich",
    aliases: [
      { name: "ХОРОШЕВ, Дмитрий Юрьевич", is_weak: false },
      { name: "LOCKBITSUPP", is_weak: true },
    ],
    wallets: [
      { currency: "ETH", address: SIMULATED_LISTED_WALLET },
      { currency: "SOL", address: SIMULATED_LISTED_SOLANA_WALLET },
    ],
    program: "CYBER2",
    born: "17 Apr 1993",
  },
  {
    id: 306,
    type: "Entity",
    last: "BANCO NACIONAL DE CUBA",
    first: "",
    wallets: [],
    program: "CUBA",
    born: "",
    aliases: [{ name: "BNC", is_weak: true }],
  },
  {
    id: 36,
    type: "Entity",
    last: "AEROCARIBBEAN AIRLINES",
    first: "",
    wallets: [],
    program: "CUBA",
    born: "",
    aliases: [{ name: "AERO-CARIBBEAN", is_weak: false }],
  },
];
const INVENTED = 60;

/** The lists overlap, as the real ones do; each also has its own entries. */
export function getSimulatedListings(list: string): readonly SimulatedListing[] {
  const invented = Array.from(
    { length: INVENTED },
    (_, index): SimulatedListing => ({
      id: 90_000 + index,
      type: "Entity",
      last: `SIMULATED ${list.toUpperCase()} HOLDING ${index + 1}`,
      first: "",
      aliases: [],
      wallets: [],
      program: "SIMULATED",
      born: "",
    }),
  );
  return [...KNOWN, ...getPublicListings(list), ...invented];
}

export const dayOf = (world: SimulatedWorld): string => new Date(world.now()).toISOString().slice(0, 10);

export const escapeXML = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
