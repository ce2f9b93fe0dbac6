import { defineProvider } from "../../../catalog/provider.ts";
import { NO_SUCH_PAIR } from "../no-such-subject.ts";
import { TakerConfig } from "../taker-config.ts";

/** Kraken's public market data. */
export const kraken = defineProvider({
  id: "kraken",
  title: "Kraken",
  docs_url: "https://docs.kraken.com/api/",
  base_urls: ["https://api.kraken.com"],
  terms: {
    class: "unclear",
    note: "Keyless public market data; the API documentation was read and holds no prohibition, the terms were not.",
  },
  limits: { rate_per_s: 1, burst: 10, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
  errors: NO_SUCH_PAIR.kraken,
  config: TakerConfig,
});
