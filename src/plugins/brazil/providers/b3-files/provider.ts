import { defineProvider } from "intel-node";

/** Files B3 publishes every evening: trades and settlements of all its markets. */
export const b3Files = defineProvider({
  id: "b3_files",
  title: "B3 daily files",
  docs_url: "https://www.b3.com.br/en_us/market-data-and-indices/data-services/up2data/",
  base_urls: ["https://arquivos.b3.com.br"],
  terms: {
    class: "unclear",
    note:
      "B3 publishes these files free of charge for regulatory reasons; building indexes or benchmarks from them " +
      "needs its authorisation, so rates made of them are called computed, never official.",
    attribution: { text: "Source: B3 S.A. public files; figures computed by this node", url: "https://www.b3.com.br" },
  },
  // A file is two calls and 5.5 MB: one every 20 seconds.
  limits: { rate_per_s: 0.1, burst: 2, timeout_ms: 60_000, attempts: 2, body_bytes_max: 20_000_000 },
});
