import { defineProvider } from "../../../catalog/provider.ts";

/** Jupiter's swap aggregator on Solana. */
export const jupiter = defineProvider({
  id: "jupiter",
  title: "Jupiter",
  docs_url: "https://dev.jup.ag/docs",
  base_urls: ["https://api.jup.ag"],
  terms: { class: "unclear", note: "Keyless quotes for applications; the terms were not read." },
  key: { required: false, in: "header", name: "x-api-key" },
  // Without a key 30 calls in any 60 s; what asks here makes at most 7 in a row and 17 in a minute.
  limits: { rate_per_s: 0.5, burst: 7, timeout_ms: 3_000, attempts: 2, body_bytes_max: 200_000 },
});
