import { Type } from "@sinclair/typebox";
import { closed, defineProduct, exampleOf, oneOf } from "intel-node";
import { fetchCompletion, PREVIEW_PROMPT } from "../chat/complete.ts";
import { assertConversation } from "../chat/conversation.ts";
import { door, openAIForm } from "../chat/door.ts";
import { readChatBody } from "../chat/read-body.ts";
import { MESSAGES_MAX, ROLES, TEMPERATURE, TOKENS } from "../chat/schema.ts";
import { toEvents } from "../chat/to-events.ts";
import { settings } from "../settings.ts";
import { computeCompletion } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };

const BODY_BYTES_MAX = 32_768;
const example_params = {
  messages: [{ role: "user" as const, content: PREVIEW_PROMPT }],
  max_tokens: TOKENS.default,
  temperature: TEMPERATURE.default,
};

export const product = defineProduct({
  ...door,
  path: "/v1/chat/completions",
  methods: ["POST"],
  title: "Chat completion",
  description:
    "One chat completion in OpenAI's form, from whichever of this node's models is alive: point an OpenAI client " +
    "that lets the payment header through at this node, pay per call, no account. No tools, no vision input; a " +
    "stream comes whole, once it is paid. A model that fails is never charged; by GET: /llm.",
  tags: ["llm", "openai", "chat", "completion", "ai"],
  search: [
    "OpenAI compatible chat",
    "chat completion",
    "language model by call",
    "GPT",
    "modelo de linguagem",
    "ChatGPT",
    "drop-in OpenAI API",
  ],
  params: Type.Object(
    {
      messages: Type.Array(
        Type.Object(
          {
            role: oneOf(ROLES, "who speaks"),
            content: Type.String({
              description: "the message, as text; it may be empty for the assistant and the system only",
            }),
          },
          closed,
        ),
        {
          minItems: 1,
          maxItems: MESSAGES_MAX,
          description: "the conversation; the last message is not the assistant's; at most 24,000 bytes of content",
        },
      ),
      model: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: "a model of /v1/models to try first; else ignored" }),
      ),
      max_tokens: Type.Integer({ ...TOKENS, description: "most tokens of the answer" }),
      temperature: Type.Number({ ...TEMPERATURE, description: "how free the answer is" }),
      stream: Type.Optional(
        Type.Boolean({ description: "true: the whole answer as OpenAI's events, once it is paid; over HTTP alone" }),
      ),
      stream_options: Type.Optional(
        Type.Object(
          { include_usage: Type.Optional(Type.Boolean({ description: "true: one event more, with the tokens" })) },
          { ...closed, description: "of a stream" },
        ),
      ),
    },
    closed,
  ),
  assertSold: ({ messages }, node) => assertConversation(messages, node.config(settings).chat.prompt_bytes_max),
  form: {
    ...openAIForm,
    body_bytes_max: BODY_BYTES_MAX,
    shows_402_to_get: true,
    toEvents,
    readBody: (body, node) => readChatBody(body, node.config(settings).chat),
  },
  example: exampleOf(example_params, made),
  preview: { every: "24h", delay: "0s", params: [example_params] },
  fetch: fetchCompletion,
  compute: computeCompletion,
});
