import type { CatalogProduct } from "../../catalog/catalog.ts";
import { NodeError } from "../../core/errors.ts";
import { canonicalJSON } from "../../core/hash.ts";
import { decodePaymentHeader, NOT_OFFERED, peekHeader } from "../codec.ts";
import type { FacilitatorPool } from "../facilitators/pool.ts";
import { decodeCredential, findCredential, type SentCredential } from "../mpp/credential.ts";
import { familyOf } from "../networks/families.ts";
import { type Network, networkById } from "../networks/table.ts";
import { PaymentRefusal, refuse } from "../refusal.ts";
import { createRequirements, matchRequirement, withFeePayer } from "../requirements.ts";
import type { IncomingPayment, Requirement, SignedPayment } from "../types.ts";
import { UPTO } from "../upto/contract.ts";
import { listUpto, withFacilitator } from "../upto/terms.ts";

/** A payment that can be distinguished from every other one. Nothing of it has been checked yet. */
export interface ReadPayment {
  readonly incoming: IncomingPayment;
  readonly network: Network;
  readonly signed: SignedPayment;
}

/** Text of a header of x402, or a credential of MPP. */
type SentPayment = string | SentCredential;

/** Of several that one call brings, x402 in version 2 is taken, then version 1, then MPP. */
const findSent = (headers: Headers): SentPayment | null =>
  headers.get("payment-signature") ?? headers.get("x-payment") ?? findCredential(headers);

/** Whether a call brings a signed payment, in whichever form. */
export const hasPayment = (headers: Headers): boolean => findSent(headers) !== null;

/** What an x402 header that could not be read holds; null where it is no JSON, or came in another form. */
export function peekSent(headers: Headers): unknown {
  const sent = findSent(headers);
  return typeof sent === "string" ? peekHeader(sent) : null;
}

const decodeSent = (sent: SentPayment): IncomingPayment =>
  typeof sent === "string" ? decodePaymentHeader(sent) : decodeCredential(sent);

const nameOf = (sent: SentPayment): string => (typeof sent === "string" ? sent : `${sent.field}: ${sent.text}`);

interface KeptReading {
  readonly text: string;
  readonly at_ms: number;
  readonly read: ReadPayment | PaymentRefusal;
}
/** Who refuses a call reads its payment again to state what was refused: it is decoded and hashed once. */
const readings = new WeakMap<Headers, KeptReading>();
const READING_KEPT_MS = 5_000;

/**
 * Decodes the header and names the payment by its signed content.
 * @throws PaymentRefusal
 */
export function readPayment(headers: Headers, now_ms: number): ReadPayment {
  const sent = findSent(headers) ?? "";
  const text = nameOf(sent);
  const kept = readings.get(headers);
  // How long a payment is good is counted from when it was read.
  const is_known = kept?.text === text && Math.abs(now_ms - kept.at_ms) < READING_KEPT_MS;
  const read = is_known ? kept.read : tryToDecode(sent, now_ms);
  if (!is_known) readings.set(headers, { text, at_ms: now_ms, read });
  if (read instanceof PaymentRefusal) throw read;
  return read;
}

function tryToDecode(sent: SentPayment, now_ms: number): ReadPayment | PaymentRefusal {
  try {
    return decodePayment(sent, now_ms);
  } catch (error) {
    if (error instanceof PaymentRefusal) return error;
    throw error;
  }
}

function decodePayment(sent: SentPayment, now_ms: number): ReadPayment {
  const incoming = decodeSent(sent);
  const network = networkById(incoming.network);
  if (!network) {
    const shown = incoming.network.slice(0, 60);
    throw refuse("invalid_payment", "invalid_network", `Network "${shown}" ${NOT_OFFERED}`);
  }
  return { incoming, network, signed: familyOf(network).identify({ network, payload: incoming.payload, now_ms }) };
}

/**
 * Finds our requirement for a payment and checks every field of it: first what the buyer says he accepted, then what he
 * signed. Costs no I/O and no cryptography.
 * @throws PaymentRefusal; NodeError facilitator_unavailable when the network is ours but cannot be settled now.
 */
export function checkPayment(
  { incoming, network, signed }: ReadPayment,
  against: { readonly product: CatalogProduct; readonly pool: FacilitatorPool; readonly now_ms: number },
): Requirement {
  const { product, pool, now_ms } = against;
  const offer = pool.offers.find((one) => one.network.id === network.id);
  const down = offer ? undefined : pool.unavailable().find((entry) => entry.network === network.id);
  if (down) {
    const message = `${network.title} cannot be settled now (${down.why}). Nothing was charged.`;
    throw new NodeError("facilitator_unavailable", message, { retry_after_s: 10 });
  }
  const upto = incoming.scheme === UPTO ? offer?.upto : undefined;
  const fee_payers = upto?.addresses ?? offer?.fee_payers ?? [];
  const offered = [...createRequirements(product, pool.offers), ...listUpto(product, pool.offers)];
  const requirement = matchRequirement(incoming, offered, fee_payers);
  familyOf(network).check({ requirement, payload: incoming.payload, now_ms, fee_payers });
  if (upto !== undefined) return withFacilitator(requirement, signed.fee_payer ?? "", upto);
  return withFeePayer(requirement, signed.fee_payer);
}

/** The amount a payment was signed over, as text; null where it cannot be read: later steps refuse what cannot. */
export function readSignedAmount(headers: Headers): string | null {
  try {
    const incoming = decodeSent(findSent(headers) ?? "");
    const network = networkById(incoming.network);
    const signed = network && familyOf(network).describe?.(incoming.payload).amount;
    const amount = signed ?? incoming.accepted?.amount;
    return typeof amount === "string" ? amount : null;
  } catch {
    return null;
  }
}

/**
 * A payment as facilitators get it and the ledger keeps it.
 * @param known whether the payer's key signed it. A contract wallet's signature goes on as it came.
 */
export function renderForSettlement({ incoming, network, signed }: ReadPayment, known: boolean) {
  const payload = (known && familyOf(network).renderKeySigned?.(incoming.payload)) || incoming.payload;
  return { payload, text: payload === incoming.payload ? signed.payload_json : canonicalJSON(payload) };
}

export const wrongSignature = () =>
  refuse("invalid_payment", "invalid_signature", "The signature is not the payer's: sign with the paying wallet.");
