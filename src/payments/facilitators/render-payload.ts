import type { PaymentToSettle } from "./types.ts";

/**
 * A payment as x402 version 2 writes it. What the buyer accepted is our own requirement, never his copy of it; so are
 * resource and extensions, which catalogs publish in our name. Nothing of these is signed.
 */
export const renderPayload = ({ payload, requirement, signed_for, resource, extensions }: PaymentToSettle) => ({
  x402Version: 2,
  accepted: signed_for ?? requirement,
  payload,
  ...(resource ? { resource } : {}),
  ...(extensions ? { extensions } : {}),
});

/** Texts of objects that many payments share: our requirements, resources and extensions. */
const texts = new WeakMap<object, string>();
const textOf = (value: object): string => {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
};

const calls = new WeakMap<PaymentToSettle, string>();

/**
 * The body of a call to a facilitator, as JSON text. `verify` and `settle` of one payment are the same text, and only
 * what the buyer signed has to be written for each: the rest is some kilobytes that never change.
 */
export function renderCall(payment: PaymentToSettle): string {
  const known = calls.get(payment);
  if (known !== undefined) return known;
  const { payload, requirement, signed_for = requirement, resource, extensions } = payment;
  const accepted = textOf(signed_for);
  const about = resource ? `,"resource":${textOf(resource)}` : "";
  const more = extensions ? `,"extensions":${textOf(extensions)}` : "";
  const paid = `{"x402Version":2,"accepted":${accepted},"payload":${JSON.stringify(payload)}${about}${more}}`;
  const text = `{"x402Version":2,"paymentPayload":${paid},"paymentRequirements":${textOf(requirement)}}`;
  calls.set(payment, text);
  return text;
}
