import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Ledger } from "../ledger/ledger.ts";
import type { ReceiptRow } from "../ledger/receipts.ts";
import { renderVerifyPage } from "../pages/verify-page.ts";
import type { SurfaceModel } from "../surfaces/types.ts";
import { checkProof, type FindKey, type Proof } from "../trust/proof.ts";
import { officialPayload, ownPayload, type ReceiptSigner } from "../trust/receipts.ts";
import { readJSONBody } from "./body.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler, HTTPCall } from "./http-call.ts";
import { chooseWords } from "./language.ts";
import { PAGE_RESPONSE_HEADERS } from "./page-headers.ts";
import { invalid, readQuery } from "./query.ts";
import type { Responder } from "./respond.ts";
import { keep, send } from "./surface-routes.ts";

export interface VerifyRouteOptions {
  readonly responder: Responder;
  readonly ledger: Ledger;
  readonly signer: ReceiptSigner;
  /** Keys of this node, those before the present one among them. */
  readonly findKey: FindKey;
  readonly node_id: string;
  /** Names the node had before its key was changed. */
  readonly earlier_ids: readonly string[];
  readonly public_url: string;
  readonly sandbox: boolean;
  readonly model: () => SurfaceModel;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

const BODY_BYTES_MAX = 32_768;
const ById = Type.Object({ id: Type.String({ pattern: "^rcp_[A-Za-z0-9]{1,60}$" }) }, { additionalProperties: false });
const Given = Type.Record(Type.String(), Type.Unknown());

/** What the books say of a proof. */
interface OnLedger {
  /** Whether the receipt is in the books; null for a statement about no receipt. */
  readonly known: boolean | null;
  readonly agrees: boolean | null;
  readonly receipt_id: string | null;
  /** For a no-charge statement that names a payment: whether money for it moved since, or may have. */
  readonly charged_since?: boolean;
}

/** Tells anybody whether this node signed something, and what its books and the chain say of it. Free. */
export function createVerifyRoutes(options: VerifyRouteOptions): readonly FreeRoute[] {
  const { responder, ledger, signer, stamp } = options;
  const headers = responder.headers({ "Cache-Control": "no-store" });

  const showById = async (id: string): Promise<Record<string, unknown>> => {
    const row = await ledger.receipts.get(id);
    if (!row) {
      const on_ledger: OnLedger = { known: false, agrees: null, receipt_id: null };
      return { valid: false, reason: "This node has no receipt of that id.", on_ledger, on_chain: null };
    }
    return {
      valid: true,
      kind: "receipt",
      signed_by_this_node: true,
      payload: ownPayload(row, options),
      receipt: signer.own(row).signature,
      on_ledger: { known: true, agrees: true, receipt_id: row.id } satisfies OnLedger,
      on_chain: row.on_chain,
    };
  };

  const check = async (given: unknown): Promise<Record<string, unknown>> => {
    const { doubt, reason, proof, key_id } = await checkProof(given, options.findKey);
    const signed_by_this_node = proof !== null && doubt !== "wrong_signature";
    const row = proof && signed_by_this_node ? await findRow(ledger, proof) : null;
    const on_ledger = proof && signed_by_this_node ? await compare(options, proof, row) : null;
    // A restored backup may know less than what was signed: only a contradiction speaks against a signature.
    const differs = on_ledger?.agrees === false;
    const valid = doubt === null && !differs;
    return {
      valid,
      ...(valid ? {} : { doubt: doubt ?? "differs_from_ledger", reason: reason ?? "The books say something else." }),
      kind: proof?.kind ?? null,
      signed_by_this_node,
      key_id,
      payload: proof?.payload ?? null,
      on_ledger,
      on_chain: row?.on_chain ?? null,
    };
  };

  const handler = async ({ request, request_id, search }: HTTPCall): Promise<Response> => {
    readQuery(search, []);
    const body = await readJSONBody(request, BODY_BYTES_MAX);
    if (!Value.Check(Given, body)) throw invalid("body", '{"receipt": "<JWS>"}, {"id": "rcp_…"} or a receipt\'s JSON');
    const by_id: Static<typeof ById> | null = Value.Check(ById, body) ? body : null;
    const told = await (by_id ? showById(by_id.id) : check(body));
    const response = new Response(JSON.stringify({ ...stamp(), ...told }), { headers });
    response.headers.set("X-Request-Id", request_id);
    return response;
  };
  const page: Handler = ({ request, request_id, search }) => {
    const words = chooseWords(search, request.headers.get("accept-language"));
    const body = renderVerifyPage({ model: options.model(), words });
    const made = { content_type: "text/html; charset=utf-8", body, headers: PAGE_RESPONSE_HEADERS };
    return send(keep(made, responder), request, request_id);
  };
  return [
    { path: "/verify-receipt", methods: ["POST"], handler },
    { path: "/verify", methods: ["GET"], handler: page },
  ];
}

async function findRow({ receipts }: Ledger, { kind, payload }: Proof): Promise<ReceiptRow | null> {
  if (kind === "receipt") return receipts.get(payload.receipt_id);
  return kind === "x402_receipt" ? receipts.findByTransaction(payload.network, payload.transaction) : null;
}

async function compare(
  options: VerifyRouteOptions,
  { kind, payload }: Proof,
  row: ReceiptRow | null,
): Promise<OnLedger> {
  if (kind === "no_charge") {
    const charged_since = payload.replay_key && (await options.ledger.receipts.mayBeCharged(payload.replay_key));
    const about_payment = typeof charged_since === "boolean" ? { charged_since } : {};
    return { known: null, agrees: null, receipt_id: null, ...about_payment };
  }
  if (!row) return { known: false, agrees: null, receipt_id: null };
  // The node may have moved to another address since.
  const { resourceUrl: _, ...official } = officialPayload(row, options.public_url);
  const node_id =
    kind === "receipt" && options.earlier_ids.includes(payload.node_id) ? payload.node_id : options.node_id;
  const { resource_url: __, ...own } = ownPayload(row, { ...options, node_id });
  const signed: Readonly<Record<string, unknown>> = payload;
  const booked = Object.entries(kind === "receipt" ? own : official);
  return { known: true, agrees: booked.every(([name, value]) => signed[name] === value), receipt_id: row.id };
}
