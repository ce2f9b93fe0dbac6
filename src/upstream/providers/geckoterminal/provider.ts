import { defineProvider } from "../../../catalog/provider.ts";

/** CoinGecko's table of exchange pools; only with the operator's own licence. */
export const geckoterminal = defineProvider({
  id: "geckoterminal",
  title: "GeckoTerminal",
  docs_url: "https://apiguide.geckoterminal.com/",
  base_urls: ["https://api.geckoterminal.com/api/v2"],
  terms: {
    class: "restricted",
    note: "CoinGecko's terms hold for it: keyless use is non-commercial (review of 2026-08).",
    attribution: { text: "Powered by GeckoTerminal", url: "https://www.geckoterminal.com" },
  },
  // Its pages say 30 calls a minute; no more than 10 are made in any minute.
  limits: { rate_per_s: 5 / 60, burst: 5, timeout_ms: 3_000, attempts: 1, body_bytes_max: 500_000 },
});
