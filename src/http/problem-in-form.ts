import type { FormError } from "../catalog/form.ts";
import type { NodeError } from "../core/errors.ts";
import type { Handler } from "./http-call.ts";
import type { AboutProblem, Responder } from "./respond.ts";

/** Errors in somebody else's form, with the headers of any other. */
export function createProblemInForm(
  render: (error: FormError) => { readonly status: number; readonly body: object },
  responder: Responder,
): NonNullable<Handler["problem"]> {
  const headers = responder.headers({ "Cache-Control": "no-store" });
  return (error: NodeError, { request_id, no_charge }: AboutProblem) => {
    const { code, message, options } = error;
    const { param = null, details = {}, retry_after_s, charge_unknown } = options;
    const charged = charge_unknown === true ? ("unknown" as const) : (false as const);
    const { status, body } = render({
      code,
      status: error.status,
      message,
      param,
      details,
      request_id,
      charged,
      no_charge,
    });
    const response = new Response(JSON.stringify(body), { status, headers });
    response.headers.set("X-Request-Id", request_id);
    if (retry_after_s !== undefined) response.headers.set("Retry-After", String(Math.ceil(retry_after_s)));
    return response;
  };
}
