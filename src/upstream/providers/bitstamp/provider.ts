import { defineProvider } from "../../../catalog/provider.ts";
import { TakerConfig } from "../taker-config.ts";

/** Bitstamp's public market data. */
export const bitstamp = defineProvider({
  id: "bitstamp",
  title: "Bitstamp",
  docs_url: "https://www.bitstamp.net/api/",
  base_urls: ["https://www.bitstamp.net"],
  terms: {
    class: "unclear",
    note: "Keyless public market data; the API documentation was read and holds no prohibition, the terms were not.",
  },
  limits: { rate_per_s: 5, burst: 10, timeout_ms: 5_000, attempts: 2, body_bytes_max: 2_000_000 },
  config: TakerConfig,
});
