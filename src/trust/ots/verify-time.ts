import { renderTime } from "../../core/clock.ts";
import type { TrackState } from "../track-states.ts";
import type { KnownBlock } from "./block-header.ts";
import type { Timestamp } from "./timestamp.ts";
import { listAttested } from "./walk.ts";

export interface TimeClaim {
  readonly state: TrackState;
  readonly detail: string;
}

const shown = (root: Uint8Array): string => Buffer.from(root.toReversed()).toString("hex");

/**
 * The latest time at which a message came into existence. Neither a calendar's word nor a block's number proves it; the
 * proof is that the path ends at the Merkle root of a block that the verifier knows.
 */
export function verifyTime(timestamp: Timestamp, blocks: readonly KnownBlock[]): TimeClaim {
  const attested = listAttested(timestamp);
  const in_blocks = attested.flatMap(({ message, attestation }) =>
    attestation.kind === "bitcoin" ? [{ message, height: attestation.height }] : [],
  );
  const looked_up = in_blocks.flatMap(({ message, height }) =>
    blocks.filter((block) => block.height === height).map((block) => ({ block, message })),
  );
  // One valid path is enough; other calendars' paths do not weaken it.
  const [first] = looked_up
    .filter(({ block, message }) => Buffer.compare(block.merkle_root, message) === 0)
    .map(({ block }) => block)
    .sort((one, other) => one.height - other.height);
  if (first !== undefined) {
    const when = first.time_ms === null ? "" : `, whose header says ${renderTime(first.time_ms)}`;
    return { state: "proven", detail: `it existed before Bitcoin block ${first.height}${when}` };
  }
  if (looked_up.length > 0) {
    const heights = looked_up.map(({ block }) => block.height).join(", ");
    return { state: "broken", detail: `its path does not end at the Merkle root of the block given as ${heights}` };
  }
  if (in_blocks.length > 0) {
    const named = in_blocks.map(({ message, height }) => `block ${height} with the Merkle root ${shown(message)}`);
    return {
      state: "unproven",
      detail: `it says ${named.join(", ")}: compare, and give --block ${in_blocks[0]?.height}:<header>`,
    };
  }
  const pending = attested.flatMap(({ attestation }) => (attestation.kind === "pending" ? [attestation.url] : []));
  if (pending.length > 0) return { state: "unproven", detail: `pending at calendar ${pending.join(", ")}` };
  return { state: "unproven", detail: "attested in no way that is known here" };
}
