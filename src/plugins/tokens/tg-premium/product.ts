import { defineProduct, exampleOf } from "intel-node";
import { computeTgPremium } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchTgPremium } from "./fetch.ts";
import { gist } from "./gist.ts";
import { type PremiumSection, SECTIONS, TgPremiumParams, TgPremiumSchema } from "./schema.ts";

/** The requested sections, in the order of the answer. */
const readSections = (text: string | undefined): readonly PremiumSection[] =>
  text === undefined ? SECTIONS : SECTIONS.filter((section) => text.split(",").includes(section));

const example = exampleOf({}, made);

export const product = defineProduct({
  path: "/tg-premium",
  title: "Alerts ready to post",
  description:
    "The desk's alerts of the hour as finished messages for Telegram channels, in HTML, MarkdownV2 and plain text: " +
    "large transfers with their records, launches with their verdicts, what winning wallets buy, builders and tips, " +
    "yields, mood of the market. Fixed words around figures, escaped, within limits, no mentions.",
  category: "tokens",
  tags: ["telegram", "alerts", "digest", "whale", "launch"],
  search: [
    "Telegram alerts",
    "messages for a Telegram channel",
    "ready-made posts",
    "alertas para Telegram",
    "mensagens prontas",
    "canal do Telegram",
    "crypto alerts",
    "post to Telegram",
  ],
  price_usd: "0.15",
  params: TgPremiumParams,
  normalise: ({ sections, ...params }) =>
    sections === undefined ? params : { ...params, sections: readSections(sections).join(",") },
  data: TgPremiumSchema,
  example,
  gist,
  providers: [],
  requires: [],
  uses_node: true,
  asks: {
    ...({ "/whale-alert": "optional", "/launch-risk": "optional", "/smart-money": "optional" } as const),
    ...({ "/mev-flow": "optional", "/defi-yield": "optional", "/fear-greed": "optional" } as const),
  },
  // Six products are asked, each with its own sources.
  usual_view: "brief",
  ttl: "2m",
  deadline_ms: 12_000,
  preview: {
    every: "6h",
    delay: "6h",
    listed: ({ messages }) => ({ n: messages.length, of: "messages" }),
    redact: (data) => ({ ...data, messages: data.messages.slice(0, 2) }),
  },
  fetch: (context, { sections }) => fetchTgPremium(context, readSections(sections)),
  compute: (inputs, { params: { sections, lang = "en", max_messages = 5 } }) =>
    computeTgPremium(inputs, { sections: readSections(sections), lang, max_messages }),
});
