import { type KeyCommandParts, runKeyCommand } from "../admin/keys.ts";
import { renderAdminOpenAPI } from "../admin/openapi.ts";
import {
  formOf,
  OPERATION_NAMES,
  type OperationName,
  type Operations,
  operationPath,
  runOperation,
} from "../admin/operations.ts";
import { readJSONBody } from "./body.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler, HTTPCall } from "./http-call.ts";
import { forOperator } from "./operator-door.ts";
import type { Responder } from "./respond.ts";
import { renderSalesCSV } from "./sales-csv.ts";

export interface AdminAPIOptions {
  readonly responder: Responder;
  readonly operator_token: string;
  readonly operations: Operations;
  readonly commands: KeyCommandParts;
  readonly version: string;
  /** The node's own address. */
  readonly url: string;
}

const BODY_BYTES_MAX = 16_384;

export interface AdminAPI {
  readonly routes: readonly FreeRoute[];
  /** `POST /admin/keys`: the commands on keys under one path. */
  readonly keyDoor: Handler;
}

/** Every operation under its own path, for callers with the operator's token as a bearer token. */
export function createAdminAPI(options: AdminAPIOptions): AdminAPI {
  const { responder, operator_token, operations, commands } = options;
  const answer = ({ request_id }: HTTPCall, body: string, type = "application/json"): Response => {
    const headers = responder.headers({ "Cache-Control": "no-store", "Content-Type": type });
    headers.set("X-Request-Id", request_id);
    return new Response(body, { headers });
  };
  const asOperator = (work: Handler): Handler => forOperator(operator_token, work);
  const readInput = ({ request, search }: HTTPCall, name: OperationName): unknown =>
    formOf(name).method === "GET"
      ? Object.fromEntries(new URLSearchParams(search))
      : readJSONBody(request, BODY_BYTES_MAX);
  const ask = (name: OperationName): Handler =>
    asOperator(async (http_call) => {
      const given = await readInput(http_call, name);
      const result = await runOperation(operations, name, given);
      if (name === "sales" && new URLSearchParams(http_call.search).get("format") === "csv") {
        const { items } = result as Awaited<ReturnType<Operations["sales"]>>;
        return answer(http_call, renderSalesCSV(items), "text/csv; charset=utf-8");
      }
      return answer(http_call, JSON.stringify(result));
    });
  const document = asOperator((http_call) => answer(http_call, JSON.stringify(renderAdminOpenAPI(options))));
  return {
    routes: [
      ...OPERATION_NAMES.map(
        (name): FreeRoute => ({ path: operationPath(name), methods: [formOf(name).method], handler: ask(name) }),
      ),
      { path: "/admin/openapi.json", methods: ["GET"], handler: document },
    ],
    keyDoor: asOperator(async (http_call) => {
      const given = await readJSONBody(http_call.request, BODY_BYTES_MAX);
      return answer(http_call, JSON.stringify(await runKeyCommand(commands, given)));
    }),
  };
}
