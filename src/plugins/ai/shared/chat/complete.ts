import { canonicalJSON, type FetchContext, type ModelMessage, NodeError, sha256Hex } from "intel-node";
import { settings } from "../settings.ts";
import type { CompletionData } from "./schema.ts";

/** A bare completion that somebody bought. */
export interface ChatRequest {
  readonly messages: readonly ModelMessage[];
  readonly model?: string;
  readonly max_tokens: number;
  readonly temperature: number;
}

/** Made when nobody asks: the preview's prompt. */
export const PREVIEW_PROMPT = "In two sentences, explain what an order book is.";
const ID_CHARS = 32;

/** One completion from whichever model is alive. @throws NodeError as `context.model` does */
export async function fetchCompletion(context: FetchContext, request: ChatRequest): Promise<CompletionData> {
  const { model, node, now_ms } = context;
  // It would not be on sale; a model taken away since is nobody's fault but the operator's.
  if (model === null) throw new NodeError("upstream_unavailable", "No model is configured. Nothing was charged.");
  const { system_prompt } = context.config(settings).chat;
  const first = system_prompt === "" ? [] : [{ role: "system" as const, content: system_prompt }];
  const { max_tokens, temperature } = request;
  const requested_model = request.model ?? `${node.brand}-fast`;
  const messages = [...first, ...request.messages];
  const asked = { messages, max_tokens, temperature, class: "fast" as const, prefer: requested_model };
  const { text, usage, ...made } = await model.complete(asked);
  const { prompt_tokens, completion_tokens, is_estimated } = usage;
  return {
    id: `chatcmpl-${sha256Hex(canonicalJSON({ now_ms, asked, text })).slice(0, ID_CHARS)}`,
    object: "chat.completion",
    created: Math.floor(now_ms / 1_000),
    model: made.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null },
        logprobs: null,
        finish_reason: made.finish_reason,
      },
    ],
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    intel_node: {
      provider_id: made.provider_id,
      requested_model,
      attempts: made.attempts,
      cached: false,
      preview: false,
      sandbox: context.simulated === true,
      usage_estimated: is_estimated,
    },
  };
}
