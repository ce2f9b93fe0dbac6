import { readFactRows } from "intel-node";
import { DEFAULT_QUESTION, type DeepThinkData } from "./schema.ts";

const data: DeepThinkData = {
  question: DEFAULT_QUESTION,
  estimate: null,
  sub_questions: ["most important change crypto", "macro markets last 24 hours"],
  analysts: [
    { provider_id: "local", model: "qwen3-8b", probability_pct: null },
    { provider_id: "groq", model: "openai/gpt-oss-120b", probability_pct: null },
  ],
  sources_seen: 0,
  sources_used: 0,
  node_facts_used: ["F1", "F2"],
  blocks: [
    {
      id: "answer",
      text: "BTC trades at $48,665.83 and is up 0.81% in 24h.",
      facts: ["F1", "F2"],
      sources: [],
      written_by: "model",
    },
    {
      id: "unknowns",
      text: "What is not among the facts is not known here.",
      facts: [],
      sources: [],
      written_by: "template",
    },
  ],
  facts: readFactRows({ from: "/market-brief", as_of: "2026-01-13" }, [
    ["brief.BTC", "BTC price", 48665.829, "usd", { about: "BTC" }],
    ["brief.BTC_24h", "BTC change, 24h", 0.81, "pct", { kind: "change", about: "BTC", window: "24h" }],
  ]),
  citations: [],
  written_by: "mixed",
  writer: {
    provider_id: "local",
    model: "qwen3-8b",
    attempts: 1,
    regenerated: false,
    violations_first_attempt: 0,
    prompt_version: "3f0c9a51be77",
  },
  pack_hash: "f969c402bb52d6555446936075909cb8bd4c1af419503537befa5955be8ab9f4",
  disclaimer: "Information computed from the sources named; no investment advice.",
};

/** In the form of a real answer; lists are cut short. */
export const example = { params: { question: DEFAULT_QUESTION }, as_of: "2026-01-13T01:00:00Z", data };
