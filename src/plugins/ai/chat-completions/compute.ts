import { type Computed, canonicalJSON, sha256Hex } from "intel-node";
import type { ChatInputs } from "../chat/complete.ts";
import type { CompletionData } from "../chat/schema.ts";

const ID_CHARS = 32;

/** A completion in OpenAI's form (openai-openapi, CreateChatCompletionResponse). */
export function computeCompletion(inputs: ChatInputs, { now_ms }: { now_ms: number }): Computed<CompletionData> {
  const { messages, requested_model, made, is_simulated } = inputs;
  const { text, usage, model, finish_reason, provider_id, attempts } = made;
  const { prompt_tokens, completion_tokens, is_estimated } = usage;
  const data: CompletionData = {
    id: `chatcmpl-${sha256Hex(canonicalJSON({ now_ms, messages, text })).slice(0, ID_CHARS)}`,
    object: "chat.completion",
    created: Math.floor(now_ms / 1_000),
    model,
    choices: [
      { index: 0, message: { role: "assistant", content: text, refusal: null }, logprobs: null, finish_reason },
    ],
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    intel_node: {
      provider_id,
      requested_model,
      attempts,
      cached: false,
      preview: false,
      sandbox: is_simulated,
      usage_estimated: is_estimated,
    },
  };
  return { as_of_ms: now_ms, data, warnings: [] };
}
