import { defineProvider } from "intel-node";

/** Velora (formerly ParaSwap), an aggregator of EVM exchanges. */
export const velora = defineProvider({
  id: "velora",
  title: "Velora",
  docs_url: "https://developers.velora.xyz/",
  base_urls: ["https://api.paraswap.io"],
  terms: { class: "unclear", note: "Keyless quotes for applications; the terms were not read." },
  limits: { rate_per_s: 1, burst: 5, timeout_ms: 3_000, attempts: 1, body_bytes_max: 500_000 },
});
