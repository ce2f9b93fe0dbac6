import { expect, test } from "bun:test";
import type { FormError } from "intel-node";
import { renderDoorError, renderOpenAIError } from "./openai-errors.ts";

const told = (code: FormError["code"], status: number, more: Partial<FormError> = {}): FormError => ({
  code,
  status,
  message: "No.",
  param: null,
  details: {},
  request_id: "r1",
  charged: false,
  no_charge: null,
  ...more,
});

// The door's table: what the node says, and what an OpenAI client is told.
test.each([
  [told("rate_limited", 429), [429, "rate_limit_error", "rate_limited", null]],
  [told("upstream_unavailable", 503), [503, "api_error", "upstream_unavailable", null]],
  [told("upstream_bad_response", 503), [503, "api_error", "upstream_bad_response", null]],
  [told("deadline_exceeded", 504), [504, "api_error", "deadline_exceeded", null]],
  [told("body_too_large", 413), [413, "invalid_request_error", "body_too_large", null]],
  [told("unsupported_media_type", 415), [415, "invalid_request_error", "unsupported_media_type", null]],
  [told("method_not_allowed", 405), [405, "invalid_request_error", "method_not_allowed", null]],
  [told("unknown_parameter", 422, { param: "n" }), [400, "invalid_request_error", "unknown_parameter", "n"]],
  [told("invalid_parameter", 422, { param: "body" }), [400, "invalid_request_error", "invalid_json", null]],
  [
    told("invalid_parameter", 422, { param: "q", details: { missing: true } }),
    [400, "invalid_request_error", "missing_required_parameter", "q"],
  ],
  [
    told("invalid_parameter", 422, { param: "tools", details: { reason: "unsupported_parameter" } }),
    [400, "invalid_request_error", "unsupported_parameter", "tools"],
  ],
  [
    told("invalid_parameter", 422, { param: "max_tokens", details: { got: "9", allowed: { minimum: 16 } } }),
    [400, "invalid_request_error", "out_of_range", "max_tokens"],
  ],
] as const)("%j", (error, [status, type, code, param]) => {
  const rendered = renderDoorError(error);
  const message = "No. This endpoint does not support tools or vision input.";
  expect(rendered).toEqual({
    status,
    body: {
      error: { message, type, param, code },
      unsupported: ["tools", "vision"],
      request_id: "r1",
      charged: false,
    },
  });
});

test("errors that are not the door's speak of nothing it lacks", () => {
  const missing = told("not_found", 404, { param: "model", details: { reason: "model_not_found" } });
  expect(renderOpenAIError(missing)).toEqual({
    status: 404,
    body: {
      error: { message: "No.", type: "invalid_request_error", param: "model", code: "model_not_found" },
      request_id: "r1",
      charged: false,
    },
  });
});
