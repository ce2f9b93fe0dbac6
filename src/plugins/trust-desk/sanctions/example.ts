import type { SanctionsData } from "./schema.ts";

const list = (
  id: SanctionsData["lists"][number]["id"],
  title: string,
  rows: number,
): SanctionsData["lists"][number] => ({
  ...{ id, title, fresh: true, fault: null, rows },
  published_at: "2026-11-20T00:00:00.000Z",
  taken_at: "2026-11-21T06:07:31.000Z",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
});

const data: SanctionsData = {
  query: "Suex OTC SRO",
  query_type: "name",
  wallet_chain: null,
  verdict: "hit",
  matches: [
    {
      list: "ofac_sdn",
      entity_id: "33151",
      primary_name: "SUEX OTC, S.R.O.",
      matched_name: "SUEX OTC, S.R.O.",
      match_kind: "primary",
      entity_type: "entity",
      programs: ["CYBER2"],
      score: 1,
      band: "exact",
      aligned: [
        { query: "suex", listed: "suex", similarity: 1 },
        { query: "otc", listed: "otc", similarity: 1 },
      ],
      birth_year_agrees: null,
      listed_on: null,
      wallet_currency: null,
    },
  ],
  lists: [
    list("ofac_sdn", "OFAC specially designated nationals (XML edition)", 41_207),
    list("ofac_cons", "OFAC consolidated non-SDN lists (XML edition)", 1_113),
    list("eu", "EU consolidated financial sanctions (XML edition)", 17_940),
    list("un", "UN Security Council consolidated list (XML edition)", 3_021),
    list("uk", "UK Sanctions List (XML edition)", 18_662),
  ],
  oracle: null,
  threshold: 0.82,
  scope_note: "Not a legal opinion.",
  not_advice: true,
};

export const example = {
  params: { name: "Suex OTC SRO", type: "any", threshold: 0.82 } as const,
  as_of: "2026-11-21T06:07:31Z",
  data,
};
