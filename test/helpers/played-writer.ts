import type { Completion, CompletionRequest, Model } from "../../src/catalog/model.ts";
import { NodeError } from "../../src/core/errors.ts";
import { type ModelMode, type PlayedSchema, playCompletion } from "../../src/sandbox/played-completion.ts";

/** How one call goes: a mode of the played model, its very words, or that no model answers. */
export type PlayedCall = ModelMode | { readonly says: string } | "down";

export interface PlayedWriter extends Model {
  readonly requests: readonly CompletionRequest[];
}

/** The sandbox's model without a host: what a run asks of it, call by call. */
export function createPlayedWriter(callOf: (request: CompletionRequest, index: number) => PlayedCall): PlayedWriter {
  const requests: CompletionRequest[] = [];
  return {
    requests,
    async complete(request): Promise<Completion> {
      const call = callOf(request, requests.length);
      requests.push(request);
      if (call === "down") throw new NodeError("upstream_unavailable", "No model can answer now.");
      const schema = (request.json?.schema as PlayedSchema | undefined) ?? false;
      const text = typeof call === "string" ? playCompletion(request.messages, schema, call) : call.says;
      const usage = { prompt_tokens: 1, completion_tokens: 1, is_estimated: true };
      const provider_id = request.prefer ?? "played";
      return { text, provider_id, model: "m", finish_reason: "stop", attempts: 1, usage, cost_usd: 0 };
    },
  };
}
