import { type Static, Type } from "@sinclair/typebox";
import { renderTime } from "../../core/clock.ts";
import { isNodeError, type NodeError } from "../../core/errors.ts";
import type { Frames, WatchFeed } from "../../http/watch-feed.ts";
import { createReader } from "../../payments/codec.ts";
import type { RequestId, RpcError } from "./json-rpc.ts";
import { invalidParams, RPC } from "./json-rpc.ts";
import { complete, type Result } from "./results.ts";

/** A stream, where a request is answered by more than one message. */
export interface StreamAnswer {
  readonly stream: ReadableStream<Uint8Array>;
}

interface WatchCall {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The secret of a key; null where none was sent. */
  readonly api_key: string | null;
}

/**
 * What the revision of 2026-07-28 knows of things that happen: a watch is a resource that `subscriptions/listen` tells
 * changes of, and an event type of the draft Events extension, polled or streamed.
 */
export type WatchEventDoor = (call: WatchCall) => Promise<Result | RpcError | StreamAnswer>;

const METHODS = [
  ...["resources/list", "resources/templates/list", "resources/read", "subscriptions/listen"],
  ...["events/list", "events/poll", "events/stream"],
] as const;
type Method = (typeof METHODS)[number];
export const isWatchMethod = (method: string): method is Method => METHODS.some((one) => one === method);

/** Of the draft Events extension. */
const NOT_FOUND = -32_011;
const EXHAUSTED = -32_013;
const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

const SCHEME = "watch:";
const LISTENED_MAX = 50;
const POLLED_DEFAULT = 50;
const READ_AT_ONCE = 50;
const LIST_TTL_MS = 10_000;
const POLL_MS_LEAST = 1_000;
const POLL_MS_MOST = 3_600_000;
const POLL_MS_IDLE = 60_000;

const loose = { additionalProperties: true } as const;
const readResource = createReader(Type.Object({ uri: Type.String({ maxLength: 100 }) }, loose));
const readListen = createReader(
  Type.Object(
    {
      notifications: Type.Object(
        { resourceSubscriptions: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1_000 })) },
        loose,
      ),
    },
    loose,
  ),
);
const Subscription = Type.Object(
  {
    name: Type.String({ maxLength: 100 }),
    cursor: Type.Optional(Type.Union([Type.Null(), Type.String({ pattern: "^(0|[1-9][0-9]{0,14})$" })])),
    maxAgeMs: Type.Optional(Type.Integer({ minimum: 0 })),
    maxEvents: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  },
  loose,
);
const readSubscription = createReader(Subscription);

const PAYLOAD_SCHEMA = {
  type: "object",
  properties: {
    watch: { type: "string" },
    kind: { type: "string", enum: ["told", "failing", "ended"] },
    at: { type: "string", format: "date-time" },
    answer: { type: "object", description: "The answer that was told, as it is sold" },
  },
  required: ["watch", "kind", "at"],
} as const;

export interface WatchEventOptions {
  readonly feed: WatchFeed;
  readonly now_ms: () => number;
}

type Watch = Awaited<ReturnType<WatchFeed["find"]>>;
type Event = ReturnType<WatchFeed["page"]>["events"][number];

const titleOf = ({ label, product }: Watch): string => label ?? `Watch of ${product}`;

/** As the webhook of the watch names it, so that what came twice is known by its id. */
const toOccurrence = (watch: string, { seq, at_ms, body }: Event) => ({
  eventId: `${watch}.${seq}`,
  name: watch,
  timestamp: renderTime(at_ms),
  data: JSON.parse(body) as unknown,
});

const frame = (message: object): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;
const notify = (id: RequestId, method: string, params: object): string =>
  frame({ jsonrpc: "2.0", method, params: { ...params, _meta: { [SUBSCRIPTION_ID]: id } } });

export function createWatchEvents({ feed, now_ms }: WatchEventOptions): WatchEventDoor {
  const listOf = (api_key: string | null) => (api_key === null ? Promise.resolve([]) : feed.list(api_key));

  async function listResources(api_key: string | null): Promise<Result> {
    const resources = (await listOf(api_key)).map((watch) => ({
      uri: `${SCHEME}${watch.id}`,
      name: watch.id,
      title: titleOf(watch),
      description: `What it told, the newest ${READ_AT_ONCE} events`,
      mimeType: "application/json",
    }));
    return complete({ resources, ttlMs: LIST_TTL_MS, cacheScope: "private" });
  }

  async function read({ params, api_key }: WatchCall): Promise<Result | RpcError> {
    const uri = readResource(params)?.uri;
    if (uri === undefined) return invalidParams('"uri" is needed');
    if (!uri.startsWith(SCHEME)) return noSuchResource(uri);
    let watch: Watch;
    try {
      watch = await feed.find(api_key, uri.slice(SCHEME.length));
    } catch (error) {
      if (isNodeError(error)) return noSuchResource(uri);
      throw error;
    }
    const last = feed.last(watch.id);
    const { events } = feed.page(watch.id, { after: Math.max(0, last - READ_AT_ONCE), limit: READ_AT_ONCE });
    const text = JSON.stringify({
      watch: watch.id,
      state: watch.state,
      cursor: String(last),
      events: events.map((event) => toOccurrence(watch.id, event)),
    });
    const contents = [{ uri, mimeType: "application/json", text }];
    return complete({ contents, ttlMs: 0, cacheScope: "private" });
  }

  /** Acknowledges watches of the key alone: what else is asked for does not happen here. */
  async function listen({ id, params, api_key }: WatchCall): Promise<RpcError | StreamAnswer> {
    const wanted = readListen(params)?.notifications.resourceSubscriptions;
    if (readListen(params) === null) return invalidParams('"notifications" is an object');
    const after = new Map<string, number>();
    for (const uri of new Set(wanted)) {
      if (after.size >= LISTENED_MAX || !uri.startsWith(SCHEME)) continue;
      const watch = await feed.find(api_key, uri.slice(SCHEME.length)).catch(nullIfRefused);
      if (watch !== null) after.set(watch.id, feed.last(watch.id));
    }
    const honoured = [...after.keys()].map((one) => SCHEME + one);
    const notifications = honoured.length === 0 ? {} : { resourceSubscriptions: honoured };
    const frames: Frames = {
      begin: () => notify(id, "notifications/subscriptions/acknowledged", { notifications }),
      event: (watch) => notify(id, "notifications/resources/updated", { uri: SCHEME + watch }),
      beat: () => ": still here\n\n",
      end: () => endFrame(id),
    };
    return { stream: feed.follow({ after, frames }) };
  }

  async function listEvents(api_key: string | null): Promise<Result> {
    const events = (await listOf(api_key)).map((watch) => ({
      name: watch.id,
      title: titleOf(watch),
      description: `${titleOf(watch)}: told when its condition holds; each event is paid for as the watch says`,
      delivery: ["poll", "push"],
      inputSchema: { type: "object" },
      payloadSchema: PAYLOAD_SCHEMA,
    }));
    return complete({ events });
  }

  async function findSubscribed({ params, api_key }: WatchCall) {
    const asked = readSubscription(params);
    if (asked === null) return invalidParams('"name" is a watch, "cursor" one of its cursors');
    const watch = await feed.find(api_key, asked.name).catch(nullIfRefused);
    if (watch === null) return notFound();
    return { watch, ...startOf(asked, watch.id) };
  }

  /** Where reading begins, and whether something before it was left out. */
  function startOf({ cursor = null, maxAgeMs, maxEvents = POLLED_DEFAULT }: Static<typeof Subscription>, id: string) {
    const limit = Math.min(maxEvents, POLLED_DEFAULT);
    if (cursor === null) return { after: feed.last(id), limit, is_truncated: false };
    let after = Number(cursor);
    let { is_truncated } = feed.page(id, { after, limit: 1 });
    const oldest_ms = maxAgeMs === undefined ? Number.NEGATIVE_INFINITY : now_ms() - maxAgeMs;
    for (;;) {
      const [event] = feed.page(id, { after, limit: 1 }).events;
      if (event === undefined || event.at_ms >= oldest_ms) return { after, limit, is_truncated };
      after = event.seq;
      is_truncated = true;
    }
  }

  async function poll(call: WatchCall): Promise<Result | RpcError> {
    const found = await findSubscribed(call);
    if ("code" in found) return found;
    const { watch, after, limit, is_truncated } = found;
    const { events, has_more } = feed.page(watch.id, { after, limit });
    return complete({
      events: events.map((event) => toOccurrence(watch.id, event)),
      cursor: String(events.at(-1)?.seq ?? after),
      truncated: is_truncated,
      hasMore: has_more,
      nextPollMs: pollAfter(watch, now_ms()),
    });
  }

  async function stream(call: WatchCall): Promise<RpcError | StreamAnswer> {
    const found = await findSubscribed(call);
    if ("code" in found) return found;
    const { watch, after, is_truncated } = found;
    const { id } = call;
    const frames: Frames = {
      begin: () => notify(id, "notifications/events/active", { cursor: String(after), truncated: is_truncated }),
      event: (name, event) =>
        notify(id, "notifications/events/event", { ...toOccurrence(name, event), cursor: String(event.seq) }),
      beat: (at) => notify(id, "notifications/events/heartbeat", { cursor: String(at.get(watch.id) ?? after) }),
      end: (is_over) => (is_over ? endedFrame(id) : "") + endFrame(id),
    };
    return { stream: feed.follow({ after: new Map([[watch.id, after]]), frames }) };
  }

  const answer: Readonly<Record<Method, WatchEventDoor>> = {
    "resources/list": ({ api_key }) => listResources(api_key),
    "resources/templates/list": async () =>
      complete({ resourceTemplates: [TEMPLATE], ttlMs: POLL_MS_MOST, cacheScope: "public" }),
    "resources/read": read,
    "subscriptions/listen": listen,
    "events/list": ({ api_key }) => listEvents(api_key),
    "events/poll": poll,
    "events/stream": stream,
  };
  return async (call) => {
    if (!isWatchMethod(call.method)) throw new RangeError(`${call.method} is none of the watches`);
    try {
      return await answer[call.method](call);
    } catch (error) {
      if (isNodeError(error)) return toRpcError(error);
      throw error;
    }
  };
}

const TEMPLATE = {
  uriTemplate: `${SCHEME}{watch}`,
  name: "watch",
  title: "A watch of your key",
  description: "What it told; subscriptions/listen says when there is more",
  mimeType: "application/json",
} as const;

const endFrame = (id: RequestId): string =>
  frame({ jsonrpc: "2.0", id, result: { resultType: "complete", _meta: { [SUBSCRIPTION_ID]: id } } });

const endedFrame = (id: RequestId): string =>
  notify(id, "notifications/events/terminated", { error: { code: NOT_FOUND, message: "The watch has ended." } });

const notFound = (): RpcError => ({
  status: 200,
  code: NOT_FOUND,
  message: "NotFound: no such watch of this key",
  data: { kind: "event" },
});

const noSuchResource = (uri: string): RpcError => ({
  status: 200,
  code: RPC.invalid_params,
  message: "Resource not found",
  data: { uri: uri.toWellFormed() },
});

const toRpcError = (error: NodeError): RpcError => {
  if (error.code === "rate_limited") {
    return { status: 429, code: EXHAUSTED, message: error.message, data: { limit: "subscriptions" } };
  }
  return { status: 200, code: RPC.invalid_params, message: error.message, data: { code: error.code } };
};

function nullIfRefused(error: unknown): null {
  if (isNodeError(error)) return null;
  throw error;
}

/** Nothing is reported before its next mark. */
const pollAfter = ({ state, next_ms }: Watch, now_ms: number): number =>
  state !== "active" || next_ms === null
    ? POLL_MS_IDLE
    : Math.min(POLL_MS_MOST, Math.max(POLL_MS_LEAST, next_ms - now_ms));
