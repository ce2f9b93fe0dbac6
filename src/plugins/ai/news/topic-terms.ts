import type { FeedTopic } from "../providers/feeds/feeds.ts";
import { wordsOf } from "./cluster.ts";

/** Possible subjects of a headline by topic, and the words that show them. A phrase needs all its words. */
const TOPIC_TAGS = {
  ai: {
    models: ["model", "models", "llm", "gpt", "gemini", "claude", "llama", "mistral", "qwen", "deepseek", "weights"],
    chips: ["gpu", "gpus", "chip", "chips", "accelerator", "tpu", "nvidia", "blackwell", "data center", "inference"],
    regulation: ["regulators", "regulation", "lawsuit", "copyright", "eu ai act", "antitrust", "sue", "ban", "court"],
    funding: ["funding", "raises", "valuation", "values", "invests", "investment", "acquires", "ipo", "startup"],
    research: ["research", "paper", "benchmark", "study", "evaluation", "training", "reasoning"],
    agents: ["agent", "agents", "agentic", "tool use", "mcp", "coding agent"],
    safety: ["safety", "alignment", "jailbreak", "misuse", "bias", "deepfake", "risk"],
    "open-source": ["open source", "open-weight", "open weights", "apache", "license"],
  },
  crypto: {
    etf: ["etf", "etfs", "fund inflows", "fund outflows"],
    regulation: ["sec", "cftc", "regulators", "regulation", "lawsuit", "bill", "senate", "license", "ban"],
    hack: ["hack", "hacked", "exploit", "stolen", "breach", "drained", "phishing"],
    listing: ["listing", "lists", "delists", "delisting", "launch", "launches"],
    stablecoin: ["stablecoin", "stablecoins", "usdc", "usdt", "tether", "circle"],
    defi: ["defi", "lending", "staking", "liquidity", "dex", "protocol"],
  },
  macro: {
    policy: ["fed", "fomc", "ecb", "rate", "rates", "interest", "monetary", "hike", "cut", "cuts"],
    inflation: ["inflation", "cpi", "ppi", "pce", "prices", "deflation"],
    jobs: ["jobs", "payrolls", "unemployment", "employment", "wages", "labor"],
    trade: ["tariff", "tariffs", "trade", "exports", "imports", "sanctions"],
  },
  geo: {
    conflict: ["war", "attack", "attacks", "strike", "strikes", "missile", "troops", "ceasefire", "killed", "military"],
    sanctions: ["sanctions", "sanctioned", "embargo", "export controls"],
    election: ["election", "elections", "vote", "ballot", "president", "coup"],
    shipping: ["ship", "ships", "shipping", "vessel", "tanker", "port", "strait", "canal"],
    energy: ["oil", "gas", "pipeline", "opec", "nuclear", "refinery"],
  },
  brazil: {
    policy: ["copom", "selic", "juros", "banco central", "bc"],
    inflation: ["ipca", "inflação", "preços", "igp"],
    fiscal: ["fiscal", "orçamento", "dívida", "imposto", "impostos", "arrecadação"],
    markets: ["ibovespa", "dólar", "bolsa", "ações", "b3"],
  },
} as const satisfies Readonly<Record<FeedTopic, Readonly<Record<string, readonly string[]>>>>;

type TagOf<T> = T extends FeedTopic ? keyof (typeof TOPIC_TAGS)[T] : never;
export type TopicTag = TagOf<FeedTopic>;
export const tagsOf = (topic: FeedTopic): readonly TopicTag[] => Object.keys(TOPIC_TAGS[topic]) as TopicTag[];
export const TAG_NAMES = [...new Set((Object.keys(TOPIC_TAGS) as FeedTopic[]).flatMap(tagsOf))] as const;

interface Phrase {
  readonly tag: TopicTag;
  readonly term: string;
  readonly words: readonly string[];
}
const PHRASES = Object.fromEntries(
  Object.entries<Readonly<Record<string, readonly string[]>>>(TOPIC_TAGS).map(([topic, tags]) => [
    topic,
    Object.entries(tags).flatMap(([tag, terms]) =>
      terms.map((term): Phrase => ({ tag: tag as TopicTag, term, words: [...wordsOf(term)] })),
    ),
  ]),
) as unknown as Readonly<Record<FeedTopic, readonly Phrase[]>>;

/** The terms of a topic in a title, with the subject of each. */
export function findTerms(
  title: string,
  topic: FeedTopic = "ai",
): readonly { readonly tag: TopicTag; readonly term: string }[] {
  const words = wordsOf(title);
  return PHRASES[topic].filter(({ words: needed }) => needed.every((word) => words.has(word)));
}
