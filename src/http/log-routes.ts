import { NodeError } from "../core/errors.ts";
import type { Rendered } from "../surfaces/types.ts";
import { HEAD_CHAINS } from "../trust/history-heads.ts";
import type { HistoryLogs } from "../trust/history-logs.ts";
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

const MAIN_CHAIN = "signals";
/** The prefix of a log, as shown to its readers. */
const prefixOf = (chain: string): string => (chain === MAIN_CHAIN ? "/track-record" : `/track-record/${chain}`);

const TEXT = "text/plain; charset=utf-8";
/** What changes with the next record. */
const CHANGING = { "Cache-Control": "no-cache" };
/** A tile, a partial one too, is the same for ever. */
const FOR_EVER = { "Cache-Control": "public, max-age=31536000, immutable" };
const SEQ = /^[1-9]\d{0,8}$/;

/** The node's histories as logs that tools of others read: checkpoints, tiles, and proofs of single records (C2SP). */
export const createLogRoutes = (options: LogRouteOptions): readonly FreeRoute[] =>
  HEAD_CHAINS.flatMap((chain) => createRoutesOf(chain, options));

function createRoutesOf(chain: string, options: LogRouteOptions): readonly FreeRoute[] {
  const { responder } = options;
  const { checkpoints, tiles, proofs } = options.logs;
  const prefix = prefixOf(chain);
  const answer = (form: Rendered, { request, request_id }: HTTPCall): Response =>
    send(keep(form, responder), request, request_id);
  /** The path below one of the log's own. */
  const restOf = ({ request, search }: HTTPCall, name: string): string => {
    readQuery(search, []);
    return new URL(request.url).pathname.slice(`${prefix}/${name}/`.length);
  };

  const showCheckpoint: Handler = async (http_call) => {
    const query = readQuery(http_call.search, chain === MAIN_CHAIN ? ["chain", "form"] : ["form"]);
    const of = query.text("chain") ?? chain;
    if (!HEAD_CHAINS.includes(of)) throw invalid("chain", HEAD_CHAINS.join(" or "));
    const form = query.text("form") ?? "note";
    if (form !== "note" && form !== "key") throw invalid("form", "note or key");
    const body = form === "key" ? `${checkpoints.verifierKeyOf(of)}\n` : await checkpoints.read(of);
    return answer({ content_type: TEXT, body, headers: CHANGING }, http_call);
  };
  const showTile: Handler = async (http_call) => {
    const address = parseTilePath(restOf(http_call, "tile"));
    const body = address && (await tiles.read(chain, address));
    if (body === null) {
      throw new NodeError("not_found", `There is no such tile, or not yet: ${prefix}/checkpoint says how far they go.`);
    }
    return answer({ content_type: "application/octet-stream", body, headers: FOR_EVER }, http_call);
  };
  const showProof: Handler = async (http_call) => {
    const seq = restOf(http_call, "proof");
    const body = SEQ.test(seq) ? await proofs.read(chain, Number(seq)) : null;
    if (body === null) {
      throw new NodeError("not_found", `No checkpoint holds such a record yet: ${prefix}/checkpoint is the newest.`);
    }
    return answer({ content_type: TEXT, body, headers: CHANGING }, http_call);
  };
  return [
    { path: `${prefix}/checkpoint`, methods: ["GET"], handler: showCheckpoint },
    { path: `${prefix}/tile/*`, methods: ["GET"], handler: showTile },
    { path: `${prefix}/proof/:seq`, methods: ["GET"], handler: showProof },
  ];
}
