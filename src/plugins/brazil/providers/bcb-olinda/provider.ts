import { defineProvider } from "intel-node";

/** PTAX and the Focus survey of Brazil's central bank (OData). */
export const bcbOlinda = defineProvider({
  id: "bcb_olinda",
  title: "Banco Central do Brasil, PTAX and Focus (Olinda)",
  docs_url: "https://dadosabertos.bcb.gov.br/dataset/expectativas-mercado",
  base_urls: ["https://olinda.bcb.gov.br"],
  terms: {
    class: "attribution",
    note: "Open data under the ODbL, as the catalog of the central bank's open data says.",
    attribution: {
      text: "Source: Banco Central do Brasil (PTAX, Focus), ODbL",
      url: "https://dadosabertos.bcb.gov.br",
    },
  },
  limits: { rate_per_s: 2, burst: 4, timeout_ms: 20_000, attempts: 3, body_bytes_max: 8_000_000 },
});
