import type { CompletionData } from "./schema.ts";

/** What a request says of streaming. */
export interface StreamParams {
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

/**
 * A paid completion as OpenAI streams one (openai-openapi, CreateChatCompletionStreamResponse): the whole text, how it
 * ended, the tokens where they are wanted, and the mark of the end. Null where no stream is asked for.
 */
export function toEvents(
  { stream, stream_options }: StreamParams,
  { id, created, model, choices, usage, intel_node }: CompletionData,
): readonly string[] | null {
  const [choice] = choices;
  if (stream !== true || choice === undefined) return null;
  const { index, message, logprobs, finish_reason } = choice;
  const has_usage = stream_options?.include_usage === true;
  const chunk = (more: object) => ({ id, object: "chat.completion.chunk", created, model, ...more });
  const no_usage = has_usage ? { usage: null } : {};
  const chunks = [
    chunk({ choices: [{ index, delta: message, logprobs, finish_reason: null }], ...no_usage }),
    chunk({ choices: [{ index, delta: {}, logprobs, finish_reason }], ...no_usage, intel_node }),
    ...(has_usage ? [chunk({ choices: [], usage })] : []),
  ];
  return [...chunks.map((one) => JSON.stringify(one)), "[DONE]"];
}
