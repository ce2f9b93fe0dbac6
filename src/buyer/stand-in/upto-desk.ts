import { Type } from "@sinclair/typebox";
import { decodeChallengeHeader } from "../../challenge-reader/read-challenge.ts";
import { compileSchema } from "../../core/compile-schema.ts";
import { createLRU } from "../../core/lru.ts";
import { parseAtomic } from "../../core/money.ts";
import type { PeerAnswer } from "../../upstream/fetch-peer.ts";

/** After a peer refused a payment by `upto`, such as for a missing allowance, it is paid by `exact` for so long. */
const REFUSED_FOR_MS = 3_600_000;
const PEERS_MAX = 100;

const checkSettled = compileSchema(
  Type.Object({ success: Type.Literal(true), amount: Type.String({ maxLength: 78 }) }, { additionalProperties: true }),
);

/** Which peers take payments by `upto` from this node's wallet. */
export interface UptoDesk {
  isTaken(origin: string): boolean;
  noteRefused(origin: string): void;
}

export function createUptoDesk(now_ms: () => number): UptoDesk {
  const refused = createLRU<number>(PEERS_MAX);
  return {
    isTaken: (origin) => now_ms() >= (refused.get(origin) ?? Number.NEGATIVE_INFINITY),
    noteRefused: (origin) => void refused.set(origin, now_ms() + REFUSED_FOR_MS),
  };
}

/** What a peer says it took of what was signed; all of it where it says nothing that can be. */
export function readUptoCharge({ headers }: Pick<PeerAnswer, "headers">, most: bigint): bigint {
  const settled = decodeChallengeHeader(headers.get("PAYMENT-RESPONSE"));
  const amount = checkSettled.Check(settled) ? parseAtomic(settled.amount) : null;
  return amount !== null && amount > 0n && amount < most ? amount : most;
}
