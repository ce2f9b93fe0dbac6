import { NodeError } from "../core/errors.ts";
import type { Receipts } from "../ledger/receipts.ts";
import type { ReceiptSeals } from "../trust/receipt-seals.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";

export interface SealRouteOptions {
  readonly responder: Responder;
  readonly receipts: Pick<Receipts, "get">;
  readonly seals: Pick<ReceiptSeals, "prove" | "list">;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

/** The proof that a paid answer was sealed, and the chain of the seals, for everybody. */
export function createSealRoutes({ responder, receipts, seals, stamp }: SealRouteOptions): readonly FreeRoute[] {
  const json = createJSONAnswer(responder, "no-cache");

  const showProof = async (http_call: HTTPCall): Promise<Response> => {
    const id = new URL(http_call.request.url).pathname.split("/")[2] ?? "";
    const row = /^[A-Za-z0-9_]{1,64}$/.test(id) ? await receipts.get(id) : null;
    if (!row) throw new NodeError("not_found", "No such receipt.");
    const found = await seals.prove(row);
    if ("reason" in found) {
      return json(http_call, { ...stamp(), receipt_id: id, proof: null, warnings: [`proof: ${found.reason}`] });
    }
    return json(http_call, { ...stamp(), receipt_id: id, proof: found, warnings: [] });
  };

  const showChain = async (http_call: HTTPCall): Promise<Response> => {
    const query = readQuery(http_call.search, ["after_seq"] as const);
    const after = query.whole("after_seq", Number.MAX_SAFE_INTEGER) ?? 0;
    return json(http_call, { ...stamp(), seals: await seals.list(after) });
  };

  return [
    { path: "/receipts/:id/seal", methods: ["GET"], handler: showProof },
    { path: "/receipt-seals", methods: ["GET"], handler: showChain },
  ];
}
