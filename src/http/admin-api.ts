import { formOf, OPERATION_NAMES, type OperationName, type Operations, runOperation } from "../admin/operations.ts";
import { assertOperator } from "../admin/status.ts";
import { readJSONBody } from "./body.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler, HTTPCall } from "./http-call.ts";
import type { Responder } from "./respond.ts";

export interface AdminAPIOptions {
  readonly responder: Responder;
  readonly operator_token: string;
  readonly operations: Operations;
}

/** Where an operation is asked for. */
export const operationPath = (name: OperationName): string => `/admin/api/${name.replaceAll("_", "-")}`;

const BODY_BYTES_MAX = 16_384;

/** Every operation under a path of its own, for who sends the operator's token as a bearer token. */
export function createAdminAPI({ responder, operator_token, operations }: AdminAPIOptions): readonly FreeRoute[] {
  const answer = ({ request_id }: HTTPCall, body: object): Response => {
    const headers = responder.headers({ "Cache-Control": "no-store" });
    headers.set("X-Request-Id", request_id);
    return new Response(JSON.stringify(body), { headers });
  };
  const ask = (name: OperationName): Handler =>
    Object.assign(
      async (http_call: HTTPCall) => {
        const { request, search } = http_call;
        assertOperator(request.headers, operator_token);
        const given =
          formOf(name).method === "GET"
            ? Object.fromEntries(new URLSearchParams(search))
            : await readJSONBody(request, BODY_BYTES_MAX);
        return answer(http_call, await runOperation(operations, name, given));
      },
      { operator: true as const },
    );
  return OPERATION_NAMES.map((name) => ({
    path: operationPath(name),
    methods: [formOf(name).method],
    handler: ask(name),
  }));
}
