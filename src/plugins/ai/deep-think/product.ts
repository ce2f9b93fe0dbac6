import { defineProduct, exampleOf } from "intel-node";
import { parseQuestion } from "../questions/question.ts";
import { computeDeepThink } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchDeepThink } from "./fetch.ts";
import { gist } from "./gist.ts";
import { DEFAULT_QUESTION, DeepThinkParams, DeepThinkSchema } from "./schema.ts";

const example = exampleOf(
  { question: "What is the most important change in crypto and macro markets over the last 24 hours?" },
  made,
);

export const product = defineProduct({
  path: "/deep-think",
  title: "Reasoned answer to a question",
  description:
    "A question on markets, macro, crypto or technology, split, searched and put to three analysts side by side; one " +
    "answer from their cases for and against, with what is not known. Every figure is one of the node's facts, every " +
    "quotation is in its source; for questions of yes or no the median of the analysts' opinions with its spread.",
  category: "ai",
  tags: ["research", "question", "reasoning", "citations", "agents"],
  search: [
    "answer a hard question",
    "question with citations",
    "deep research",
    "reasoning",
    "pergunta difícil",
    "pesquisa profunda",
    "research a question for me",
    "responder com fontes",
  ],
  price_usd: "0.25",
  params: DeepThinkParams,
  normalise: ({ question = DEFAULT_QUESTION }) => ({ question: parseQuestion(question) }),
  data: DeepThinkSchema,
  usual_view: "brief",
  example,
  gist,
  providers: [],
  requires: [],
  asks: {
    "/global-morning-brief": "needed",
    ...({ "/council": "optional", "/br-brief": "optional", "/web-search": "optional" } as const),
  },
  uses_node: true,
  uses_model: { use: "compose", need: "needed" },
  metered: { by: "tokens" },
  ttl: "10m",
  // Two rounds of models, each of which can ask twice: sold to keys and on networks whose payments live that long.
  deadline_ms: 110_000,
  preview: { every: "24h", delay: "24h" },
  fetch: (context, { question = DEFAULT_QUESTION }) => fetchDeepThink(context, question),
  compute: computeDeepThink,
});
