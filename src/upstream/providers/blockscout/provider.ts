import { defineProvider } from "../../../catalog/provider.ts";

/** Blockscout's explorers of chains of the Ethereum family. */
export const blockscout = defineProvider({
  id: "blockscout",
  title: "Blockscout",
  docs_url: "https://docs.blockscout.com/devs/apis/requests-and-limits",
  base_urls: ["https://eth.blockscout.com/api/v2"],
  hosts: { ethereum: "https://eth.blockscout.com/api/v2", base: "https://base.blockscout.com/api/v2" },
  terms: { class: "unclear", note: "Keyless explorer data read from public ledgers; the terms were not read." },
  key: { required: false, in: "query", name: "apikey" },
  // Keyless hosts answer 5 a second; a free key 100,000 credits a day, about 20 for a call.
  limits: {
    rate_per_s: 3,
    burst: 9,
    timeout_ms: 3_000,
    attempts: 1,
    body_bytes_max: 1_000_000,
    quotas: { day: 5_000 },
  },
});
