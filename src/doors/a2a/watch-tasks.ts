import { renderTime } from "../../core/clock.ts";
import { isNodeError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import type { FreeRoute } from "../../http/free-route.ts";
import type { HTTPCall } from "../../http/http-call.ts";
import type { WatchFeed } from "../../http/watch-feed.ts";
import { RPCError, type Version } from "./protocol.ts";
import { contextOf, renderArtifact, spellState, stateOf } from "./push.ts";
import type { PushCall, PushConfig, SendCall } from "./read-request.ts";

/** The skill that sets a watch. */
const WATCH_SKILL = "watch";
const WATCH_ID = /^wat_[0-9A-Za-z]{1,40}$/;
/** Events that a task shows: the newest. */
const SHOWN = 20;
/** A watch has one receiver. */
const CONFIG_ID = "webhook";

interface AskedAs {
  readonly http_call: HTTPCall;
  readonly version: Version;
}

/** Watches as tasks: a task that goes on until its watch ends, told by push notifications. */
export interface WatchTasks {
  /** Whether a message asks for a watch. */
  isWanted(call: SendCall): boolean;
  /** Whether a task is one. */
  isOne(id: string): boolean;
  /** @throws RPCError, having set nothing. */
  set(call: SendCall, asked: AskedAs): Promise<object>;
  get(id: string, asked: AskedAs): Promise<object>;
  cancel(id: string, asked: AskedAs): Promise<object>;
  push(call: PushCall, asked: AskedAs): Promise<object | null>;
}

interface WatchTaskOptions {
  /** The node's free paths, with those of watches. */
  readonly free: readonly FreeRoute[];
  readonly feed: WatchFeed;
  readonly public_url: string;
}

type Body = Readonly<Record<string, unknown>>;

export function createWatchTasks({ free, feed, public_url }: WatchTaskOptions): WatchTasks {
  /** Asks the door of watches, as over HTTP. @throws RPCError */
  async function ask(
    { http_call }: AskedAs,
    wanted: { readonly path: string; readonly id?: string; readonly method: "POST" | "DELETE"; readonly body?: Body },
    name?: string,
  ): Promise<Body> {
    const { path, id = "", method, body } = wanted;
    const route = free.find((one) => one.path === path);
    if (!route) throw new RPCError("unsupported_operation", "This node takes no watches.");
    // Without a key the door would sell one, to who pays by a header.
    const headers = new Headers({ "content-type": "application/json", "x-api-key": keyIn(http_call) ?? "" });
    if (name !== undefined) headers.set("idempotency-key", name);
    const init = { method, headers, ...(method === "POST" ? { body: JSON.stringify(body ?? {}) } : {}) };
    const request = new Request(`${public_url}${path.replace(":id", id)}`, init);
    try {
      const response = await route.handler({ ...http_call, request, search: "" });
      return (await response.json()) as Body;
    } catch (error) {
      throw toRefusal(error);
    }
  }

  const find = async (id: string, { http_call }: AskedAs) => {
    try {
      return await feed.find(keyIn(http_call), id);
    } catch (error) {
      if (!isNodeError(error)) throw error;
      throw new RPCError("task_not_found", "No such watch of the key in X-API-Key.", {}, error);
    }
  };

  const show = async (id: string, asked: AskedAs, metadata: Body = {}): Promise<object> => {
    const { version } = asked;
    const watch = await find(id, asked);
    const after = Math.max(0, feed.last(id) - SHOWN);
    const { events } = feed.page(id, { after, limit: SHOWN });
    const at_ms = events.at(-1)?.at_ms ?? watch.created_ms;
    const status = { state: spellState(stateOf(watch.ended), version), timestamp: renderTime(at_ms) };
    return {
      ...(version === "0.3" ? { kind: "task" } : {}),
      id,
      contextId: contextOf(id),
      status,
      history: [],
      artifacts: events.map((event) => renderArtifact({ ...event, watch: id }, version)),
      metadata: { product: watch.product, state: watch.state, ...metadata },
    };
  };

  const renderConfig = (id: string, url: string, version: Version): object =>
    version === "0.3"
      ? { taskId: id, pushNotificationConfig: { id: CONFIG_ID, url } }
      : { taskId: id, id: CONFIG_ID, url };

  const hookUrl = async (id: string, asked: AskedAs): Promise<string> => {
    await find(id, asked);
    const url = feed.hookUrl(id);
    if (url === null) throw new RPCError("task_not_found", "Nothing of this watch is pushed.");
    return url;
  };

  return {
    isWanted: ({ message }) => message.parts.some((part) => "data" in part && part.data.skill === WATCH_SKILL),
    isOne: (id) => WATCH_ID.test(id),
    async set({ message, push }, asked) {
      const order = readOrder(message.parts);
      const webhook = push === null ? {} : { webhook: hookOf(push, asked.version) };
      const name = sha256Hex(`a2a ${message.id}`);
      const set = await ask(asked, { path: "/watch", method: "POST", body: { ...order, ...webhook } }, name);
      const { watch, webhook_secret } = set;
      return show(String(watch), asked, webhook_secret === undefined ? {} : { webhook_secret });
    },
    get: (id, asked) => show(id, asked),
    async cancel(id, asked) {
      const { state } = await find(id, asked);
      if (state === "ended") throw new RPCError("task_not_cancelable", "The watch has ended already.");
      await ask(asked, { path: "/watch/:id", id, method: "DELETE" });
      return show(id, asked);
    },
    async push(call, asked) {
      const { version } = asked;
      const { id } = call;
      if (call.operation === "push_set") {
        await find(id, asked);
        const body = hookOf(call.config, version);
        await ask(asked, { path: "/watch/:id/webhook", id, method: "POST", body });
        return renderConfig(id, call.config.url, version);
      }
      const url = await hookUrl(id, asked);
      if (call.operation === "push_get") return renderConfig(id, url, version);
      if (call.operation === "push_list") {
        const config = renderConfig(id, url, version);
        return version === "0.3" ? [config] : { configs: [config], nextPageToken: "" };
      }
      await ask(asked, { path: "/watch/:id/webhook", id, method: "DELETE" });
      return version === "0.3" ? null : {};
    },
  };
}

const keyIn = ({ request }: HTTPCall): string | null => request.headers.get("x-api-key");

/** The order of a watch, which a data part has as the parameters of the skill. @throws RPCError */
function readOrder(parts: SendCall["message"]["parts"]): Body {
  const [part, ...others] = parts.filter((one) => "data" in one);
  const params = part && "data" in part ? part.data.params : null;
  if (others.length > 0 || typeof params !== "object" || params === null || Array.isArray(params)) {
    const message = `Send one data part {"skill": "${WATCH_SKILL}", "params": {…}}: params are the order of the watch.`;
    throw new RPCError("invalid_params", message);
  }
  return params as Body;
}

const hookOf = ({ url, token, authorization }: PushConfig, version: Version): Body => ({
  url,
  form: version === "0.3" ? "a2a-0.3" : "a2a-1.0",
  ...(token === null ? {} : { token }),
  ...(authorization === null ? {} : { authorization }),
});

/** Refusals of the door of watches, as JSON-RPC says them. */
function toRefusal(error: unknown): unknown {
  if (!isNodeError(error) || error.code === "rate_limited" || error.status >= 500) return error;
  return new RPCError("invalid_params", error.message, {}, error);
}
