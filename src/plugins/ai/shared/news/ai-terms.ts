import { wordsOf } from "./cluster.ts";

/** What a headline may be about, and the words that tell. A phrase needs all its words. */
export const AI_TAGS = {
  models: ["model", "models", "llm", "gpt", "gemini", "claude", "llama", "mistral", "qwen", "deepseek", "weights"],
  chips: ["gpu", "gpus", "chip", "chips", "accelerator", "tpu", "nvidia", "blackwell", "data center", "inference"],
  regulation: ["regulators", "regulation", "lawsuit", "copyright", "eu ai act", "antitrust", "sue", "ban", "court"],
  funding: ["funding", "raises", "valuation", "values", "invests", "investment", "acquires", "ipo", "startup"],
  research: ["research", "paper", "benchmark", "study", "evaluation", "training", "reasoning"],
  agents: ["agent", "agents", "agentic", "tool use", "mcp", "coding agent"],
  safety: ["safety", "alignment", "jailbreak", "misuse", "bias", "deepfake", "risk"],
  "open-source": ["open source", "open-weight", "open weights", "apache", "license"],
} as const;

export type AITag = keyof typeof AI_TAGS;
export const AI_TAG_NAMES = Object.keys(AI_TAGS) as AITag[];

const PHRASES = AI_TAG_NAMES.flatMap((tag) => AI_TAGS[tag].map((term) => ({ tag, term, words: [...wordsOf(term)] })));

/** The terms in a title, with what each tells. */
export function findTerms(title: string): readonly { readonly tag: AITag; readonly term: string }[] {
  const words = wordsOf(title);
  return PHRASES.filter(({ words: needed }) => needed.every((word) => words.has(word)));
}
