import { createLRU } from "../core/lru.ts";
import type { KeyRow } from "./key-rows.ts";
import type { Writer } from "./writer.ts";

/** One call under a pass: nothing is debited for it. */
export interface PassCall {
  readonly key: Pick<KeyRow, "id">;
  readonly product: string;
  readonly now_ms: number;
}

/** What is done with them inside a db transaction. */
export interface PassRows {
  /** @returns the row's id. */
  insert(call: PassCall, times: number): number;
  add(call: PassCall, id: number, times: number): void;
}

/** Calls of one key for one product in one minute. */
interface Minute {
  readonly minute: number;
  /** Its row; null until the first of them is in. */
  id: number | null;
  /** Calls that no queued write has taken yet. */
  counted: number;
  queued: boolean;
}

const MINUTE_MS = 60_000;
const MINUTES_MAX = 10_000;

/**
 * Adds up the calls of passes: a pass is sold without a limit, and a row for each of 7,500 calls a second would be
 * 27 GB a day. The calls that come in until the next commit share one write, those of a minute one row.
 */
export function createPassCalls(writer: Writer, rows: PassRows): (call: PassCall) => void {
  const minutes = createLRU<Minute>(MINUTES_MAX);

  const queue = (call: PassCall, own: Minute): void => {
    // Work may run more than once, when a commit fails: what it took the first time is all it ever writes.
    let taken: { readonly times: number; readonly inserts: boolean } | null = null;
    const work = () => {
      if (taken === null) {
        taken = { times: own.counted, inserts: own.id === null };
        own.counted = 0;
        own.queued = false;
      }
      if (taken.inserts || own.id === null) own.id = rows.insert(call, taken.times);
      else rows.add(call, own.id, taken.times);
    };
    const failed = () => {
      own.queued = false;
      if (taken?.inserts) own.id = null;
    };
    own.queued = true;
    writer.writeLater(work, failed);
  };

  return (call) => {
    const name = `${call.key.id} ${call.product}`;
    const minute = Math.floor(call.now_ms / MINUTE_MS);
    let own = minutes.get(name);
    if (own?.minute !== minute) {
      own = { minute, id: null, counted: 0, queued: false };
      minutes.set(name, own);
    }
    own.counted += 1;
    if (!own.queued) queue(call, own);
  };
}
