import { type CheckpointOptions, type Checkpoints, createCheckpoints } from "./checkpoints.ts";
import { createLogProofs, type LogProofs } from "./log-proof.ts";
import { createLogTiles, type LogTiles } from "./log-tiles.ts";

/** A node's histories as tiled logs (C2SP): a log for each, of the hashes of its records. */
export interface HistoryLogs {
  readonly checkpoints: Checkpoints;
  readonly tiles: LogTiles;
  readonly proofs: LogProofs;
}

export function createHistoryLogs(options: CheckpointOptions): HistoryLogs {
  const checkpoints = createCheckpoints(options);
  const { records } = options;
  return { checkpoints, tiles: createLogTiles(options), proofs: createLogProofs({ records, checkpoints }) };
}
