import { defineProvider } from "intel-node";

/** Quotes of the world's exchanges as the broadcaster's site shows them. */
export const cnbc = defineProvider({
  id: "cnbc",
  title: "CNBC",
  docs_url: "https://www.nbcuniversal.com/terms",
  base_urls: ["https://quote.cnbc.com"],
  terms: { class: "restricted", note: "Terms of the site were not read; taken as forbidding." },
  limits: { rate_per_s: 2, burst: 6, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
});
