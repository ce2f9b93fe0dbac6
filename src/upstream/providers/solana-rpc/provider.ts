import { defineProvider } from "../../../catalog/provider.ts";

/** Public JSON-RPC nodes of Solana. What they return is read from a public ledger. */
export const solanaRpc = defineProvider({
  id: "solana_rpc",
  title: "Solana JSON-RPC nodes",
  docs_url: "https://solana.com/docs/rpc",
  base_urls: [],
  chains: {
    solana: ["https://api.mainnet-beta.solana.com", "https://solana-rpc.publicnode.com"],
  },
  terms: {
    class: "open",
    note: "Values are read from a public ledger; the operators of the default nodes ask for fair use.",
  },
  limits: { rate_per_s: 4, burst: 12, timeout_ms: 5_000, attempts: 2, body_bytes_max: 2_000_000 },
});
