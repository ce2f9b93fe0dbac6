import { defineProvider } from "intel-node";

/** Relays of MEV-Boost by name. They speak one interface; its specification is public domain. */
export const RELAYS = {
  flashbots: "https://boost-relay.flashbots.net",
  ultrasound: "https://relay.ultrasound.money",
  agnostic: "https://agnostic-relay.net",
  bloxroute_max_profit: "https://bloxroute.max-profit.blxrbdn.com",
  bloxroute_regulated: "https://bloxroute.regulated.blxrbdn.com",
  titan: "https://titanrelay.xyz",
  aestus: "https://aestus.live",
} as const;
export type RelayName = keyof typeof RELAYS;
export const RELAY_NAMES = Object.keys(RELAYS) as readonly RelayName[];

export const mevRelays = defineProvider({
  id: "mev_relays",
  title: "Relays of MEV-Boost",
  docs_url: "https://flashbots.github.io/relay-specs/",
  base_urls: [RELAYS.flashbots],
  hosts: RELAYS,
  terms: {
    class: "open",
    note: "Public data interfaces of relays; the specification is CC0 and asks for a call a minute.",
  },
  limits: { rate_per_s: 2, burst: 14, timeout_ms: 3_000, attempts: 1, body_bytes_max: 1_000_000 },
});
