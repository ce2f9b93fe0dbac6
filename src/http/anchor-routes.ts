import { NodeError } from "../core/errors.ts";
import type { NodeAnchors, ShownAnchor } from "../trust/anchors.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface AnchorRouteOptions {
  readonly responder: Responder;
  readonly anchors: Pick<NodeAnchors, "list" | "get">;
  /** Calendars the operator named. */
  readonly calendars: readonly string[];
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

const OFF = "anchors: this node's operator names no calendars, so all times are the node's own";
/** "3": all of it; "3.json": the bytes that were hashed; "3.json.ots": the proof, as other programs read it. */
const NAME = /^([1-9]\d{0,8})(\.json|\.json\.ots)?$/;

/** Everything the node signed, in the public timestamps of others. */
export function createAnchorRoutes({ responder, anchors, calendars, stamp }: AnchorRouteOptions): readonly FreeRoute[] {
  const json = createJSONAnswer(responder, "no-cache");
  const listAll = async (http_call: HTTPCall): Promise<Response> => {
    const after = readQuery(http_call.search, ["after_seq"] as const).cursor("after_seq") ?? 0;
    const warnings = calendars.length === 0 ? [OFF] : [];
    return json(http_call, { ...stamp(), calendars, anchors: await anchors.list(after), warnings });
  };
  const showOne = async (http_call: HTTPCall): Promise<Response> => {
    const { request, request_id } = http_call;
    const [, seq, form] = NAME.exec(new URL(request.url).pathname.split("/")[3] ?? "") ?? [];
    const anchor = seq === undefined ? null : await anchors.get(Number(seq));
    const file = anchor && form !== undefined ? fileOf(anchor, form) : null;
    if (anchor === null || (form !== undefined && file === null)) {
      throw new NodeError("not_found", "There is no such public timestamp: /track-record/anchors lists them.");
    }
    if (file === null) return json(http_call, { ...stamp(), anchor, warnings: [] });
    return send(keep(file, responder), request, request_id);
  };
  return [
    { path: "/track-record/anchors", methods: ["GET"], handler: listAll },
    { path: "/track-record/anchors/:name", methods: ["GET"], handler: showOne },
  ];
}

function fileOf({ statement, ots }: ShownAnchor, form: string) {
  if (form === ".json") return { content_type: "application/json", body: statement };
  if (ots === null) return null;
  return { content_type: "application/vnd.opentimestamps.ots", body: Buffer.from(ots, "base64") };
}
