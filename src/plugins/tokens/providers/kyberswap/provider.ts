import { defineProvider } from "intel-node";

/** KyberSwap's aggregator of EVM exchanges. */
export const kyberswap = defineProvider({
  id: "kyberswap",
  title: "KyberSwap",
  docs_url: "https://docs.kyberswap.com/kyberswap-solutions/kyberswap-aggregator",
  base_urls: ["https://aggregator-api.kyberswap.com"],
  terms: { class: "unclear", note: "Keyless quotes for applications; the terms were not read." },
  limits: { rate_per_s: 3, burst: 6, timeout_ms: 3_000, attempts: 1, body_bytes_max: 500_000 },
});
