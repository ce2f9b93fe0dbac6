import { defineProvider } from "../../../catalog/provider.ts";

/** Bitcoin's mempool and fee estimates as Blockstream's explorer sees them. */
export const blockstream = defineProvider({
  id: "blockstream",
  title: "Blockstream Explorer",
  docs_url: "https://github.com/Blockstream/esplora/blob/master/API.md",
  base_urls: ["https://blockstream.info/api"],
  terms: {
    class: "unclear",
    note: "Keyless and open source; the API documentation was read and holds no prohibition, the terms were not.",
  },
  limits: { rate_per_s: 2, burst: 6, timeout_ms: 3_000, attempts: 2, body_bytes_max: 2_000_000 },
});
