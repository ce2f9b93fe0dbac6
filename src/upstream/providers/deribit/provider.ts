import { defineProvider } from "../../../catalog/provider.ts";
import { NO_SUCH_PAIR } from "../no-such-subject.ts";

/** Deribit's public market data of options; only with the operator's own licence. */
export const deribit = defineProvider({
  id: "deribit",
  title: "Deribit",
  docs_url: "https://docs.deribit.com/",
  base_urls: ["https://www.deribit.com/api/v2"],
  terms: {
    class: "restricted",
    note: "Its terms, 4.6, keep market and derived data, indices included, to personal use (review of 2026-08).",
  },
  // It counts calls per address and does not publish how many it takes.
  limits: { rate_per_s: 1, burst: 4, timeout_ms: 3_000, attempts: 2, body_bytes_max: 200_000 },
  errors: NO_SUCH_PAIR.deribit,
});
