import { defineProvider } from "../../../catalog/provider.ts";
import { NO_SUCH_PAIR } from "../no-such-subject.ts";
import { TakerConfig } from "../taker-config.ts";

/** Crypto.com Exchange's public market data. Its USD books are a bundle of US dollar balances and stablecoins. */
export const cryptocom = defineProvider({
  id: "cryptocom",
  title: "Crypto.com Exchange",
  docs_url: "https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html",
  base_urls: ["https://api.crypto.com/exchange/v1"],
  terms: {
    class: "unclear",
    note: "Keyless public market data; the API documentation was read and holds no prohibition, the terms were not.",
  },
  limits: { rate_per_s: 5, burst: 10, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
  errors: NO_SUCH_PAIR.cryptocom,
  config: TakerConfig,
});
