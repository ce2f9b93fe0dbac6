import { defineProvider } from "intel-node";

/** Weekly farm prices of Brazil's supply company. */
export const conab = defineProvider({
  id: "conab",
  title: "Conab, weekly prices by state",
  docs_url: "https://portaldeinformacoes.conab.gov.br/downloads.html",
  base_urls: ["https://portaldeinformacoes.conab.gov.br"],
  terms: {
    class: "attribution",
    note: "Public data of the federal government, to be named as the source.",
    attribution: { text: "Source: Conab", url: "https://www.conab.gov.br" },
  },
  limits: { rate_per_s: 0.2, burst: 1, timeout_ms: 120_000, attempts: 2, body_bytes_max: 60_000_000 },
});
