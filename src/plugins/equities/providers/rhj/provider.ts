import { defineProvider } from "intel-node";

/** Robinhood's public interface to its stock tokens: bid and ask of the share behind each token. */
export const rhj = defineProvider({
  id: "rhj",
  title: "Robinhood stock-token API",
  docs_url: "https://docs.robinhood.com/chain/stock-token-apis/",
  base_urls: ["https://api.robinhood.com/rhj"],
  terms: {
    class: "unclear",
    note: "Documented public interface without a key; its documentation was read and has no clause on reuse.",
  },
  limits: { rate_per_s: 5, burst: 20, timeout_ms: 5_000, attempts: 2, body_bytes_max: 2_000_000 },
});
