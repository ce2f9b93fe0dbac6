import { NodeError, type PaymentTerm, parseJSON, readMPPRequest, readTerms, valueAt } from "intel-node";

/** A payment's own statements, as far as the two versions of the protocol show them; null where they do not. */
export interface StatedPayment {
  readonly network: string | null;
  readonly asset: string | null;
  readonly pay_to: string | null;
  readonly amount_atomic: string | null;
}

const findText = (value: unknown, ...path: readonly string[]): string | null => {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : null;
};

/** Where scheme `upto` holds what was signed: a token, the most of it, and for whom. */
const PERMIT = ["payload", "permit2Authorization"] as const;

/** Reads a payment as it was signed (EVM) and, where that says nothing, as it is described beside the signature. */
function readPayment(payment: string): StatedPayment {
  const decoded = parseJSON(Buffer.from(payment, "base64").toString());
  const asked = readMPPRequest(valueAt(decoded, "challenge", "request"));
  if (asked !== null) {
    const { network, asset } = asked;
    const amount_atomic = findText(decoded, "payload", "value");
    return { network, asset, pay_to: findText(decoded, "payload", "to"), amount_atomic };
  }
  // In version 1 network and scheme are top-level members; `readTerms` brings both to one spelling.
  const described = valueAt(decoded, "accepted") ?? { network: findText(decoded, "network") };
  const [term] = readTerms({ accepts: [described] })?.accepts ?? [];
  const orNull = (text: string | null | undefined): string | null => (text === undefined || text === "" ? null : text);
  return {
    network: orNull(term?.network),
    // A payment channel is of one token and for one receiver: what is described beside it signs nothing.
    asset:
      findText(decoded, "payload", "channelConfig", "token") ??
      findText(decoded, ...PERMIT, "permitted", "token") ??
      orNull(term?.asset),
    pay_to:
      findText(decoded, "payload", "authorization", "to") ??
      findText(decoded, "payload", "channelConfig", "receiver") ??
      findText(decoded, ...PERMIT, "witness", "to") ??
      orNull(term?.pay_to),
    amount_atomic:
      findText(decoded, "payload", "authorization", "value") ??
      findText(decoded, ...PERMIT, "permitted", "amount") ??
      orNull(term?.amount_atomic),
  };
}

const isSame = (one: string, other: string): boolean =>
  one === other || (one.startsWith("0x") && one.toLowerCase() === other.toLowerCase());

/** The parts of a payment that differ from this way to pay. */
function listDifferences(payment: StatedPayment, term: PaymentTerm): readonly string[] {
  return (["network", "asset", "pay_to", "amount_atomic"] as const).flatMap((name) => {
    const [signed, asked] = [payment[name], term[name]];
    return signed === null || isSame(signed, asked ?? "") ? [] : [`${name} ${signed.slice(0, 120)}`];
  });
}

/**
 * Holds a payment to what the peer asks for now, at the host its certificate names: network, asset, payee and amount.
 * @returns the way to pay it was signed for.
 * @throws NodeError invalid_parameter before the payment has left this node.
 */
export function findPaidTerm(payment: string, accepts: readonly PaymentTerm[]): PaymentTerm {
  const stated = readPayment(payment);
  const refuse = (why: string) => new NodeError("invalid_parameter", `payment: ${why}`, { param: "payment" });
  if (stated.network === null)
    throw refuse("it does not say its network, so it cannot be checked against the peer's price");
  const [closest] = accepts
    .map((term) => ({ term, differs: listDifferences(stated, term) }))
    .toSorted((a, b) => a.differs.length - b.differs.length);
  if (closest === undefined) throw refuse("the peer states no price to check it against");
  const { term, differs } = closest;
  if (differs.length === 0) return term;
  const asked = `${term.amount_atomic ?? "?"} of ${term.asset} on ${term.network} to ${term.pay_to}`;
  throw refuse(`it was signed for ${differs.join(", ")}; the peer now asks for ${asked}. It was not passed on`);
}
