import type { Payer } from "../catalog/context.ts";
import { withPayer } from "../catalog/payer.ts";
import { sha256Hex } from "../core/hash.ts";
import type { AccessCall } from "./access.ts";

/**
 * A call as this payer's own: where the answer depends on who pays, the payer is part of what the payment pays for.
 * @param payer who signed; nothing of it has been checked yet, and nothing is produced before it is.
 */
export function bindPayer(call: AccessCall, payer: Payer): AccessCall {
  const request = withPayer(call.product, call.request, payer);
  if (request === call.request) return call;
  const fingerprint = sha256Hex(`${call.fingerprint}\n${payer.network} ${payer.address}`);
  return { ...call, request, fingerprint };
}
