import { type FetchContext, NodeError } from "intel-node";
import { readSeal, SEALS, type StoredSeal } from "../seals/seal-records.ts";
import type { TrustHashParams } from "./schema.ts";

export interface TrustHashInputs {
  readonly seal: StoredSeal;
  readonly public_key: string;
}

/** Seals that are searched for a hash: about 40 days. */
const SEARCHED = 1_000;

/** The newest seal, or the newest one that holds the asked hash. @throws NodeError without one. */
export async function fetchSeal(context: FetchContext, { hash }: TrustHashParams): Promise<TrustHashInputs> {
  const limit = hash === undefined ? 1 : SEARCHED;
  const records = await context.records.read(SEALS, { limit, newest: true });
  const found = records
    .toReversed()
    .map(readSeal)
    .find(({ leaves }) => hash === undefined || leaves.some(({ leaf_hash }) => leaf_hash === hash));
  const { public_key } = context.signer;
  if (found) return { seal: found, public_key };
  if (records.length === 0) throw new NodeError("no_history", "Nothing was sealed yet; the first seal is made hourly.");
  throw new NodeError("subject_not_found", "No seal of the last 1,000 holds this hash.");
}
