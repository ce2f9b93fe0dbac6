import { NodeError } from "../core/errors.ts";
import { renderOpenAPI, renderProductOpenAPI } from "./openapi/document.ts";
import { rememberForms } from "./remember.ts";
import { defineSurface, json } from "./types.ts";

const formOf = rememberForms((model, id) => {
  const product = model.products.find((one) => one.id === id);
  return json(product ? renderProductOpenAPI(product, model) : renderOpenAPI(model));
});

export const surface = defineSurface({
  path: "/openapi.json",
  summary: "Every path, paid and free, as OpenAPI 3.1.0",
  content_type: "application/json",
  query: { product: "id of a product: its path alone, with everything about it" },
  render: (model) => json(renderOpenAPI(model)),
  answer: (query, model) => {
    const id = query.get("product");
    if (id === null) return null;
    if (model.products.some((one) => one.id === id)) return formOf(model, id);
    throw new NodeError("invalid_parameter", 'Parameter "product" names nothing that is sold here.', {
      param: "product",
      details: { parameter: "product", got: id.slice(0, 100), allowed: model.products.map((one) => one.id) },
    });
  },
});
