import { getHistoryTrees, type HistoryTrees, readHistoryTrees } from "../records/history-trees.ts";
import type { MerkleTree } from "../records/merkle-tree.ts";
import type { Records } from "../records/record-chain.ts";
import { HEAD_CHAINS } from "./history-heads.ts";

/** One log of a node (C2SP tlog-tiles): over the records of a history, or over what was stated of them. */
export interface LogRow {
  /** What it is called behind the node's id, such as "signals" or "signals/outcomes". */
  readonly name: string;
  readonly chain: string;
  readonly of: "records" | "outcomes";
  /** Path on the node below which its files are. */
  readonly prefix: string;
}

const MAIN_CHAIN = "signals";
const prefixOf = (chain: string): string => (chain === MAIN_CHAIN ? "/track-record" : `/track-record/${chain}`);

/** All logs of a node. */
export const LOG_ROWS: readonly LogRow[] = HEAD_CHAINS.flatMap((chain): readonly LogRow[] => [
  { name: chain, chain, of: "records", prefix: prefixOf(chain) },
  { name: `${chain}/outcomes`, chain, of: "outcomes", prefix: `${prefixOf(chain)}/outcomes` },
]);

export const findLogRow = (name: string): LogRow | undefined => LOG_ROWS.find((row) => row.name === name);

/** A log as far as it is shown at a moment; its tree may go further. */
export interface ShownLog {
  readonly size: number;
  readonly tree: MerkleTree;
  /** Bytes of each entry, of which its leaf is the hash. */
  readonly entry_bytes: number;
  /** An entry by its place, from 1, in hex. */
  readonly entryOf: (place: number) => string | undefined;
}

/**
 * What came of a record can be guessed from public prices and its hash, and with it the side of a signal that is sold
 * still: entries of outcomes are shown when they are as old as what is shown of signals for free.
 */
const OUTCOMES_AFTER_MS = 86_400_000;

const showLog = (trees: HistoryTrees, { of }: LogRow, now_ms: number): ShownLog =>
  of === "records"
    ? { size: trees.chain.length, tree: trees.records, entry_bytes: 32, entryOf: trees.recordHashOf }
    : {
        size: trees.outcomesBy(now_ms - OUTCOMES_AFTER_MS),
        tree: trees.outcomes,
        entry_bytes: 64,
        entryOf: trees.outcomeHashesOf,
      };

export interface ShownLogOptions {
  readonly records: Records;
  readonly now_ms: () => number;
}

/** A log in its current state. */
export async function readShownLog({ records, now_ms }: ShownLogOptions, row: LogRow): Promise<ShownLog> {
  return showLog(await readHistoryTrees(records, row.chain), row, now_ms());
}

/** As far as somebody read it before: asks the books nothing. */
export const getShownLog = ({ records, now_ms }: ShownLogOptions, row: LogRow): ShownLog =>
  showLog(getHistoryTrees(records, row.chain), row, now_ms());
