import type { FreeContext } from "intel-node";

/** A model as OpenAI's API has it (openai-openapi, Model), with what this node adds. */
export interface ListedModel {
  readonly id: string;
  readonly object: "model";
  readonly created: number;
  readonly owned_by: string;
  readonly upstream_model: string;
  readonly context_tokens: number;
  readonly is_local: boolean;
  readonly price_usd: string;
}

/** The models the chat door can ask now; empty where it is not sold. */
export function listModels(node: FreeContext["node"]): readonly ListedModel[] {
  const sold = node.listProducts().find(({ path }) => path === "/v1/chat/completions");
  if (sold === undefined) return [];
  const { price_usd } = sold;
  const alive = node.listModels().filter(({ uses, is_alive }) => uses.includes("door") && is_alive);
  const created = Math.floor(node.started_at_ms / 1_000);
  return alive.map(({ id, model, context_tokens, is_local }) => ({
    id,
    object: "model",
    created,
    owned_by: node.brand,
    upstream_model: model,
    context_tokens,
    is_local,
    price_usd,
  }));
}
