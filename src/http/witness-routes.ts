import { NodeError } from "../core/errors.ts";
import type { Witness, WitnessAnswer } from "../trust/witness.ts";
import { readSentBytes } from "./body.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler, HTTPCall } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { readQuery } from "./query.ts";
import { type Responder, respondAs } from "./respond.ts";

export interface WitnessRouteOptions {
  readonly responder: Responder;
  readonly witness: Witness;
  /** Members of every answer in JSON. */
  readonly stamp: () => Record<string, unknown>;
}

/** 63 hashes, and a checkpoint with the signatures of many others. */
const BODY_BYTES_MAX = 32_768;
const TEXT = "text/plain; charset=utf-8";
const SIZE = "text/x.tlog.size";

/** The node as a witness of its peers' histories (C2SP tlog-witness). Its answers are the protocol's, errors too. */
export function createWitnessRoutes({ responder, witness, stamp }: WitnessRouteOptions): readonly FreeRoute[] {
  const json = createJSONAnswer(responder, "no-cache");
  const answer = ({ status, body }: WitnessAnswer, request_id: string): Response => {
    const headers = { "Content-Type": status === 409 ? SIZE : TEXT, "Cache-Control": "no-store" };
    return respondAs(request_id, body, { status, headers: responder.headers(headers) });
  };
  const add: Handler = async ({ request, request_id, search }) => {
    readQuery(search, []);
    const bytes = await readSentBytes(request, BODY_BYTES_MAX);
    return answer(await witness.add(new TextDecoder().decode(bytes)), request_id);
  };
  const showAll = async (http_call: HTTPCall): Promise<Response> => {
    readQuery(http_call.search, []);
    const { name, verifier_key } = witness;
    return json(http_call, {
      ...stamp(),
      name,
      verifier_key,
      logs: await witness.logs(),
      forks: await witness.forks(),
    });
  };
  const showOne: Handler = async ({ request, request_id, search }) => {
    readQuery(search, []);
    const body = await witness.find(new URL(request.url).pathname.split("/")[2] ?? "");
    if (body === null)
      throw new NodeError("not_found", "No checkpoint of such a log was cosigned: /witness lists them.");
    return answer({ status: 200, body }, request_id);
  };
  return [
    { path: "/add-checkpoint", methods: ["POST"], handler: add },
    { path: "/witness", methods: ["GET"], handler: showAll },
    { path: "/witness/:log/checkpoint", methods: ["GET"], handler: showOne },
  ];
}
