import { renderTime } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import { renderTool, TOOL_FORMATS, type ToolFormat } from "./function-tools.ts";
import { rememberForms } from "./remember.ts";
import { defineSurface, json, type Rendered, type SurfaceModel } from "./types.ts";

const SENT: Readonly<Record<ToolFormat, readonly string[]>> = {
  openai: ["type", "function"],
  anthropic: ["name", "description", "input_schema"],
  gemini: ["name", "description", "parameters"],
};

/** The catalog as function schemas: `url`, `method` and the prices are for whoever makes the call. */
function renderTools({ node, sandbox, now_ms, products }: SurfaceModel, format: ToolFormat): Rendered {
  return json({
    node_id: node.node_id,
    generated_at: renderTime(now_ms),
    ...(sandbox ? { sandbox: true } : {}),
    format,
    formats: TOOL_FORMATS,
    usage:
      `Send the model only ${SENT[format].join(", ")} of each tool. Call its url with the arguments: GET in the ` +
      "query, POST as JSON. A 402 answer says how to pay; X-API-Key pays from a prepaid key.",
    sent_to_model: SENT[format],
    tools: products.map((product) => ({
      ...renderTool(product, format),
      url: product.url,
      method: product.method,
      price_usd: product.price_usd,
    })),
  });
}

const formOf = rememberForms((model, format) => renderTools(model, isFormat(format) ? format : "openai"));

const isFormat = (text: string): text is ToolFormat => (TOOL_FORMATS as readonly string[]).includes(text);

export const surface = defineSurface({
  path: "/tools.json",
  summary: "Every product as a function schema for OpenAI, Anthropic or Gemini",
  content_type: "application/json",
  query: { format: "openai (default), anthropic or gemini" },
  render: (model) => renderTools(model, "openai"),
  answer: (query, model) => {
    const format = query.get("format");
    if (format === null) return null;
    if (isFormat(format)) return formOf(model, format);
    throw new NodeError("invalid_parameter", `Parameter "format" must be ${TOOL_FORMATS.join(", ")}.`, {
      param: "format",
      details: { parameter: "format", got: format.slice(0, 100), allowed: TOOL_FORMATS },
    });
  },
});
