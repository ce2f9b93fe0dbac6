import { defineFreeRoute } from "intel-node";
import { listModels } from "../chat/list-models.ts";

/** The list OpenAI's clients read (openai-openapi, ListModelsResponse), of what the chat door can ask now. */
export const route = defineFreeRoute({
  path: "/v1/models",
  summary: "Models the chat door can ask now, in OpenAI's form, with the price of a completion",
  ttl: "10s",
  is_bare: true,
  answer: async ({ node }) => ({ object: "list", data: listModels(node) }),
});
