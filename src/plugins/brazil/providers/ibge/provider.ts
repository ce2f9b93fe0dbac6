import { defineProvider } from "intel-node";

/** Brazil's statistics office. */
export const ibge = defineProvider({
  id: "ibge",
  title: "IBGE",
  docs_url: "https://servicodados.ibge.gov.br/api/docs",
  base_urls: ["https://servicodados.ibge.gov.br"],
  hosts: { sidra: "https://apisidra.ibge.gov.br" },
  terms: {
    class: "attribution",
    note: "Public official statistics; IBGE asks to be named as their source.",
    attribution: { text: "Source: IBGE", url: "https://www.ibge.gov.br" },
  },
  limits: { rate_per_s: 1, burst: 2, timeout_ms: 15_000, attempts: 3, body_bytes_max: 2_000_000 },
});
