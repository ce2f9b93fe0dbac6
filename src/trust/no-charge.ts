import { renderTime } from "../core/clock.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { nodeKeyId } from "./did.ts";
import { createJWSSigner } from "./jws.ts";

/** A payment that was neither charged nor about to be charged when the statement was made. */
export interface UnchargedPayment {
  readonly replay_key: string;
  readonly network: string;
  readonly payer: string;
}

/** A call that cost nothing. */
export interface UnchargedCall {
  readonly request_id: string;
  readonly at_ms: number;
  readonly code: ErrorCode;
  /** Without its query. */
  readonly path: string;
  readonly payment?: UnchargedPayment | undefined;
  /** The buyer's own money that was passed on to somebody else nevertheless. */
  readonly passed_on?: object | undefined;
  /** Public id of the API key. */
  readonly key_id?: string | undefined;
}

/** The node's statement about one call that cost nothing, at one time. */
const noChargePayload = (node_id: string, { payment, at_ms, key_id, passed_on, ...call }: UnchargedCall) => ({
  version: 1,
  node_id,
  charged: false,
  at: renderTime(at_ms),
  ...call,
  ...payment,
  ...(passed_on === undefined ? {} : { passed_on }),
  ...(key_id === undefined ? {} : { key_id }),
});

/** Signs such statements as compact JWS. */
export function createNoChargeSigner(
  identity: Pick<NodeIdentity, "sign" | "node_id" | "key_name">,
  public_url: string,
): (call: UnchargedCall) => string {
  const sign = createJWSSigner(identity, nodeKeyId(public_url, identity.key_name));
  return (call) => sign(noChargePayload(identity.node_id, call));
}
