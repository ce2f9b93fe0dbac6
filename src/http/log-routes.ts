import { NodeError } from "../core/errors.ts";
import type { Rendered } from "../surfaces/types.ts";
import { HEAD_CHAINS } from "../trust/history-heads.ts";
import type { HistoryLogs } from "../trust/history-logs.ts";
import { LOG_ROWS, type LogRow } from "../trust/log-rows.ts";
import { parseTilePath } from "../trust/log-tiles.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler, HTTPCall } from "./http-call.ts";
import { invalid, readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface LogRouteOptions {
  readonly responder: Responder;
  readonly logs: HistoryLogs;
}

/** The log whose checkpoint is also asked for by another's name. */
const MAIN_LOG = "signals";
const TEXT = "text/plain; charset=utf-8";
/** What changes with the next record. */
const CHANGING = { "Cache-Control": "no-cache" };
/** A tile, a partial one too, is the same for ever. */
const FOR_EVER = { "Cache-Control": "public, max-age=31536000, immutable" };
const SEQ = /^[1-9]\d{0,8}$/;

/** The node's histories as logs that tools of others read: checkpoints, tiles, and proofs of single entries (C2SP). */
export const createLogRoutes = (options: LogRouteOptions): readonly FreeRoute[] =>
  LOG_ROWS.flatMap((row) => createRoutesOf(row, options));

function createRoutesOf({ name: log, of, prefix }: LogRow, options: LogRouteOptions): readonly FreeRoute[] {
  const { responder } = options;
  const { checkpoints, tiles, proofs } = options.logs;
  const answer = (form: Rendered, { request, request_id }: HTTPCall): Response =>
    send(keep(form, responder), request, request_id);
  /** The path below one of the log's own. */
  const restOf = ({ request }: HTTPCall, name: string): string =>
    new URL(request.url).pathname.slice(`${prefix}/${name}`.length);

  const showCheckpoint: Handler = async (http_call) => {
    const query = readQuery(http_call.search, log === MAIN_LOG ? ["chain", "form"] : ["form"]);
    const chain = query.text("chain");
    if (chain !== undefined && !HEAD_CHAINS.includes(chain)) throw invalid("chain", HEAD_CHAINS.join(" or "));
    const shown = chain ?? log;
    const form = query.text("form") ?? "note";
    if (form !== "note" && form !== "key") throw invalid("form", "note or key");
    const body = form === "key" ? `${checkpoints.verifierKeyOf(shown)}\n` : await checkpoints.read(shown);
    return answer({ content_type: TEXT, body, headers: CHANGING }, http_call);
  };
  const showTile: Handler = async (http_call) => {
    readQuery(http_call.search, []);
    const address = parseTilePath(restOf(http_call, "tile/"));
    const body = address && (await tiles.read(log, address));
    if (body === null) {
      throw new NodeError("not_found", `There is no such tile, or not yet: ${prefix}/checkpoint says how far they go.`);
    }
    return answer({ content_type: "application/octet-stream", body, headers: FOR_EVER }, http_call);
  };
  const showProof: Handler = async (http_call) => {
    readQuery(http_call.search, []);
    const place = restOf(http_call, "proof/");
    const body = SEQ.test(place) ? await proofs.read(log, Number(place)) : null;
    if (body === null) {
      throw new NodeError("not_found", `No checkpoint holds such an entry yet: ${prefix}/checkpoint is the newest.`);
    }
    return answer({ content_type: TEXT, body, headers: CHANGING }, http_call);
  };
  const showFile: Handler = (http_call) => {
    const rest = restOf(http_call, "");
    if (rest === "checkpoint") return showCheckpoint(http_call);
    if (rest.startsWith("tile/")) return showTile(http_call);
    if (rest.startsWith("proof/")) return showProof(http_call);
    throw new NodeError("not_found", `A log has ${prefix}/checkpoint, tile/<level>/<index> and proof/<place>.`);
  };
  // One line for all of its files keeps the description of the whole node short.
  if (of === "outcomes") return [{ path: `${prefix}/*`, methods: ["GET"], handler: showFile }];
  return [
    { path: `${prefix}/checkpoint`, methods: ["GET"], handler: showCheckpoint },
    { path: `${prefix}/tile/*`, methods: ["GET"], handler: showTile },
    { path: `${prefix}/proof/:seq`, methods: ["GET"], handler: showProof },
  ];
}
