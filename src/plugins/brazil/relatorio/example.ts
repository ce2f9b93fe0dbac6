import { readFactRows } from "intel-node";
import type { RelatorioData } from "./schema.ts";

const data: RelatorioData = {
  title: "Relatório de mercado do Brasil - 12/01/2026",
  edition: "pos_fechamento",
  language: "pt-BR",
  markdown: "# Relatório de mercado do Brasil - 12/01/2026",
  sections: [
    {
      id: "resumo",
      heading: "Resumo executivo",
      table: null,
      text: [
        "A meta da Selic está em 15% ao ano. O IPCA acumula 4,24% em 12 meses. O DI de 1 ano",
        "está em 13,69%. A PTAX de venda foi R$ 5,35. O Ibovespa teve alta de 1,09% no dia.",
      ].join(" "),
      written_by: "template",
    },
    {
      id: "agenda",
      heading: "Agenda",
      table: {
        columns: ["Data", "Evento"],
        rows: [
          ["12/01/2026", "Pesquisa Mensal de Comércio"],
          ["14/01/2026", "IPCA-15"],
        ],
      },
      text: "Nos próximos 14 dias, a agenda tem 7 divulgações e decisões. O Copom decide em 28/01/2026.",
      written_by: "template",
    },
  ],
  risks: [
    { id: "ipca_above_band", value: 4.2393, threshold: 4.5, triggered: false },
    { id: "ipca_below_band", value: 4.2393, threshold: 1.5, triggered: false },
  ],
  word_count: 2708,
  blocks: [
    {
      id: "resumo",
      text: [
        "A meta da Selic está em 15% ao ano. O IPCA acumula 4,24% em 12 meses. O DI de 1 ano está",
        "em 13,69%. A PTAX de venda foi R$ 5,35. O Ibovespa teve alta de 1,09% no dia.",
      ].join(" "),
      facts: ["F1", "F2", "F4", "F3", "F5"],
      sources: [],
      written_by: "template",
    },
  ],
  facts: readFactRows({ from: "/br-macro", as_of: "2026-01-13" }, [
    ["selic", "Selic target", 15, "pct", { about: "Selic" }],
    ["ipca_12m", "IPCA over 12 months", 4.2393, "pct", { about: "IPCA", window: "12m" }],
    ["ptax", "PTAX, sell", 5.3475, "brl", { about: "PTAX" }],
    ["di_1y", "DI rate of 1y", 13.6935, "pct", { from: "/br-curve", as_of: "2026-01-12" }],
    [
      "ibov_1d",
      "Ibovespa change, 1 day",
      1.0899,
      "pct",
      { kind: "change", about: "Ibovespa", window: "1d", from: "/br-equity", as_of: "2026-01-12" },
    ],
  ]),
  citations: [],
  written_by: "template",
  writer: {
    provider_id: null,
    model: null,
    attempts: 0,
    regenerated: false,
    violations_first_attempt: 0,
    prompt_version: null,
  },
  pack_hash: "9e51ed6b9230af10a7d1891358028b2e00b47ea6b12e991e87e3ef380ada47b4",
  disclaimer: "Informação calculada a partir das fontes citadas; não é recomendação de investimento.",
};

/** From the sandbox; lists are cut short. */
export const example = { params: {}, as_of: "2026-01-13T01:00:00.201Z", data };
