import { defineProvider } from "../../../catalog/provider.ts";

/** Bitcoin's mempool, fees, difficulty and hash rate as mempool.space sees them. */
export const mempoolSpace = defineProvider({
  id: "mempool_space",
  title: "mempool.space",
  docs_url: "https://mempool.space/docs/api/rest",
  base_urls: ["https://mempool.space"],
  terms: {
    class: "unclear",
    note: "Keyless and open source; the API documentation was read and holds no prohibition, the terms were not.",
  },
  // It does not publish its limits and bans those who go beyond them.
  limits: { rate_per_s: 2, burst: 12, timeout_ms: 3_000, attempts: 2, body_bytes_max: 2_000_000 },
});
