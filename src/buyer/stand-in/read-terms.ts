import { type Static, Type } from "@sinclair/typebox";
import { decodeChallengeHeader, readChallenge } from "../../challenge-reader/read-challenge.ts";
import { compileSchema } from "../../core/compile-schema.ts";
import { parseAtomic } from "../../core/money.ts";
import { SCHEME } from "../../payments/channels/contract.ts";
import { networkById } from "../../payments/networks/table.ts";
import type { Requirement } from "../../payments/types.ts";
import { UPTO } from "../../payments/upto/contract.ts";
import { isSameAddress } from "../../trust/peer-types.ts";
import type { PeerAnswer } from "../../upstream/fetch-peer.ts";
import type { PeerChallenge } from "../buyer.ts";

const Text = Type.String({ maxLength: 200 });
const Accepted = Type.Object(
  { scheme: Text, network: Text, amount: Text, asset: Text, payTo: Text },
  { additionalProperties: true },
);
const Terms = Type.Object({ accepts: Type.Array(Type.Unknown(), { maxItems: 50 }) }, { additionalProperties: true });
const Whole = Type.Composite([
  Accepted,
  Type.Object({ maxTimeoutSeconds: Type.Number(), extra: Type.Record(Type.String(), Type.Unknown()) }),
]);
const checkWhole = compileSchema(Whole);
const checkTerms = compileSchema(Terms);
const checkAccepted = compileSchema(Accepted);

/** What a peer asks to be paid, in the one way this node pays. */
export interface PeerTerms {
  readonly challenge: PeerChallenge;
  readonly amount: bigint;
}

/**
 * The exact payment in USDC on Base that a 402 asks for; null where it asks for none. A sandbox pays on test networks
 * alone, and a live node never does.
 */
export function readPeerTerms(headers: Headers, is_sandbox: boolean): PeerTerms | null {
  const header = headers.get("PAYMENT-REQUIRED") ?? "";
  const terms = decodeChallengeHeader(header);
  if (!checkTerms.Check(terms)) return null;
  for (const accepted of terms.accepts) {
    const found = checkAccepted.Check(accepted) ? readAccepted(accepted, { header, is_sandbox }) : null;
    if (found !== null) return found;
  }
  return null;
}

/**
 * The offer of payment channels on a network in a 402; null without one. The header has not always room for
 * it. Its terms are checked where a channel is opened on them.
 */
export const findChannelOffer = (answer: PeerAnswer, network: string): Requirement | null =>
  findOffer(answer, { scheme: SCHEME, network });

function findOffer(
  { headers, text }: PeerAnswer,
  { scheme, network }: { readonly scheme: string; readonly network: string },
): Requirement | null {
  const { header_value, body_value } = readChallenge({ headers, body: text });
  for (const terms of [header_value, body_value]) {
    const offers: readonly unknown[] = checkTerms.Check(terms) ? terms.accepts : [];
    const found = offers.filter(isWhole).find((one) => one.scheme === scheme && one.network === network);
    if (found !== undefined) return found;
  }
  return null;
}

/** The same beside an exact payment, where it goes to the same payee. */
export function readChannelTerms(answer: PeerAnswer, { challenge }: PeerTerms): Requirement | null {
  const found = findChannelOffer(answer, challenge.network);
  if (found === null || !isSameAddress(found.payTo, challenge.payTo)) return null;
  return parseAtomic(found.amount) === null ? null : found;
}

/** The same of scheme `upto`: its amount is the most that a call may cost, and it names who may take it. */
export function readUptoTerms(answer: PeerAnswer, { challenge }: PeerTerms): Requirement | null {
  const found = findOffer(answer, { scheme: UPTO, network: challenge.network });
  const asset = networkById(challenge.network)?.asset;
  if (found === null || asset === undefined || !isSameAddress(found.asset, asset)) return null;
  const { facilitatorAddress, assetTransferMethod = "permit2" } = found.extra;
  const is_named = typeof facilitatorAddress === "string" && ADDRESS.test(facilitatorAddress);
  if (!is_named || assetTransferMethod !== "permit2" || !isSameAddress(found.payTo, challenge.payTo)) return null;
  return parseAtomic(found.amount) === null ? null : found;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const isWhole = (accepted: unknown): accepted is Requirement => checkWhole.Check(accepted);

function readAccepted(
  accepted: Static<typeof Accepted>,
  { header, is_sandbox }: { readonly header: string; readonly is_sandbox: boolean },
): PeerTerms | null {
  const { scheme, network: id, asset, payTo } = accepted;
  const network = networkById(id);
  const amount = parseAtomic(accepted.amount);
  if (scheme !== "exact" || amount === null || network?.eip712 === undefined) return null;
  if (network.testnet !== is_sandbox || !isSameAddress(network.asset, asset)) return null;
  return { amount, challenge: { header, amount: accepted.amount, network: id, payTo, accepted } };
}
