import { type Static, Type } from "@sinclair/typebox";
import { closed, count, oneOf, text } from "intel-node";

const Message = Type.Object(
  {
    role: oneOf(["assistant"], "always the assistant"),
    content: text("what the model wrote, maybe nothing: see finish_reason; what it thought before is taken out"),
    refusal: Type.Null({ description: "always null: a refusal in words is in content" }),
  },
  { ...closed, description: "the answer" },
);

/** A chat completion as OpenAI's API has it (openai-openapi, CreateChatCompletionResponse), with one member more. */
export const CompletionSchema = Type.Object(
  {
    id: Type.String({ description: "name of this completion", pattern: "^chatcmpl-[0-9a-f]{32}$" }),
    object: oneOf(["chat.completion"], "what this is"),
    created: count("when it was made, seconds since 1970"),
    model: text("the model that answered, as its host calls it"),
    choices: Type.Array(
      Type.Object(
        {
          index: count("always 0"),
          message: Message,
          logprobs: Type.Null({ description: "always null" }),
          finish_reason: oneOf(
            ["stop", "length", "content_filter"],
            "length: cut off at max_tokens, maybe before the first word; content_filter: withheld by its host",
          ),
        },
        closed,
      ),
      { description: "one answer", minItems: 1, maxItems: 1 },
    ),
    usage: Type.Object(
      {
        prompt_tokens: count("tokens of the messages"),
        completion_tokens: count("tokens of the answer, thoughts included"),
        total_tokens: count("both"),
      },
      { ...closed, description: "as its host counted; see usage_estimated" },
    ),
    intel_node: Type.Object(
      {
        preview_of: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: "of the free preview: the parameters it is the answer to",
          }),
        ),
        provider_id: text("the operator's name for the model that answered"),
        requested_model: text("the model that was asked for"),
        attempts: count("calls of models it took, failed ones included"),
        cached: Type.Literal(false, { description: "always false: completions are never sold twice" }),
        preview: Type.Boolean({ description: "whether this is the free preview of a fixed prompt" }),
        sandbox: Type.Boolean({ description: "whether the model is played by a sandbox" }),
        usage_estimated: Type.Boolean({ description: "whether this node counted the tokens itself" }),
      },
      { ...closed, description: "what this node adds" },
    ),
  },
  closed,
);
export type CompletionData = Static<typeof CompletionSchema>;

/** Tokens of an answer, and how free it is. */
export const TOKENS = { minimum: 16, maximum: 2_048, default: 1_024 } as const;
export const TEMPERATURE = { minimum: 0, maximum: 1.5, default: 0.4 } as const;
export const ROLES = ["system", "user", "assistant"] as const;
export const MESSAGES_MAX = 64;
