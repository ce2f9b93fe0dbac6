import type { HTTPCall } from "./http-call.ts";
import { type Responder, respondAs } from "./respond.ts";

/** Answers with a JSON value, without its body to HEAD. */
export type JSONAnswer = (http_call: HTTPCall, value: unknown, status?: number) => Response;

/** Answers with a picture, likewise. */
export function createSVGAnswer(responder: Responder, cache: string): (http_call: HTTPCall, svg: string) => Response {
  const headers = responder.headers({ "Cache-Control": cache, "Content-Type": "image/svg+xml" });
  return ({ request, request_id }, svg) => {
    return respondAs(request_id, request.method === "HEAD" ? null : svg, { headers });
  };
}

/** For the answers of one kind of free path: their Cache-Control is fixed once. */
export function createJSONAnswer(responder: Responder, cache: string): JSONAnswer {
  const headers = responder.headers({ "Cache-Control": cache });
  return ({ request, request_id }, value, status = 200) => {
    return respondAs(request_id, request.method === "HEAD" ? null : JSON.stringify(value), { status, headers });
  };
}
