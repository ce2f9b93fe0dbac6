import { type Completion, type FetchContext, type ModelMessage, NodeError } from "intel-node";
import { settings } from "../settings.ts";

/** A bare completion that somebody wants. */
export interface ChatRequest {
  readonly messages: readonly ModelMessage[];
  readonly model?: string;
  readonly max_tokens: number;
  readonly temperature: number;
}

/** A completion, and what was asked for. */
export interface ChatInputs {
  readonly messages: readonly ModelMessage[];
  readonly requested_model: string;
  readonly made: Completion;
  readonly is_simulated: boolean;
}

/** The preview's prompt, which no buyer sent. */
export const PREVIEW_PROMPT = "In two sentences, explain what an order book is.";

/** One completion from whichever model is alive. @throws NodeError as `context.model` does */
export async function fetchCompletion(context: FetchContext, request: ChatRequest): Promise<ChatInputs> {
  const { model, node, simulated = false } = context;
  // Without a model it is not on sale, so the operator has removed the model since.
  if (model === null) throw new NodeError("upstream_unavailable", "No model is configured. Nothing was charged.");
  const { system_prompt } = context.config(settings).chat;
  const first = system_prompt === "" ? [] : [{ role: "system" as const, content: system_prompt }];
  const { max_tokens, temperature } = request;
  const requested_model = request.model ?? `${node.brand}-fast`;
  const messages = [...first, ...request.messages];
  const made = await model.complete({ messages, max_tokens, temperature, class: "fast", prefer: requested_model });
  return { messages, requested_model, made, is_simulated: simulated };
}
