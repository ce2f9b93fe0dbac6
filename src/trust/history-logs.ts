import { type CheckpointOptions, type Checkpoints, createCheckpoints } from "./checkpoints.ts";
import { createLogProofs, type LogProofs } from "./log-proof.ts";
import { createLogTiles, type LogTiles } from "./log-tiles.ts";

/** A node's histories as tiled logs (C2SP): of each its records by their hashes, and what was stated of them. */
export interface HistoryLogs {
  readonly checkpoints: Checkpoints;
  readonly tiles: LogTiles;
  readonly proofs: LogProofs;
}

export function createHistoryLogs(options: CheckpointOptions): HistoryLogs {
  const checkpoints = createCheckpoints(options);
  return { checkpoints, tiles: createLogTiles(options), proofs: createLogProofs({ ...options, checkpoints }) };
}
