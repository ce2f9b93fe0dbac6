import type { WhaleDossierData } from "./schema.ts";

const data: WhaleDossierData = {
  subjects: [
    {
      address: "0x11181151b60fc0b8be74145b78a751ca1f65cb37",
      chain: "ethereum",
      why_selected: { gross_usd_24h: 31061446.96, net_usd_24h: -31061446.96, rank: 1 },
      profile: {
        account_type: "eoa",
        total_usd: 48211.37,
        age_days: 812.4,
        tx_count: 377,
        last_active: "2026-10-01T09:11:02.000Z",
      },
      flows: {
        by_asset: [{ id: "DAI", in_usd: 0, out_usd: 31061446.96 }],
        by_counterparty_class: [{ id: "unknown", in_usd: 0, out_usd: 31061446.96 }],
        in_usd_7d: 0,
        out_usd_7d: 31061446.96,
        transfers_7d: 1,
        hours_active: 1,
      },
      largest: [
        {
          asset: "DAI",
          usd: 31061446.96,
          direction: "out",
          other: "0xd3a006eaa585bc8b6a1179f2a9ebccb616a38dcb",
          other_label: null,
          tx: "0xf29c511db36f921f65bcca1c762f06592824645318628d3fc5902ec29da269ad",
          before: "2026-10-01T12:34:56Z",
        },
      ],
      related: [],
      audit: {
        verdict: "CLEAR",
        basis: "no adverse finding",
        risk: 0,
        screens: [
          { id: "S1", status: "clear" },
          { id: "S2", status: "clear" },
        ],
      },
      open_questions: ["Who are the unlabelled other ends of 100 % of its flow?", "Who stands behind it?"],
    },
  ],
  left_out: { labelled: 3, contracts: 0 },
  coverage: [
    { chain: "ethereum", blocks_scanned: 25, blocks_expected: 50400 },
    { chain: "base", blocks_scanned: 150, blocks_expected: 302400 },
  ],
  scope_note: "Transfers of 100,000 US dollars and more on Ethereum and Base, in the blocks that were read.",
  not_advice: true,
};

export const example = { params: {}, as_of: "2026-10-01T12:34:56Z", data };
