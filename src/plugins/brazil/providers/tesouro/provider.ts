import { defineProvider } from "intel-node";

/** Prices and rates of Brazil's government bonds for retail investors. */
export const tesouro = defineProvider({
  id: "tesouro",
  title: "Tesouro Nacional, Tesouro Direto prices",
  docs_url: "https://www.tesourotransparente.gov.br/ckan/dataset/taxas-dos-titulos-ofertados-pelo-tesouro-direto",
  base_urls: ["https://www.tesourotransparente.gov.br"],
  terms: {
    class: "attribution",
    note: "Open data of the federal government; the text of its licence was not found.",
    attribution: {
      text: "Source: Tesouro Nacional (Tesouro Transparente)",
      url: "https://www.tesourotransparente.gov.br",
    },
  },
  limits: { rate_per_s: 0.2, burst: 1, timeout_ms: 120_000, attempts: 2, body_bytes_max: 60_000_000 },
});
