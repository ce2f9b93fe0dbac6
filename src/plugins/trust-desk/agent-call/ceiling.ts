import { NodeError, parseJSON, valueAt } from "intel-node";

/** Where the two versions of the protocol say what a payment moves; what is signed comes first. */
const PLACES = [
  ["payload", "authorization", "value"],
  ["payload", "value"],
  ["payload", "deposit", "amount"],
  ["payload", "permit2Authorization", "permitted", "amount"],
  ["accepted", "amount"],
  ["accepted", "maxAmountRequired"],
] as const;

/** The largest amount that a signed payment can move, in the asset's smallest unit; null when unreadable. */
export function readAmount(payment: string): bigint | null {
  const decoded = parseJSON(Buffer.from(payment, "base64").toString());
  const amounts = PLACES.flatMap((place) => {
    const said = valueAt(decoded, ...place);
    return typeof said === "string" && /^\d{1,30}$/.test(said) ? [BigInt(said)] : [];
  });
  return amounts.toSorted((a, b) => (a < b ? 1 : -1))[0] ?? null;
}

/**
 * Holds a payment to the buyer's own ceiling before anything is asked or charged.
 * @throws NodeError invalid_parameter when it moves more, or an unknown amount.
 */
export function assertBelowCeiling(payments: readonly (string | undefined)[], ceiling: string | undefined): void {
  if (ceiling === undefined) return;
  for (const payment of payments) {
    if (payment === undefined) continue;
    const amount = readAmount(payment);
    const refuse = (why: string) => new NodeError("invalid_parameter", `payment: ${why}`, { param: "payment" });
    if (amount === null)
      throw refuse("what it moves cannot be read, so it cannot be checked against max_amount_atomic");
    if (amount > BigInt(ceiling)) throw refuse(`it moves ${amount}, more than max_amount_atomic allows`);
  }
}
