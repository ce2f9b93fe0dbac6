import { readFactRows } from "intel-node";
import type { BrBriefData } from "./schema.ts";

const data: BrBriefData = {
  macro: null,
  curve: null,
  equity: null,
  agro: null,
  policy_gap: [],
  breakeven_gap: [
    { tenor: "1y", breakeven_pct: 3.9474, minus_target_pp: 0.9474, minus_focus_pp: -0.4873 },
    { tenor: "2y", breakeven_pct: 4.4703, minus_target_pp: 1.4703, minus_focus_pp: null },
  ],
  scenarios: [
    {
      id: "parallel_up",
      shift_1y_bps: 100,
      shift_5y_bps: 100,
      shift_10y_bps: 100,
      pu_change_1y_pct: -0.87188899,
      pu_change_5y_pct: -4.298717,
      pu_change_10y_pct: -8.4000877,
      ptax: null,
    },
    {
      id: "parallel_down",
      shift_1y_bps: -100,
      shift_5y_bps: -100,
      shift_10y_bps: -100,
      pu_change_1y_pct: 0.88736263,
      pu_change_5y_pct: 4.5325191,
      pu_change_10y_pct: 9.2552301,
      ptax: null,
    },
  ],
  regime: { name: "stagflation", growth_3m3m_pct: -0.0931, ipca_3m_saar_pct: 5.4513, ipca_12m_pct: 4.2393 },
  calendar: [
    {
      time_utc: "2026-01-12T12:00:00.000Z",
      title: "Pesquisa Mensal de Comércio",
      source: "ibge",
      url: "https://www.ibge.gov.br",
    },
    { time_utc: "2026-01-14T12:00:00.000Z", title: "IPCA-15", source: "ibge", url: "https://www.ibge.gov.br" },
  ],
  title: "Brazil, 2026-01-12",
  markdown: "# Brazil, 2026-01-12",
  blocks: [
    {
      id: "thesis",
      text: [
        "By growth and inflation, the regime is stagflation: activity changed by -0.093% in 3",
        "months, and the IPCA of 3 months runs at 5.45% a year against 4.24% over 12 months.",
      ].join(" "),
      facts: ["F3", "F2", "F1"],
      sources: [],
      written_by: "template",
    },
    {
      id: "policy",
      text: "Against the target, breakeven inflation of 5 years differs by 2.13 percentage points.",
      facts: ["F4"],
      sources: [],
      written_by: "template",
    },
  ],
  facts: readFactRows({ from: "/br-macro", as_of: "2026-01-13" }, [
    ["ipca_12m", "IPCA over 12 months", 4.2393, "pct", { about: "IPCA", window: "12m" }],
    ["ipca_3m", "IPCA of 3 months, annual rate", 5.4513, "pct", { about: "IPCA", window: "3m" }],
    ["ibc_3m3m", "IBC-Br, 3 months over 3 months", -0.0931, "pct", { kind: "change" }],
    ["breakeven_gap", "5-year breakeven minus target", 2.1332, "pp", { kind: "change", from: "/br-brief" }],
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
  pack_hash: "7826659636e17cbdd2a09a5d8c06e8a3b93222bba7c4bc6afb3362ecf9ea51a2",
  disclaimer: "Information computed from the sources named; no investment advice.",
};

/** From the sandbox; lists are cut short. */
export const example = { params: {}, as_of: "2026-01-13T01:00:00.201Z", data };
