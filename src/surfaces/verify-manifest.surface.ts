import { NodeError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { listSteps, renderOwnership } from "./ownership.ts";
import { rememberForms } from "./remember.ts";
import { defineSurface, json } from "./types.ts";
import { renderManifest } from "./x402-manifest.ts";

const formOf = rememberForms((model, format) => {
  if (format === "json") return json(renderOwnership(model, renderManifest(model)));
  const steps = listSteps(model, sha256Hex(renderManifest(model).text));
  const body = steps.map((step, index) => `${index + 1}. ${step}\n`).join("\n");
  return { content_type: "text/plain; charset=utf-8", body };
});

export const surface = defineSurface({
  path: "/.well-known/verify-manifest",
  summary: "Who this node is: its signed manifest, the addresses that are proven to be its own, and how to check both",
  content_type: "application/json",
  query: { format: '"text" gives the steps of checking alone, "json" everything' },
  render: (model) => formOf(model, "json"),
  answer(query, model) {
    const format = query.get("format") ?? "json";
    if (format === "json" || format === "text") return formOf(model, format);
    throw new NodeError("invalid_parameter", 'format is "json" or "text".', { param: "format" });
  },
});
