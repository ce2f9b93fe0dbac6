import { Type } from "@sinclair/typebox";
import { closed, defineFreeRoute, NodeError } from "intel-node";
import { listModels } from "../chat/list-models.ts";

const ID_CHARS_MAX = 200;
const SHOWN_CHARS_MAX = 60;

/** One of them (openai-openapi, retrieveModel). */
export const route = defineFreeRoute({
  path: "/v1/models/:id",
  summary: "One model of /v1/models",
  params: Type.Object(
    { id: Type.String({ minLength: 1, maxLength: ID_CHARS_MAX, description: "id of a model of /v1/models" }) },
    closed,
  ),
  ttl: "10s",
  is_bare: true,
  answer: async ({ node }, { id }) => {
    const model = listModels(node).find((one) => one.id === id);
    if (model !== undefined) return model;
    const shown = id.toWellFormed().slice(0, SHOWN_CHARS_MAX);
    const message = `The model "${shown}" cannot be asked here; /v1/models lists those that can.`;
    throw new NodeError("not_found", message, { param: "model", details: { reason: "model_not_found" } });
  },
});
