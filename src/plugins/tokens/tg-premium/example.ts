import type { TgPremiumData } from "./schema.ts";

const data: TgPremiumData = {
  messages: [
    {
      order: 1,
      section: "mev",
      html: "<b>Blocks and tips</b>\nEthereum: 1640 blocks, p50 0.0301 ETH\n2026-11-21T05:59:11Z",
      markdown_v2: "*Blocks and tips*\nEthereum: 1640 blocks, p50 0\\.0301 ETH\n2026\\-11\\-21T05:59:11Z",
      plain: "Blocks and tips\nEthereum: 1640 blocks, p50 0.0301 ETH\n2026-11-21T05:59:11Z",
      char_count: 74,
      as_of: "2026-11-21T05:59:11Z",
    },
  ],
  send_hint: { parse_mode: "HTML", disable_web_page_preview: true },
  sections_missing: ["whale", "launch", "sentiment"],
  not_advice: true,
};

export const example = { params: {}, as_of: "2026-11-21T05:59:11Z", data };
