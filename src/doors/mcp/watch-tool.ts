import { type Static, Type } from "@sinclair/typebox";
import { createParamsParser } from "../../catalog/params.ts";
import { NodeError } from "../../core/errors.ts";
import type { FreeRoute } from "../../http/free-route.ts";
import type { HTTPCall } from "../../http/http-call.ts";
import { WATCH_VERBS } from "../../surfaces/mcp-tools.ts";
import { readArguments } from "./coerce-arguments.ts";

/** Answers what the door of watches answers, for the key in the headers. */
export type WatchTool = (
  http_call: HTTPCall,
  headers: Headers,
  given: Readonly<Record<string, unknown>>,
) => Promise<string>;

const Wanted = Type.Object({
  do: Type.Union(WATCH_VERBS.map((verb) => Type.Literal(verb))),
  watch: Type.Optional(Type.String({ pattern: "^wat_[0-9A-Za-z]{1,40}$" })),
  after: Type.Optional(Type.Integer({ minimum: 1 })),
  order: Type.Optional(Type.Record(Type.String({ maxLength: 40 }), Type.Unknown())),
});
const params = createParamsParser(Wanted);

type Verb = (typeof WATCH_VERBS)[number];

/** How the door is asked: of which path, and by which method. Verbs on one watch come with its id. */
const DOORS: Readonly<Record<Verb, { readonly path: string; readonly method: "GET" | "POST" | "DELETE" }>> = {
  set: { path: "/watch", method: "POST" },
  list: { path: "/watch", method: "GET" },
  show: { path: "/watch/:id", method: "GET" },
  events: { path: "/watch/:id/events", method: "GET" },
  pause: { path: "/watch/:id/pause", method: "POST" },
  resume: { path: "/watch/:id/resume", method: "POST" },
  end: { path: "/watch/:id", method: "DELETE" },
};

/** @param free the node's free paths: null where it takes no watches. */
export function createWatchTool(free: readonly FreeRoute[], public_url: string): WatchTool | null {
  const find = (path: string): FreeRoute | undefined => free.find((one) => one.path === path);
  if (!find("/watch")) return null;
  return async (http_call, headers, given) => {
    const parsed = params.fromBody(readArguments(given, Wanted).given);
    if (parsed.missing.length > 0) throw needed("do");
    const { do: verb, watch, after, order } = parsed.params as Static<typeof Wanted>;
    const { path, method } = DOORS[verb];
    const route = find(path);
    if (!route) throw new NodeError("not_found", "This node has no such door.");
    const is_of_one = path.includes(":id");
    if (is_of_one && watch === undefined) throw needed("watch");
    if (verb === "set" && order === undefined) throw needed("order");
    const search = verb === "events" && after !== undefined ? `after=${after}` : "";
    const request = new Request(`${public_url}${path.replace(":id", watch ?? "")}?${search}`, {
      method,
      headers: pickHeaders(headers),
      ...(method === "POST" ? { body: JSON.stringify(order ?? {}) } : {}),
    });
    return (await route.handler({ ...http_call, request, search })).text();
  };
}

/** The key, and the name its holder gave the call. */
const pickHeaders = (headers: Headers): Headers => {
  // Without a key the door would sell one, to who pays by a header.
  const sent = new Headers({ "content-type": "application/json", "x-api-key": headers.get("x-api-key") ?? "" });
  const name = headers.get("idempotency-key");
  if (name !== null) sent.set("idempotency-key", name);
  return sent;
};

const needed = (param: string): NodeError =>
  new NodeError("invalid_parameter", `Parameter "${param}" is needed.`, { param });
