import { getOwn, isUSDC, parseAtomic, parseJSON, valueAt } from "intel-node";
import type { PassedOnData } from "./paid-calls.ts";

/** What left for the peer, and what the peer says of it. */
interface PeerPayment {
  readonly passed_on: PassedOnData | null;
  /** JSON text. */
  readonly receipt: string | null;
}

/** Where a receipt names the charge, by schemes under which less may be taken than was signed. */
const CHARGES: Readonly<Record<string, readonly string[]>> = {
  upto: ["amount"],
  "batch-settlement": ["extra", "chargedAmount"],
};

/** What the peer says it took of what was signed, atomic; null where all of it was, or it does not say. */
function readCharge({ passed_on, receipt }: PeerPayment): bigint | null {
  const place = passed_on === null ? undefined : getOwn(CHARGES, passed_on.scheme);
  const stated = place === undefined || receipt === null ? undefined : parseJSON(receipt);
  if (place === undefined || valueAt(stated, "success") !== true) return null;
  const charge = valueAt(stated, ...place);
  return typeof charge === "string" ? parseAtomic(charge) : null;
}

/** Whether a peer names a charge that nobody signed for. */
export function takesTooMuch(payment: PeerPayment): boolean {
  const charge = readCharge(payment);
  const signed = parseAtomic(payment.passed_on?.amount_atomic ?? "");
  return charge !== null && signed !== null && charge > signed;
}

/**
 * What the peer was paid, atomic USDC; null where nothing left, or not USDC: then the charge is the floor. Where less
 * may be taken than was signed, what the peer names, and never more than was signed.
 */
export function readPeerPrice(payment: PeerPayment): bigint | null {
  const { passed_on } = payment;
  if (passed_on === null || !isUSDC(passed_on)) return null;
  const signed = parseAtomic(passed_on.amount_atomic);
  const charge = readCharge(payment);
  return charge !== null && signed !== null && charge < signed ? charge : signed;
}
