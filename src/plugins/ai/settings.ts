import { Type } from "@sinclair/typebox";

/** Engines that know the whole web, as `search_order` names them. */
export const GENERAL_ENGINES = ["searxng", "brave", "exa", "serper", "tavily"] as const;
export type GeneralEngine = (typeof GENERAL_ENGINES)[number];

/** [plugins.ai] */
export const settings = Type.Object({
  feeds_off: Type.Array(Type.String({ maxLength: 40 }), {
    default: [],
    maxItems: 100,
    description: "news feeds that are not read, by their ids",
    example: ["techcrunch"],
  }),
  search_order: Type.Array(Type.Union(GENERAL_ENGINES.map((id) => Type.Literal(id))), {
    default: [...GENERAL_ENGINES],
    maxItems: GENERAL_ENGINES.length,
    uniqueItems: true,
    description: "general search engines in the order they are preferred; three are asked at most",
  }),
  chat: Type.Object(
    {
      lenient: Type.Boolean({
        default: false,
        description: "without effect: what changes nothing of an answer (stream: false, n: 1, user) is always taken",
      }),
      system_prompt: Type.String({ default: "", maxLength: 4_000, description: "put before every conversation" }),
      prompt_bytes_max: Type.Integer({
        default: 24_000,
        minimum: 1_000,
        maximum: 30_000,
        description: "most bytes of all messages of a call",
      }),
    },
    { additionalProperties: false, description: "the chat door: /v1/chat/completions and /llm" },
  ),
});
