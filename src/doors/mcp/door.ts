import type { Catalog } from "../../catalog/catalog.ts";
import { isNodeError, NodeError } from "../../core/errors.ts";
import { readJSONBody } from "../../http/body.ts";
import type { FreeRoute } from "../../http/free-route.ts";
import type { Handler, HTTPCall } from "../../http/http-call.ts";
import type { Responder } from "../../http/respond.ts";
import type { WatchFeed } from "../../http/watch-feed.ts";
import type { Sell } from "../../sell/sales.ts";
import { CALL_TOOL, listFreeTools, WALLET_TOOL, WATCH_TOOL } from "../../surfaces/mcp-tools.ts";
import { MCP_PATH } from "../../surfaces/mcp-versions.ts";
import type { SurfaceModel } from "../../surfaces/types.ts";
import { createToolCaller, listProductTools, type Tool } from "./call-tool.ts";
import { describeDoor, discover, initialize, serverInfo } from "./describe.ts";
import { type Era, readEra } from "./era.ts";
import {
  invalidParams,
  type Params,
  RPC,
  type RpcError,
  type RpcMessage,
  readMessage,
  renderError,
  unknownMethod,
} from "./json-rpc.ts";
import { createOriginRule } from "./origins.ts";
import { createPaymentHeaders } from "./payment-headers.ts";
import { type AnsweredCall, complete, type Result, renderResult } from "./results.ts";
import { createToolSearch } from "./search-products.ts";
import { createToolLists, type ToolList } from "./tool-lists.ts";
import { createWalletTool } from "./wallet-tool.ts";
import { createWatchEvents, isWatchMethod, type StreamAnswer } from "./watch-events.ts";
import { createWatchTool } from "./watch-tool.ts";

export interface MCPDoorOptions {
  readonly responder: Responder;
  readonly sell: Sell;
  readonly catalog: Catalog;
  /** What the documents were last rendered from: another object whenever they were rendered again. */
  readonly model: () => SurfaceModel;
  /** Paths that cost nothing. */
  readonly free: readonly FreeRoute[];
  readonly public_url: string;
  readonly body_bytes_max: number;
  /** Origins of browsers that may call: `*` means all, an empty list for those on this machine. */
  readonly allowed_origins: readonly string[];
  /** Whether the URL may hold a key, for clients that can send no header. */
  readonly key_in_url: boolean;
  /** What watches told; null where none are taken. */
  readonly watch_feed: WatchFeed | null;
  readonly now_ms: () => number;
  readonly stamp: () => Readonly<Record<string, unknown>>;
}

/** Everything that follows from the catalog, rendered once per catalog load. */
interface View {
  readonly model: SurfaceModel;
  /** The tools that an address names: `/mcp` alone means all of them. Throws NodeError for what it cannot name. */
  readonly select: (search: string) => ToolList;
  readonly server: ReturnType<typeof serverInfo>;
}

/** How and on which address a request came. */
interface EraTools {
  readonly era: Era;
  readonly list: ToolList["list"];
}

type Request = Extract<RpcMessage, { kind: "request" }>;

const isRpcError = (value: object): value is RpcError => "code" in value;

function createTools({ catalog, free, public_url }: MCPDoorOptions, model: SurfaceModel): ReadonlyMap<string, Tool> {
  const wallet = createWalletTool(free, public_url);
  const watch = createWatchTool(free, public_url);
  const products = listProductTools(catalog);
  const tools = new Map<string, Tool>([[CALL_TOOL, { kind: "any", products }]]);
  for (const { name, path } of listFreeTools(model)) {
    const route = free.find((one) => one.path === path);
    if (name === WALLET_TOOL) {
      if (wallet) tools.set(name, { kind: "wallet", show: wallet });
    } else if (name === WATCH_TOOL) {
      if (watch) tools.set(name, { kind: "watch", ask: watch });
    } else if (path === null) tools.set(name, { kind: "search", search: createToolSearch(model) });
    else if (route) tools.set(name, { kind: "free", route });
  }
  for (const [name, product] of products) tools.set(name, { kind: "product", product });
  return tools;
}

/** Rendered anew when the documents are, so that all of them and this door switch together. */
const createView = (options: MCPDoorOptions, model: SurfaceModel): View => ({
  model,
  select: createToolLists(createTools(options, model), model),
  server: serverInfo(model),
});

/**
 * The MCP endpoint: Streamable HTTP without sessions, in the revision that needs no handshake and in those that begin
 * with `initialize`. Every answer is one JSON object, but for those that tell what watches told as it happens.
 */
export function createMCPDoor(options: MCPDoorOptions): FreeRoute {
  const { responder, body_bytes_max } = options;
  const callTool = createToolCaller(options);
  const isAllowed = createOriginRule(options.allowed_origins);
  const plain = responder.headers({ "Cache-Control": "no-store" });

  let kept: View | null = null;
  const view = (): View => {
    const model = options.model();
    if (kept?.model !== model) kept = createView(options, model);
    return kept;
  };

  const send = (
    { request_id }: HTTPCall,
    body: string | null,
    init: { readonly status: number; readonly more?: Readonly<Record<string, string>> | undefined },
  ): Response => {
    const response = new Response(body, { status: init.status, headers: plain });
    for (const [name, value] of Object.entries(init.more ?? {})) response.headers.set(name, value);
    response.headers.set("X-Request-Id", request_id);
    return response;
  };
  const refuse = (http_call: HTTPCall, error: RpcError, id: string | number | null = null): Response =>
    send(http_call, renderError(id, error), { status: error.status, more: error.headers });

  /** Everything but a tool's call: cheap, free, counted as free. */
  const answerSimple = (method: string, params: Params, { era, list }: EraTools): Result | RpcError => {
    const { model } = view();
    if (method === "tools/list") {
      const { cursor } = params;
      const is_first = cursor === undefined || cursor === null || cursor === "";
      if (!is_first) return invalidParams("There is one page: no cursor is known here");
      return era.modern ? list.modern : list.legacy;
    }
    if (era.modern) {
      const has_watches = options.watch_feed !== null;
      return method === "server/discover" ? discover(model, has_watches) : unknownMethod(method, 404);
    }
    if (method === "initialize") return initialize(params, model);
    return method === "ping" ? complete({}) : unknownMethod(method, 200);
  };

  /** One call too many is reported as this door reports errors, so that clients can read it. */
  const orLimited = (http_call: HTTPCall, id: string | number | null, error: unknown): Response => {
    if (!isNodeError(error) || error.code !== "rate_limited") throw error;
    const { message, options: about } = http_call.failed(error);
    const retry_after = Math.ceil(about.retry_after_s ?? 1);
    const data = { code: "rate_limited", retry_after, request_id: http_call.request_id };
    const headers = { "Retry-After": String(retry_after) };
    return refuse(http_call, { status: 429, code: RPC.rate_limited, message, data, headers }, id);
  };

  const answer = (http_call: HTTPCall, request: Request): Promise<Response> =>
    answerCall(http_call, request).catch((error: unknown) => orLimited(http_call, request.id, error));

  const watch_events = options.watch_feed && createWatchEvents({ feed: options.watch_feed, now_ms: options.now_ms });
  async function answerWatch(http_call: HTTPCall, request: Request): Promise<AnsweredCall | RpcError | StreamAnswer> {
    const { id, method, params } = request;
    const url_key = options.key_in_url ? readUrlKey(http_call.search) : null;
    const headers = createPaymentHeaders({ headers: http_call.request.headers, meta: params._meta, url_key });
    if (watch_events === null) return unknownMethod(method, 404);
    const answered = await watch_events({ id, method, params, api_key: headers.get("x-api-key") });
    return "type" in answered ? { result: answered } : answered;
  }

  const sendStream = ({ request_id }: HTTPCall, { stream }: StreamAnswer): Response => {
    const headers = responder.headers({ "Cache-Control": "no-store", "Content-Type": "text/event-stream" });
    headers.set("X-Request-Id", request_id);
    return new Response(stream, { headers });
  };

  async function answerCall(http_call: HTTPCall, request: Request): Promise<Response> {
    const { id, method, params } = request;
    const era = readEra({ headers: http_call.request.headers, method, params });
    const count = () => http_call.count(false);
    if (isRpcError(era)) {
      count();
      return refuse(http_call, era, id);
    }
    const { select, server } = view();
    const { tools, list } = select(http_call.search);
    let answered: AnsweredCall | RpcError | StreamAnswer;
    if (method === "tools/call") {
      const url_key = options.key_in_url ? readUrlKey(http_call.search) : null;
      answered = await callTool({ http_call, params, era, tools, url_key });
    } else if (era.modern && isWatchMethod(method)) {
      count();
      answered = await answerWatch(http_call, request);
      if ("stream" in answered) return sendStream(http_call, answered);
    } else {
      count();
      const simple = answerSimple(method, params, { era, list });
      answered = isRpcError(simple) ? simple : { result: simple };
    }
    if (isRpcError(answered)) return refuse(http_call, answered, id);
    const { result, headers } = answered;
    return send(http_call, renderResult(id, era, { result, server }), { status: 200, more: headers });
  }

  async function post(http_call: HTTPCall): Promise<Response> {
    const read = await readBody(http_call, body_bytes_max);
    const message: RpcMessage | RpcError = isRpcError(read) ? read : readMessage(read.body);
    if (!isRpcError(message) && message.kind === "request") return answer(http_call, message);
    http_call.count(false);
    if (isRpcError(message)) return refuse(http_call, message);
    if (message.kind === "invalid") {
      return refuse(http_call, { status: 400, code: RPC.invalid_request, message: message.why }, message.id);
    }
    // A cancelled call may have been paid: its payment goes on, and its answer can be asked for again.
    return send(http_call, null, { status: 202 });
  }

  function get(http_call: HTTPCall): Response {
    http_call.count(false);
    const { request } = http_call;
    if ((request.headers.get("accept") ?? "").includes("text/event-stream")) {
      const error = new NodeError("method_not_allowed", "This door offers no stream: POST one message at a time.");
      const about = { request_id: http_call.request_id, no_charge: null };
      const response = responder.problem(error, about);
      response.headers.set("Allow", "POST");
      return response;
    }
    const body = request.method === "HEAD" ? null : JSON.stringify(describeDoor(view().model));
    return send(http_call, body, { status: 200 });
  }

  const handler: Handler = (http_call) => {
    const { headers, method } = http_call.request;
    if (!isAllowed(headers.get("origin"))) {
      http_call.count(false);
      const message = "Calls from this origin are not taken: ask the operator to allow it.";
      return refuse(http_call, { status: 403, code: RPC.invalid_request, message });
    }
    if (method !== "POST") return get(http_call);
    if (!options.key_in_url && readUrlKey(http_call.search) !== null) {
      http_call.count(false);
      const message = "Keys are not taken from the URL here: send X-API-Key, or Authorization: Bearer.";
      return refuse(http_call, { status: 400, code: RPC.invalid_request, message });
    }
    const unknown = faultOf(() => view().select(http_call.search));
    if (unknown) {
      http_call.count(false);
      const { message, options: about } = http_call.failed(unknown);
      const data = { code: unknown.code, ...about.details };
      return refuse(http_call, { status: unknown.status, code: RPC.invalid_params, message, data });
    }
    return post(http_call).catch((error: unknown) => orLimited(http_call, null, error));
  };
  return {
    path: MCP_PATH,
    methods: ["GET", "POST"],
    handler: Object.assign(handler, { counts_itself: true as const, key_param: "key" }),
  };
}

/** What is wrong with an address, if anything. */
function faultOf(read: () => unknown): NodeError | null {
  try {
    read();
    return null;
  } catch (error) {
    if (isNodeError(error)) return error;
    throw error;
  }
}

const readUrlKey = (search: string): string | null => (search === "" ? null : new URLSearchParams(search).get("key"));

async function readBody({ request }: HTTPCall, bytes_max: number): Promise<{ readonly body: unknown } | RpcError> {
  try {
    const body = await readJSONBody(request, bytes_max);
    if (body !== undefined) return { body };
    return { status: 400, code: RPC.parse_error, message: "The body is empty." };
  } catch (error) {
    if (!isNodeError(error)) throw error;
    const is_json = error.code !== "invalid_parameter";
    const { message } = error;
    return is_json
      ? { status: error.status, code: RPC.invalid_request, message }
      : { status: 400, code: RPC.parse_error, message };
  }
}
