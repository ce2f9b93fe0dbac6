import { renderTime } from "../../core/clock.ts";
import type { EchoedChallenge } from "../types.ts";
import { findMppMethod } from "./methods/table.ts";

export const PAYMENT_RECEIPT = "Payment-Receipt";

export interface MppSale {
  readonly challenge: Pick<EchoedChallenge, "id" | "method" | "intent">;
  readonly transaction: string;
  /** CAIP-2. */
  readonly network: string;
  readonly settled_at_ms: number;
}

/** Value of Payment-Receipt: base64url of JSON. */
export function encodeReceipt({ challenge, transaction, network, settled_at_ms }: MppSale): string {
  const { id, method, intent } = challenge;
  const receipt = {
    status: "success",
    method,
    timestamp: renderTime(settled_at_ms),
    reference: transaction,
    challengeId: id,
    ...findMppMethod(method, intent)?.receipt(network),
  };
  return Buffer.from(JSON.stringify(receipt), "utf8").toString("base64url");
}
