import { defineProvider } from "intel-node";

/** Time series of Brazil's central bank. */
export const bcbSGS = defineProvider({
  id: "bcb_sgs",
  title: "Banco Central do Brasil, time series (SGS)",
  docs_url: "https://dadosabertos.bcb.gov.br",
  base_urls: ["https://api.bcb.gov.br"],
  terms: {
    class: "attribution",
    note: "Open data under the ODbL, as the catalog of the central bank's open data says.",
    attribution: { text: "Source: Banco Central do Brasil (SGS), ODbL", url: "https://dadosabertos.bcb.gov.br" },
  },
  limits: { rate_per_s: 4, burst: 4, timeout_ms: 15_000, attempts: 3, body_bytes_max: 2_000_000 },
});
