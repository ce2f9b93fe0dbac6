import { type Computed, formatLarge, formatNumber, renderTime } from "intel-node";
import { type Draft, renderMessage } from "./escape.ts";
import type { TgPremiumInputs } from "./fetch.ts";
import type { Section, TgPremiumData } from "./schema.ts";

type Lang = "en" | "pt";

const WORDS = {
  en: { whale: "Large transfers", launch: "New launches", mev: "Blocks and tips", sentiment: "Mood of the market" },
  pt: {
    whale: "Grandes transferências",
    launch: "Novos lançamentos",
    mev: "Blocos e gorjetas",
    sentiment: "Humor do mercado",
  },
} as const;
const SHOWN = 3;
const GOOD_SHOWN = 2;

const localeOf = (lang: Lang) => (lang === "pt" ? "pt-BR" : "en");

/** Fixed words around figures; AVOID has its reason and no call to trade. */
function listDrafts({ whale, launch, mev, sentiment }: TgPremiumInputs, lang: Lang) {
  const format = { locale: localeOf(lang), decimals_max: 2 } as const;
  const drafts: { readonly section: Section; readonly as_of_ms: number; readonly lines: readonly string[] }[] = [];
  if (whale) {
    const lines = whale.data.alerts.slice(0, SHOWN).map(({ usd, asset, chain, class: kind, from_label, to_label }) => {
      const ends = [from_label, to_label].filter((one) => one !== null).join(" → ");
      const whose = ends === "" ? "" : ` (${ends})`;
      return `${formatLarge(usd, format)} USD ${asset}, ${chain}, ${kind.replaceAll("_", " ")}${whose}`;
    });
    drafts.push({ section: "whale", as_of_ms: whale.as_of_ms, lines });
  }
  if (launch) {
    const of = (verdict: string, most: number) =>
      launch.data.items.filter((item) => item.verdict === verdict).slice(0, most);
    const lines = [...of("SIZE", GOOD_SHOWN), ...of("AVOID", SHOWN)].map(({ token, verdict, risk, hard_fails }) => {
      const why = hard_fails[0] ? `: ${hard_fails[0].evidence}` : "";
      const name = verdict === "AVOID" ? token.address : `${token.symbol ?? ""} ${token.address}`;
      return `${verdict} ${name} (LR-1 ${formatNumber(risk, format)}/100)${why}`;
    });
    drafts.push({ section: "launch", as_of_ms: launch.as_of_ms, lines });
  }
  if (mev) {
    const { ethereum, solana } = mev.data;
    const eth = { ...format, decimals_max: 4 } as const;
    const lines = [
      ...(ethereum
        ? [`Ethereum: ${ethereum.blocks} blocks, p50 ${formatNumber(ethereum.value_eth.p50, eth)} ETH`]
        : []),
      ...(solana.tip_lamports ? [`Solana: p50 ${formatNumber(solana.tip_lamports.p50, format)} lamports`] : []),
    ];
    drafts.push({ section: "mev", as_of_ms: mev.as_of_ms, lines });
  }
  if (sentiment) {
    const { value, classification, attribution } = sentiment.data;
    const whose = attribution === null ? "" : ` (${attribution.text})`;
    const lines = [`Fear & Greed ${value}: ${classification}${whose}`];
    drafts.push({ section: "sentiment", as_of_ms: sentiment.as_of_ms, lines });
  }
  return drafts.filter(({ lines }) => lines.length > 0);
}

export interface TgPremiumQuery {
  readonly sections: readonly Section[];
  readonly lang: Lang;
  readonly max_messages: number;
}

export function computeTgPremium(
  inputs: TgPremiumInputs,
  { sections, lang, max_messages }: TgPremiumQuery,
): Computed<TgPremiumData> {
  const drafts = listDrafts(inputs, lang).slice(0, max_messages);
  const messages = drafts.map(({ section, as_of_ms, lines }, index) => {
    const as_of = renderTime(as_of_ms);
    const draft: Draft = { section, title: WORDS[lang][section], lines: [...lines, as_of] };
    return { order: index + 1, section, ...renderMessage(draft), as_of };
  });
  const filled = drafts.map(({ section }) => section);
  const sections_missing = sections.filter((section) => !filled.includes(section));
  return {
    as_of_ms: Math.min(inputs.read_at_ms, ...drafts.map(({ as_of_ms }) => as_of_ms)),
    data: {
      messages,
      send_hint: { parse_mode: "HTML", disable_web_page_preview: true },
      sections_missing: [...sections_missing],
      not_advice: true,
    },
    warnings: [
      "messages: made of launches and pools of which no source states a time are as new as the call",
      ...sections_missing.map((section) => `messages: ${section} has no fresh data`),
    ],
  };
}
