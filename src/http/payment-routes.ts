import { renderTime } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import type { RecoveredPayment, Recovery } from "../payments/gate/recovery.ts";
import type { RecoveredCall } from "../payments/keys/recover-call.ts";
import type { FreeRoute } from "./free-route.ts";
import type { Handler } from "./http-call.ts";
import type { Responder } from "./respond.ts";

export interface PaymentRouteOptions {
  readonly responder: Responder;
  readonly recovery: Recovery;
  /** A call of the key in the headers. */
  readonly recoverCall: (id: string, headers: Headers) => Promise<RecoveredCall | null>;
  /** Members of every answer. */
  readonly stamp: () => Record<string, unknown>;
}

const PATH = "/payments/";
const ID_CHARS_MAX = 300;

/** The recovery door: what became of a payment, for its sender. */
export function createPaymentRoutes(options: PaymentRouteOptions): readonly FreeRoute[] {
  const { responder, recovery, stamp } = options;
  const headers = responder.headers({ "Cache-Control": "no-store" });
  const handler: Handler = async ({ request, request_id, client }) => {
    const id = readId(request.url);
    const found = await recovery.find(id, { headers: request.headers, client });
    const call = found ? null : await options.recoverCall(id, request.headers);
    if (call) {
      const body = request.method === "HEAD" ? null : JSON.stringify({ ...stamp(), ...renderCall(call) });
      const response = new Response(body, { headers });
      response.headers.set("X-Request-Id", request_id);
      return response;
    }
    if (!found) throw new NodeError("not_found", "No such payment, or not yours: send the header you paid with.");
    const body = request.method === "HEAD" ? null : JSON.stringify({ ...stamp(), ...renderPayment(found) });
    const response = new Response(body, { headers });
    response.headers.set("X-Request-Id", request_id);
    if (found.state === "unknown" || found.state === "in_progress") response.headers.set("Retry-After", "5");
    return response;
  };
  // The id may be a word that only the buyer knows: it is not for the log.
  return [{ path: `${PATH}:id`, methods: ["GET"], handler: Object.assign(handler, { logged_as: `${PATH}:id` }) }];
}

/** @throws NodeError not_found for what can be no id. */
function readId(url: string): string {
  const { pathname } = new URL(url);
  try {
    const id = decodeURIComponent(pathname.slice(PATH.length));
    if (id.length <= ID_CHARS_MAX) return id;
  } catch (error) {
    throw new NodeError("not_found", "No such payment.", { cause: error });
  }
  throw new NodeError("not_found", "No such payment.");
}

const renderCall = ({ call_id, product, amount, answer }: RecoveredCall): Record<string, unknown> => ({
  state: "settled",
  call_id,
  product,
  amount_atomic: amount.toString(),
  ...(answer === null ? {} : { answer: JSON.parse(answer) }),
});

/** What became of a payment, for callers who may know. */
export function renderPayment({ state, row, answer, passed_on }: RecoveredPayment): Record<string, unknown> {
  return {
    state,
    ...(row.given_up ? { given_up: true } : {}),
    payment_id: row.id,
    replay_key: row.replay_key,
    product: row.product,
    network: row.network,
    amount_atomic: row.amount.toString(),
    ...(row.chain_transaction === null ? {} : { transaction: row.chain_transaction }),
    ...(row.receipt_id === null ? {} : { receipt_id: row.receipt_id }),
    ...(state === "settled" ? { settled_at: renderTime(row.updated_at_ms) } : {}),
    ...(passed_on === undefined ? {} : { passed_on }),
    ...(answer === null ? {} : { answer: JSON.parse(answer) }),
  };
}
