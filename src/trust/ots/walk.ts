import { type Attestation, compareAttestations } from "./attestations.ts";
import { OtsError } from "./operations.ts";
import { compareOperations, type Timestamp } from "./timestamp.ts";

export interface Attested {
  readonly message: Uint8Array;
  readonly attestation: Attestation;
}

/** Every attestation with its message. */
export const listAttested = ({ message, attestations, branches }: Timestamp): readonly Attested[] => [
  ...attestations.map((attestation) => ({ message, attestation })),
  ...branches.flatMap(({ next }) => listAttested(next)),
];

/** Merges two timestamps of one message. @throws OtsError when their messages differ. */
export function mergeTimestamps(one: Timestamp, other: Timestamp): Timestamp {
  if (Buffer.compare(one.message, other.message) !== 0) throw new OtsError("they are of different messages");
  const more = other.attestations.filter((is) => !one.attestations.some((has) => compareAttestations(has, is) === 0));
  const branches = [...one.branches];
  for (const branch of other.branches) {
    const place = branches.findIndex(({ operation }) => compareOperations(operation, branch.operation) === 0);
    const same = branches[place];
    if (same === undefined) branches.push(branch);
    else branches[place] = { operation: same.operation, next: mergeTimestamps(same.next, branch.next) };
  }
  return { message: one.message, attestations: [...one.attestations, ...more], branches };
}

/** Attaches a later timestamp of a message at every position of that message. */
export function upgradeTimestamp(timestamp: Timestamp, later: Timestamp): Timestamp {
  if (Buffer.compare(timestamp.message, later.message) === 0) return mergeTimestamps(timestamp, later);
  const branches = timestamp.branches.map(({ operation, next }) => ({
    operation,
    next: upgradeTimestamp(next, later),
  }));
  return { ...timestamp, branches };
}
