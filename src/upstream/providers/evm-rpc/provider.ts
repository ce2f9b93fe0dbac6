import { defineProvider } from "../../../catalog/provider.ts";

/** Public JSON-RPC nodes of EVM chains. What they return is read from a public ledger. */
export const evmRpc = defineProvider({
  id: "evm_rpc",
  title: "EVM JSON-RPC nodes",
  docs_url: "https://ethereum.org/developers/docs/apis/json-rpc/",
  base_urls: [],
  chains: {
    base: ["https://base-rpc.publicnode.com", "https://mainnet.base.org"],
    ethereum: ["https://ethereum-rpc.publicnode.com"],
    arbitrum: ["https://arb1.arbitrum.io/rpc"],
    optimism: ["https://mainnet.optimism.io"],
    polygon: ["https://polygon-bor-rpc.publicnode.com"],
    base_sepolia: ["https://sepolia.base.org"],
  },
  terms: {
    class: "open",
    note: "Values are read from a public ledger; the operators of the default nodes ask for fair use.",
  },
  limits: { rate_per_s: 5, burst: 20, timeout_ms: 5_000, attempts: 2, body_bytes_max: 2_000_000 },
});
