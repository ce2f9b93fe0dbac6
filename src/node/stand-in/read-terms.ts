import { type Static, Type } from "@sinclair/typebox";
import { decodeChallengeHeader } from "../../challenge-reader/read-challenge.ts";
import { compileSchema } from "../../core/compile-schema.ts";
import { parseAtomic } from "../../core/money.ts";
import { networkById } from "../../payments/networks/table.ts";
import { isSameAddress } from "../../trust/peer-types.ts";
import type { PeerChallenge } from "../buyer.ts";

const Text = Type.String({ maxLength: 200 });
const Accepted = Type.Object(
  { scheme: Text, network: Text, amount: Text, asset: Text, payTo: Text },
  { additionalProperties: true },
);
const Terms = Type.Object({ accepts: Type.Array(Type.Unknown(), { maxItems: 50 }) }, { additionalProperties: true });
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
