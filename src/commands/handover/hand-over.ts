import { join } from "node:path";
import { sleep, systemClock, systemTimers } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { MIGRATIONS } from "../../ledger/sqlite/migrate.ts";
import { lockHandover } from "../../ledger/sqlite/open.ts";
import { copyForUpgrade, dropUpgradeCopy, type UpgradeCopy, undoUpgrade } from "../../ledger/sqlite/upgrade-copy.ts";
import type { RunningNode } from "../../node/parts.ts";
import type { Log } from "../../telemetry/log.ts";
import { countListeners, steerToSecond } from "./steer-connections.ts";
import { type Successor, startSuccessor } from "./successor.ts";

export interface HandOverOptions {
  readonly node: Pick<RunningNode, "release"> & { readonly listener: { readonly port: number } };
  readonly data_dir: string;
  readonly log: Log;
  /** Command line of the file this node was started from, which may have become another program. */
  readonly program: readonly string[];
  /** Command line of the program that runs now, even if its file has changed. */
  readonly own_program: readonly string[];
  /** The longest wait for calls in progress. */
  readonly drain_ms: number;
  /** The longest time until the new program is prepared, and until it serves. */
  readonly ready_ms: number;
}

/**
 * "kept": the other program would not start, and this one was not interrupted. "handed": another process serves.
 * "returned": the new program did not serve in time, and a process of the old program serves.
 */
export type HandOverOutcome =
  | { readonly kind: "handed" }
  | { readonly kind: "kept" | "returned"; readonly why: string };

/** Time for the old program to serve again: nothing else can serve, so it is longer than any setting. */
const RETURN_MS_MAX = 120_000;
/** A connection idle for so long after the last one passed on is closed. */
const QUIET_MS = 3_000;
/** The longest time a connection may be idle at all. */
const LINGER_MS_MAX = 120_000;
/** The longest time the previous process may still listen. */
const ALONE_MS_MAX = LINGER_MS_MAX + QUIET_MS;
const LOOK_EVERY_MS = 100;
const LEDGER = "ledger.db";

const socketOf = (data_dir: string): string => join(data_dir, `handover-${crypto.randomUUID().slice(0, 8)}.sock`);

/**
 * Hands over to a new process without refusing a call: new calls are held until the new process answers them; calls in
 * progress are finished and settled here. Returns once another process serves, or once this one serves again.
 * @throws Error when neither the new program nor the old one can be made to serve.
 */
export async function handOver(options: HandOverOptions): Promise<HandOverOutcome> {
  const { node, data_dir, program, ready_ms } = options;
  await whenAlone(node.listener.port);
  const successor = startSuccessor(program);
  let prepared: { readonly schema: number; readonly unlock: () => void };
  try {
    const { schema } = await successor.hear("prepared", ready_ms);
    prepared = { schema, unlock: lockHandover(data_dir) };
  } catch (error) {
    await successor.kill();
    return { kind: "kept", why: messageOf(error) };
  }
  try {
    return await giveTo(successor, prepared.schema, options);
  } finally {
    prepared.unlock();
  }
}

/** The longest time of a hand-over until another process serves, without the copy of the ledger. */
export const handOverMsMax = ({ drain_ms, ready_ms }: Pick<HandOverOptions, "drain_ms" | "ready_ms">): number =>
  ALONE_MS_MAX + drain_ms + 2 * ready_ms + 2 * RETURN_MS_MAX;

/** Hands everything to the prepared program, or else to one that can serve the ledger in its current state. */
async function giveTo(successor: Successor, schema: number, options: HandOverOptions): Promise<HandOverOutcome> {
  const { node, data_dir, log, program, own_program, drain_ms, ready_ms } = options;
  const { port } = node.listener;
  const socket = Promise.withResolvers<string>();
  const begin = async (next: Successor, within_ms: number): Promise<void> => {
    const path = socketOf(data_dir);
    next.tell({ kind: "go", port, socket: path });
    await next.hear("serving", within_ms);
    next.succeed();
    const why_unsteered = steerToSecond(port);
    // This cannot be avoided: a connection still in this process's queue when it closes is lost.
    if (why_unsteered !== null) log.warn({ event: "connections_not_steered", port, why: why_unsteered });
    socket.resolve(path);
  };
  const abort = new AbortController();
  const late = sleep(systemTimers, drain_ms, abort.signal).catch(() => undefined);
  let copy: UpgradeCopy | null = null;
  try {
    await node.release({ socket: socket.promise, late, onWait: (what) => log.info({ event: "handing_over", what }) });
    if (schema > MIGRATIONS.length) copy = copyForUpgrade(join(data_dir, LEDGER), systemClock.now());
    await begin(successor, ready_ms);
  } catch (error) {
    log.error({ event: "handover_failed", error: messageOf(error) });
    // A hanging process may hold the ledger, so it must be gone before anything is put back.
    await successor.kill();
    const is_undone = copy === null || undo(copy, log);
    // Only the newer program can read the migrated ledger; the older one says so and stops.
    const next = startSuccessor(is_undone ? own_program : program);
    await next.hear("prepared", RETURN_MS_MAX);
    await begin(next, RETURN_MS_MAX);
    return is_undone ? { kind: "returned", why: messageOf(error) } : { kind: "handed" };
  } finally {
    abort.abort();
  }
  if (copy !== null) drop(copy, log);
  return { kind: "handed" };
}

/** Puts the ledger back for the old program, if it can. Books newer than the copy are left to the new program. */
function undo(copy: UpgradeCopy, log: Log): boolean {
  try {
    const set_aside = undoUpgrade(copy);
    if (set_aside === null) drop(copy, log);
    else log.warn({ event: "ledger_put_back", copy: copy.file, set_aside });
    return true;
  } catch (error) {
    log.error({ event: "ledger_not_put_back", copy: copy.file, why: messageOf(error) });
    return false;
  }
}

/** Removes the copy. If that fails, it only takes room, because another process serves already. */
function drop(copy: UpgradeCopy, log: Log): void {
  try {
    dropUpgradeCopy(copy);
  } catch (error) {
    log.warn({ event: "ledger_copy_left", copy: copy.file, error: messageOf(error) });
  }
}

/**
 * Waits until the previous process has stopped listening: it may still pass on its connections, and the kernel knows
 * only two listeners by position. Another program on the same port number of another address is not waited for longer.
 */
async function whenAlone(port: number): Promise<void> {
  const began_ms = performance.now();
  while ((countListeners(port) ?? 1) > 1 && performance.now() - began_ms <= ALONE_MS_MAX) {
    await sleep(systemTimers, LOOK_EVERY_MS);
  }
}

/** Passes on requests that still arrive on this process's connections; when they end, it closes the listener. */
export async function linger({ listener }: RunningNode): Promise<void> {
  const began_ms = performance.now();
  for (;;) {
    await sleep(systemTimers, LOOK_EVERY_MS);
    const now_ms = performance.now();
    const quiet_ms = now_ms - Math.max(began_ms, listener.diverted_ms ?? 0);
    if (now_ms - began_ms > LINGER_MS_MAX) return listener.stop(true);
    if (quiet_ms > QUIET_MS && listener.pending === 0) return listener.stop(true);
  }
}
