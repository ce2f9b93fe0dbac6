import { type Computed, findNetwork, formatLarge, formatNumber, renderTime } from "intel-node";
import { type Line, type MessageDraft, renderMessage } from "./escape.ts";
import type { TgPremiumInputs } from "./fetch.ts";
import { type PremiumSection, SECTIONS, type TgPremiumData } from "./schema.ts";

type Lang = "en" | "pt";

const WORDS = {
  en: {
    whale: "Large transfers",
    launch: "New launches",
    smart: "What winners buy",
    mev: "Blocks and tips",
    yield: "What capital earns",
    sentiment: "Mood of the market",
    receipts: "Receipts",
  },
  pt: {
    whale: "Grandes transferências",
    launch: "Novos lançamentos",
    smart: "O que os vencedores compram",
    mev: "Blocos e gorjetas",
    yield: "O que o capital rende",
    sentiment: "Humor do mercado",
    receipts: "Recibos",
  },
} as const;
const SHOWN = 3;
const GOOD_SHOWN = 2;

const localeOf = (lang: Lang) => (lang === "pt" ? "pt-BR" : "en");

interface Part {
  readonly as_of_ms: number;
  readonly lines: readonly Line[];
}
type Format = Parameters<typeof formatNumber>[1];

function describeWhales(whale: NonNullable<TgPremiumInputs["whale"]>, format: Format): readonly Line[] {
  return whale.data.alerts.slice(0, SHOWN).map(({ usd, asset, chain, class: kind, from_label, to_label, tx }) => {
    const ends = [from_label, to_label].filter((one) => one !== null).join(" → ");
    const whose = ends === "" ? "" : ` (${ends})`;
    const text = `${formatLarge(usd, format)} USD ${asset}, ${chain}, ${kind.replaceAll("_", " ")}${whose}`;
    // Where anybody can look the transaction up.
    const link = findNetwork(chain)?.explorerUrl?.(tx);
    return link === undefined ? { text } : { text, link };
  });
}

/** AVOID has its reason, and no ticker and no call to trade. */
function describeLaunches(launch: NonNullable<TgPremiumInputs["launch"]>, format: Format): readonly Line[] {
  const of = (verdict: string, most: number) =>
    launch.data.items.filter((item) => item.verdict === verdict).slice(0, most);
  return [...of("SIZE", GOOD_SHOWN), ...of("AVOID", SHOWN)].map(({ token, verdict, risk, hard_fails }) => {
    const why = hard_fails[0] ? `: ${hard_fails[0].evidence}` : "";
    const name = verdict === "AVOID" ? token.address : `${token.symbol ?? ""} ${token.address}`;
    return { text: `${verdict} ${name} (LR-1 ${formatNumber(risk, format)}/100)${why}` };
  });
}

function describeFlows({ data }: NonNullable<TgPremiumInputs["smart"]>, format: Format): readonly Line[] {
  return data.accumulating.slice(0, GOOD_SHOWN).map(({ chain, token, net_usd_24h, buyers, launch_verdict }) => {
    const verdict = launch_verdict === null ? "" : `, LR-1 ${launch_verdict}`;
    return { text: `${formatLarge(net_usd_24h, format)} USD, ${token}, ${chain}, ${buyers}${verdict}` };
  });
}

function describeBlocks({ data: { ethereum, solana } }: NonNullable<TgPremiumInputs["mev"]>, format: Format) {
  const p50 = ethereum ? formatNumber(ethereum.value_eth.p50, { ...format, decimals_max: 4 }) : "";
  return [
    ...(ethereum ? [{ text: `Ethereum: ${ethereum.blocks} blocks, p50 ${p50} ETH` }] : []),
    ...(solana.tip_lamports ? [{ text: `Solana: p50 ${formatNumber(solana.tip_lamports.p50, format)} lamports` }] : []),
  ];
}

/** Those that take deposits, most first. */
const describeYields = ({ data }: NonNullable<TgPremiumInputs["yield"]>, format: Format): readonly Line[] =>
  data.pools
    .filter(({ is_paused }) => is_paused !== true)
    .slice(0, GOOD_SHOWN)
    .map(({ project, chain, symbol, base_apy_pct }) => ({
      text: `${project} ${symbol}, ${chain}: ${formatNumber(base_apy_pct, format)} %`,
    }));

function describeMood({ data }: NonNullable<TgPremiumInputs["sentiment"]>): readonly Line[] {
  const { value, classification, attribution } = data;
  const whose = attribution === null ? "" : ` (${attribution.text})`;
  return [{ text: `Fear & Greed ${value}: ${classification}${whose}` }];
}

/** Fixed words around figures, by section. */
function listDrafts(inputs: TgPremiumInputs, lang: Lang) {
  const format = { locale: localeOf(lang), decimals_max: 2 } as const;
  const { whale, launch, smart, mev, yield: earned, sentiment } = inputs;
  const parts: Readonly<Record<PremiumSection, Part | null>> = {
    whale: whale && { ...whale, lines: describeWhales(whale, format) },
    launch: launch && { ...launch, lines: describeLaunches(launch, format) },
    smart: smart && { ...smart, lines: describeFlows(smart, format) },
    mev: mev && { ...mev, lines: describeBlocks(mev, format) },
    yield: earned && { ...earned, lines: describeYields(earned, format) },
    sentiment: sentiment && { ...sentiment, lines: describeMood(sentiment) },
  };
  return SECTIONS.flatMap((section) => {
    const part = parts[section];
    return part && part.lines.length > 0 ? [{ section, as_of_ms: part.as_of_ms, lines: part.lines }] : [];
  });
}

export interface TgPremiumQuery {
  readonly sections: readonly PremiumSection[];
  readonly lang: Lang;
  readonly max_messages: number;
}

export function computeTgPremium(
  inputs: TgPremiumInputs,
  { sections, lang, max_messages }: TgPremiumQuery,
): Computed<TgPremiumData> {
  const { receipts_url } = inputs;
  const drafts = listDrafts(inputs, lang).slice(0, max_messages);
  const messages = drafts.map(({ section, as_of_ms, lines }, index) => {
    const as_of = renderTime(as_of_ms);
    const receipts = receipts_url === null ? [] : [{ text: WORDS[lang].receipts, link: receipts_url }];
    const draft: MessageDraft = {
      section,
      title: WORDS[lang][section],
      lines: [...lines, { text: as_of }, ...receipts],
    };
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
      receipts_url,
      not_advice: true,
    },
    warnings: [
      "messages: made of launches and pools of which no source states a time are as new as the call",
      ...sections_missing.map((section) => `messages: ${section} has no fresh data`),
    ],
  };
}
