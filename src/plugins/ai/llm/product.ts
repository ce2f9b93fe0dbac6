import { Type } from "@sinclair/typebox";
import { closed, defineProduct, exampleOf } from "intel-node";
import { fetchCompletion, PREVIEW_PROMPT } from "../chat/complete.ts";
import { door, openAIForm } from "../chat/door.ts";
import { TOKENS } from "../chat/schema.ts";
import { computeCompletion } from "../chat-completions/compute.ts";
import { toChatRequest } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };

const QUESTION_CHARS_MAX = 4_000;
const example_params = { q: PREVIEW_PROMPT, max_tokens: TOKENS.default };

export const product = defineProduct({
  ...door,
  path: "/llm",
  title: "Ask a language model",
  description:
    "One question to whichever of this node's language models is alive, answered in OpenAI's form: the GET twin of " +
    "POST /v1/chat/completions. A model that fails is never charged.",
  tags: ["llm", "openai", "question", "ai"],
  search: [
    "ask a language model",
    "one question to a model",
    "prompt an LLM",
    "perguntar a um modelo",
    "pergunta a uma IA",
    "ask AI",
  ],
  params: Type.Object(
    {
      q: Type.String({
        minLength: 1,
        maxLength: QUESTION_CHARS_MAX,
        pattern: "^[^\\u0000]*$",
        description: "the question, as one user message",
      }),
      max_tokens: Type.Integer({ ...TOKENS, description: "most tokens of the answer" }),
    },
    closed,
  ),
  form: openAIForm,
  example: exampleOf(example_params, made),
  preview: { every: "24h", delay: "0s", params: [example_params] },
  fetch: (context, params) => fetchCompletion(context, toChatRequest(params)),
  compute: computeCompletion,
});
