import { NodeError } from "../core/errors.ts";
import type { Receipts } from "../ledger/receipts.ts";
import type { ReceiptSeals } from "../trust/receipt-seals.ts";
import type { FreeRoute } from "./free-route.ts";
import type { HTTPCall } from "./http-call.ts";
import { createJSONAnswer } from "./json-answer.ts";
import { invalid, readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";

export interface SealRouteOptions {
  readonly responder: Responder;
  readonly receipts: Pick<Receipts, "get">;
  readonly seals: Pick<ReceiptSeals, "prove" | "find" | "list">;
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

  /** With nothing but an answer's bytes, its proof is found by their hash. */
  const showFound = async (http_call: HTTPCall, response_sha256: string, at: string | undefined): Promise<Response> => {
    if (!/^[0-9a-f]{64}$/.test(response_sha256)) throw invalid("response_sha256", "64 hexadecimal digits");
    const at_ms = at === undefined ? null : Date.parse(at);
    if (Number.isNaN(at_ms)) throw invalid("at", "a time in ISO 8601, such as the answer's generated_at");
    const proof = await seals.find({ response_sha256, at_ms });
    if (!proof) {
      const since = at === undefined ? "" : " and was sold then or later";
      throw new NodeError(
        "not_found",
        `No sealed answer has this hash${since}. Seals are made at five past, over the hours before; ` +
          "answers that hold a key are never sealed.",
      );
    }
    return json(http_call, { ...stamp(), receipt_id: proof.item.receipt_id, proof, warnings: [] });
  };

  const showChain = async (http_call: HTTPCall): Promise<Response> => {
    const query = readQuery(http_call.search, ["after_seq", "response_sha256", "at"] as const);
    const hash = query.text("response_sha256");
    if (hash !== undefined) return showFound(http_call, hash, query.text("at"));
    const after = query.cursor("after_seq") ?? 0;
    return json(http_call, { ...stamp(), seals: await seals.list(after) });
  };

  return [
    { path: "/receipts/:id/seal", methods: ["GET"], handler: showProof },
    { path: "/receipt-seals", methods: ["GET"], handler: showChain },
  ];
}
