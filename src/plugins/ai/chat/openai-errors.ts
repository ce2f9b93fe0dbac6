import type { FormError } from "intel-node";

/** Features this endpoint lacks; every error, including the 402, lists them. */
export const UNSUPPORTED = ["tools", "vision"] as const;
const SENTENCE = "This endpoint does not support tools or vision input.";

const NUMBER = /^-?\d+(\.\d+)?$/;

/** The code of a refused parameter without its own wording: the node's own check of it. */
function codeOf({ code, param, details }: FormError): string {
  if (code === "unknown_parameter") return "unknown_parameter";
  if (details.missing === true) return "missing_required_parameter";
  if (param === "body") return "invalid_json";
  const { got, allowed } = details;
  const has_range = typeof allowed === "object" && allowed !== null && ("minimum" in allowed || "maxLength" in allowed);
  const is_number = typeof got === "string" && NUMBER.test(got);
  return has_range && (got === undefined || is_number) ? "out_of_range" : "invalid_type";
}

const typeOf = (status: number): string => {
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "api_error" : "invalid_request_error";
};

/** An error as OpenAI's API words it (openai-openapi, ErrorResponse), with what this node adds beside it. */
export function renderOpenAIError(error: FormError): { readonly status: number; readonly body: object } {
  const { message, details, request_id, charged, no_charge } = error;
  const is_refusal = error.code === "invalid_parameter" || error.code === "unknown_parameter";
  const status = error.status === 422 ? 400 : error.status;
  const reason = typeof details.reason === "string" ? details.reason : null;
  const code = reason ?? (is_refusal ? codeOf(error) : error.code);
  const param = code === "invalid_json" ? null : error.param;
  return {
    status,
    body: {
      error: { message, type: typeOf(status), param, code },
      request_id,
      charged,
      ...(no_charge === null ? {} : { no_charge }),
    },
  };
}

/** The same for the chat door, whose every error says what it does not do. */
export function renderDoorError(error: FormError): { readonly status: number; readonly body: object } {
  const { status, body } = renderOpenAIError({ ...error, message: `${error.message} ${SENTENCE}` });
  return { status, body: { ...body, unsupported: UNSUPPORTED } };
}
