import { defineFreeRoute } from "intel-node";

/** The list OpenAI's clients read (openai-openapi, ListModelsResponse), of what the chat door can ask now. */
export const route = defineFreeRoute({
  path: "/v1/models",
  summary: "Models the chat door can ask now, in OpenAI's form, with the price of a completion",
  ttl: "10s",
  is_bare: true,
  answer: async ({ node }) => {
    const sold = node.listProducts().find(({ path }) => path === "/v1/chat/completions");
    const alive = node.listModels().filter(({ uses, is_alive }) => uses.includes("door") && is_alive);
    const created = Math.floor(node.started_at_ms / 1_000);
    const data = alive.map(({ id, model, context_tokens, is_local }) => ({
      ...{ id, object: "model", created, owned_by: node.brand },
      ...{ upstream_model: model, context_tokens, is_local, price_usd: sold?.price_usd ?? null },
    }));
    return { object: "list", data: sold ? data : [] };
  },
});
