import { ERRORS, type NodeError } from "../core/errors.ts";
import { renderProblemPage } from "../pages/problem.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { wantsPage } from "./accept.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import type { Responder } from "./respond.ts";

/** An error as a page, for a browser that reads one; null for everybody else, who gets the problem as JSON. */
export type ProblemPage = (request: Request, error: NodeError, request_id: string) => Response | null;

export function createProblemPage(responder: Responder, model: () => SurfaceModel): ProblemPage {
  const headers = responder.headers({
    ...PAGE_RESPONSE_HEADERS,
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
  });
  return (request, error, request_id) => {
    // What is sent to a path is not a person reading: forms of the pages only ever ask.
    const reads = request.method === "GET" || request.method === "HEAD" || error.status === 405;
    if (!reads || !wantsPage(request.headers.get("accept"))) return null;
    const { code, status, message, options } = error;
    const words = chooseWords("", request.headers.get("accept-language"));
    const retry_after_s = options.retry_after_s ?? null;
    const problem = { status, title: ERRORS[code].title, code, message, request_id, retry_after_s };
    const body = request.method === "HEAD" ? null : renderProblemPage(model(), problem, words);
    const response = new Response(body, { status, headers });
    response.headers.set("X-Request-Id", request_id);
    if (retry_after_s !== null) response.headers.set("Retry-After", String(Math.ceil(retry_after_s)));
    return response;
  };
}
