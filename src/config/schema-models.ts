import { Type } from "@sinclair/typebox";
import { DURATION_PATTERN } from "../core/duration.ts";
import { closed } from "../core/schema-fields.ts";
import { Flag, Price, Url, USD_PATTERN } from "./schema-parts.ts";

const PerMillion = (what: string, example: string) =>
  Type.String({
    pattern: USD_PATTERN,
    description: `what a million tokens of ${what} cost you, USD; "0" for a model of your own`,
    example,
    expects: 'a USD amount such as "0.15", or "0"',
  });

/** One entry of [[models]]: any host that speaks OpenAI's chat completions. */
export const ModelEntry = Type.Object(
  {
    id: Type.String({
      pattern: "^[a-z][a-z0-9_-]{0,39}$",
      description: "your name for it, in answers and logs",
      example: "local",
      expects: "a lower-case word",
    }),
    base_url: Url("address below which /chat/completions is", "http://127.0.0.1:8080/v1"),
    model: Type.String({ minLength: 1, maxLength: 200, description: "what its host calls it", example: "gpt-oss-20b" }),
    api_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        secret: true,
        description: "key, if its host asks for one",
        example: "…",
      }),
    ),
    classes: Type.Array(Type.Union([Type.Literal("fast"), Type.Literal("writer"), Type.Literal("judge")]), {
      default: [],
      maxItems: 3,
      description: "what it is good for: quick answers, prose, judging; empty = all",
      example: ["fast", "writer"],
    }),
    use: Type.Optional(
      Type.Array(Type.Union([Type.Literal("compose"), Type.Literal("door")]), {
        minItems: 1,
        maxItems: 2,
        description:
          '"compose": products write with it; "door": bare completions are sold; unset: both, if it is yours',
        example: ["compose"],
      }),
    ),
    context_tokens: Type.Integer({
      minimum: 1_024,
      maximum: 10_000_000,
      default: 8_192,
      description: "tokens of a request and its answer together",
    }),
    price_in: PerMillion("the request", "0.15"),
    price_out: PerMillion("the answer", "0.60"),
    daily_usd: Type.Optional(Price("what it may cost a day, USD")),
    timeout: Type.Optional(
      Type.String({
        pattern: DURATION_PATTERN,
        description: "time limit of one call; unset: 90s on your own machines, else 30s",
        example: "30s",
        expects: 'a duration such as "30s"',
      }),
    ),
    parallel: Type.Integer({ minimum: 1, maximum: 1_000, default: 4, description: "calls at once" }),
    terms_ack: Flag(false, "true states that its host's terms allow you to sell what is written with it"),
    door_ack: Flag(false, "true states that its host's terms allow you to sell its bare completions"),
  },
  { ...closed, description: "a language model, in order of preference; any OpenAI-compatible address" },
);

export const LLM = Type.Object(
  {
    enabled: Flag(true, "false asks no model: what needs one is not sold, the rest writes by templates"),
    parallel: Type.Integer({ minimum: 1, maximum: 1_000, default: 8, description: "calls at once, of all models" }),
    daily_usd: Type.String({
      pattern: USD_PATTERN,
      default: "5.00",
      description: "what all models may cost a day of UTC, USD; then only free ones are asked",
      expects: 'a USD amount such as "5.00"',
    }),
    cost_share: Type.Number({
      minimum: 0,
      maximum: 10,
      default: 0.3,
      description: "part of a product's price that one call of a model may cost",
    }),
    door_cost_share: Type.Number({
      minimum: 0,
      maximum: 10,
      default: 0.5,
      description: "the same of a bare completion",
    }),
    run_cost_share: Type.Number({
      minimum: 0,
      maximum: 10,
      default: 0.8,
      description: "part of a product's price that all calls for one answer may cost together",
    }),
    guest_share: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.3,
      description: "part of daily_usd for passes, coupons and previews, which pay no answer by itself",
    }),
    product_daily_usd: Type.Record(Type.String({ pattern: "^/" }), Price("what this path's models may cost a day"), {
      default: {},
      description: "what models may cost a day for one path, USD",
      example: { "/llm": "1.00" },
    }),
  },
  { ...closed, description: "what language models may cost" },
);
