import type { Clock } from "../core/clock.ts";
import { keepFor } from "../core/keep-for.ts";
import { computeEquity, countReturns, rateBy } from "../pages/track/evidence.ts";
import { renderTrackPage, type TrackFacts } from "../pages/track/page.ts";
import type { Words } from "../pages/words.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { HEAD_CHAINS, type HistoryHeads } from "../trust/history-heads.ts";
import type { PeerHeads } from "../trust/peer-heads.ts";
import { wantsPage } from "./accept.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import { invalid, readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface TrackRouteOptions {
  readonly responder: Responder;
  readonly clock: Clock;
  readonly model: () => SurfaceModel;
  /** Reads statement and records; charts in the reader's language. */
  readonly readTrack: (words: Words) => Promise<TrackFacts>;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
  readonly heads: Pick<HistoryHeads, "list" | "join">;
  /** Heads of other nodes as this one saw them. */
  readonly peer_heads: Pick<PeerHeads, "seen" | "inconsistencies">;
}

/** The record changes by the hour at most. */
const KEPT_MS = 30_000;
const RECORDS_MAX = 500;

/** `/track-record` as page and JSON, and the records it is made of, for verification. */
export function createTrackRoutes(options: TrackRouteOptions): readonly FreeRoute[] {
  const { responder, clock, model, stamp, peer_heads } = options;
  const json = createJSONAnswer(responder, "no-cache");
  const readers = new Map<Words, () => Promise<TrackFacts>>();
  const read = (words: Words): Promise<TrackFacts> => {
    const reader = readers.get(words) ?? keepFor(KEPT_MS, clock.now, () => options.readTrack(words));
    readers.set(words, reader);
    return reader();
  };

  const show = async (http_call: HTTPCall): Promise<Response> => {
    const { request, request_id, search } = http_call;
    const words = chooseWords(search, request.headers.get("accept-language"));
    const facts = await read(words);
    if (!wantsPage(request.headers.get("accept"))) return json(http_call, { ...stamp(), ...renderTwin(facts) });
    const body = renderTrackPage({ model: model(), facts, words });
    const page = keep({ content_type: "text/html; charset=utf-8", body, headers: PAGE_RESPONSE_HEADERS }, responder);
    return send(page, request, request_id);
  };
  const showEvidence = async (http_call: HTTPCall): Promise<Response> => {
    const query = readQuery(http_call.search, ["after_seq"] as const);
    const after = query.cursor("after_seq") ?? 0;
    const { statement, evidence } = await read(chooseWords("", null));
    const rest = evidence.filter(({ seq }) => seq > after);
    const records = rest.slice(0, RECORDS_MAX);
    const next_after_seq = rest.length > RECORDS_MAX ? (records.at(-1)?.seq ?? null) : null;
    return json(http_call, { ...stamp(), statement, records, next_after_seq });
  };
  const showHeads = async (http_call: HTTPCall): Promise<Response> => {
    const query = readQuery(http_call.search, ["chain", "after_seq", "from", "from_outcomes"] as const);
    const chain = query.text("chain") ?? "signals";
    if (!HEAD_CHAINS.includes(chain)) throw invalid("chain", HEAD_CHAINS.join(" or "));
    const length = query.whole("from", Number.MAX_SAFE_INTEGER);
    if (length === undefined) {
      const after = query.cursor("after_seq") ?? 0;
      const heads = await options.heads.list(chain, after);
      const seen = await peer_heads.seen(chain);
      return json(http_call, {
        ...stamp(),
        chain,
        heads,
        seen,
        inconsistencies: await peer_heads.inconsistencies(chain),
      });
    }
    const outcomes = query.whole("from_outcomes", Number.MAX_SAFE_INTEGER) ?? null;
    const joined = await options.heads.join(chain, { length, outcomes });
    if (joined === null) throw invalid("from", "a length that the history had, from 1 to that of its head");
    return json(http_call, { ...stamp(), chain, joined });
  };
  return [
    { path: "/track-record/heads", methods: ["GET"], handler: showHeads },
    { path: "/track-record", methods: ["GET"], handler: show },
    { path: "/track-record/evidence", methods: ["GET"], handler: showEvidence },
  ];
}

/** The page's figures for software. */
const renderTwin = ({ statement, graded, evidence, missed }: TrackFacts) => ({
  statement,
  graded: graded.length,
  open: evidence.filter(({ outcome }) => outcome === null).length,
  missed_evaluations: missed,
  equity: computeEquity(graded),
  returns: countReturns(graded),
  by_symbol: rateBy(graded, ({ symbol }) => symbol),
  by_horizon_h: rateBy(graded, ({ horizon_h }) => horizon_h),
  by_side: rateBy(graded, ({ side }) => side),
  evidence: "/track-record/evidence",
  warnings: statement === null ? ["statement: no signal has been graded and published yet"] : [],
});
