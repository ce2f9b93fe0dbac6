import type { Catalog } from "../../catalog/catalog.ts";
import { isNodeError, messageOf, NodeError } from "../../core/errors.ts";
import { readJSONBody } from "../../http/body.ts";
import type { FreeRoute } from "../../http/free-route.ts";
import type { Handler, HTTPCall } from "../../http/http-call.ts";
import type { Responder } from "../../http/respond.ts";
import { assertNoKeyIn } from "../../http/shown-key.ts";
import type { Sell } from "../../sell/sales.ts";
import type { SurfaceModel } from "../../surfaces/types.ts";
import type { Log } from "../../telemetry/log.ts";
import { type Activation, CODES, RPCError, readExtensions, readVersion, type Version } from "./protocol.ts";
import { type A2ACall, idOf, type PushCall, type RPCId, readCall } from "./read-request.ts";
import { renderTask } from "./render-task.ts";
import { asInvalidParams, createSkills } from "./skills.ts";
import { createSkillSuggestions } from "./suggest-skills.ts";
import { createTasks, type TaskStore, type Tasks, type WorkingTasks } from "./tasks.ts";
import type { WatchTasks } from "./watch-tasks.ts";

export interface A2AOptions {
  readonly catalog: Catalog;
  readonly sell: Sell;
  readonly responder: Responder;
  readonly rows: TaskStore;
  readonly public_url: string;
  readonly body_bytes_max: number;
  /** Whose products are suggested to those who name no skill. */
  readonly model: () => SurfaceModel;
  readonly working: WorkingTasks;
  readonly now_ms: () => number;
  readonly log: Log;
  /** Null where none are taken. */
  readonly watches: WatchTasks | null;
}

/** How long a task can be asked for after its last change. */
export const TASKS_KEPT_MS = 24 * 3_600_000;

/** `POST /a2a`: every product as a skill, over JSON-RPC as A2A 0.3 and 1.0 have it. */
export function createA2ADoor(options: A2AOptions): FreeRoute {
  const { catalog, sell, responder, rows, working, public_url, now_ms, log } = options;
  const skills = createSkills(catalog, public_url);
  const onLost = (error: unknown) => log.error({ event: "task_not_kept", error: messageOf(error) });
  const suggest = createSkillSuggestions(options.model);
  const tasks = createTasks({ rows, working, skills, suggest, sell, now_ms, keep_ms: TASKS_KEPT_MS, onLost });
  const headers = responder.headers({ "Cache-Control": "no-store" });

  const respond = ({ request_id }: HTTPCall, body: object, echoed: Activation["headers"]): Response => {
    const response = new Response(JSON.stringify({ jsonrpc: "2.0", ...body }), { headers });
    response.headers.set("X-Request-Id", request_id);
    for (const [name, value] of echoed) response.headers.set(name, value);
    return response;
  };

  const handler: Handler = async (http_call) => {
    const { request } = http_call;
    const activation = readExtensions(request.headers);
    const at = { id: null as RPCId, version: "0.3" as Version, counted: false };
    const count = (paying: boolean): void => {
      at.counted = true;
      http_call.count(paying);
    };
    try {
      at.version = readVersion(request.headers);
      const body = await readBody(request, options.body_bytes_max);
      at.id = idOf(body);
      const call = readCall(body, at.version);
      if (call.operation === "send") assertNoKey(body, request.headers);
      const asked = { http_call, version: at.version, protocol: activation.protocol, count };
      const result = await answer({ tasks, watches: options.watches }, call, asked);
      return respond(http_call, { id: at.id, result }, activation.headers);
    } catch (error) {
      // A caller over the limit gets the status, as on every other path.
      if (isNodeError(error) && error.code === "rate_limited") throw error;
      if (!at.counted) count(false);
      // Whose upload broke off reads no answer: the status is for the log and the counts.
      if (isNodeError(error) && error.code === "body_incomplete") throw error;
      return respond(http_call, { id: at.id, error: renderError(error, http_call, at.version) }, activation.headers);
    }
  };
  return { path: "/a2a", methods: ["POST"], handler: Object.assign(handler, { counts_itself: true as const }) };
}

/** @throws RPCError parse_error, invalid_request or content_type_not_supported; NodeError body_incomplete */
async function readBody(request: Request, bytes_max: number): Promise<unknown> {
  try {
    return await readJSONBody(request, bytes_max);
  } catch (error) {
    if (!isNodeError(error) || error.code === "body_incomplete") throw error;
    if (error.code === "unsupported_media_type") {
      throw new RPCError("content_type_not_supported", "Send the request as application/json.", {}, error);
    }
    const code = error.code === "body_too_large" ? "invalid_request" : "parse_error";
    throw new RPCError(code, error.message, {}, error);
  }
}

/** @throws RPCError invalid_params */
function assertNoKey(body: unknown, headers: Headers): void {
  try {
    assertNoKeyIn(JSON.stringify(body), headers);
  } catch (error) {
    throw isNodeError(error) ? asInvalidParams(error) : error;
  }
}

interface RPCContext {
  readonly http_call: HTTPCall;
  readonly version: Version;
  readonly protocol: 1 | 2;
  readonly count: (paying: boolean) => void;
}

interface Answerers {
  readonly tasks: Tasks;
  readonly watches: WatchTasks | null;
}

async function answer({ tasks, watches }: Answerers, call: A2ACall, asked: RPCContext): Promise<unknown> {
  const { http_call, version, protocol, count } = asked;
  if (call.operation === "send") {
    if (watches?.isWanted(call)) {
      count(false);
      const set = await watches.set(call, asked);
      return version === "0.3" ? set : { task: set };
    }
    if (call.push !== null) throw pushesNothing();
    const task = renderTask(await tasks.send({ message: call.message, protocol, http_call, count }), version, call);
    return version === "0.3" ? task : { task };
  }
  count(false);
  const of_watch = watches?.isOne(call.id) ? watches : null;
  if (isPushCall(call)) {
    if (!of_watch) throw pushesNothing();
    return of_watch.push(call, asked);
  }
  if (of_watch) return of_watch[call.operation](call.id, asked);
  const task = call.operation === "get" ? tasks.get(call.id) : await tasks.cancel(call.id, http_call.client);
  return renderTask(task, version, call);
}

const isPushCall = (call: A2ACall): call is PushCall => call.operation.startsWith("push_");

const pushesNothing = (): RPCError =>
  new RPCError("push_not_supported", "Only watches are pushed: every other task is answered when it is done.");

/** An error as JSON-RPC has it. An error that other doors have, too, says the same as there. */
function renderError(error: unknown, http_call: HTTPCall, version: Version): object {
  const refused = error instanceof RPCError ? error : null;
  const known = http_call.failed(
    refused?.known ?? (refused ? new NodeError("invalid_request", refused.message) : error),
  );
  const [code, reason] = CODES[refused?.code ?? "internal_error"];
  const details = {
    ...refused?.details,
    ...(refused && !refused.known ? {} : { code: known.code, ...known.options.details }),
    charged: known.options.charge_unknown ? "unknown" : false,
    request_id: http_call.request_id,
  };
  const { message } = refused ?? known;
  if (version === "0.3") return { code, message, data: details };
  const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" };
  const value = { "@type": "type.googleapis.com/google.protobuf.Struct", value: details };
  return { code, message, data: [info, value] };
}
