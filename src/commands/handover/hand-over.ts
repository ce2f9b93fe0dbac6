import { copyFileSync, existsSync, constants as fs, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sleep, systemTimers } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { MIGRATIONS } from "../../ledger/migrate.ts";
import type { RunningNode } from "../../node/parts.ts";
import type { Log } from "../../telemetry/log.ts";
import { countListeners, steerToSecond } from "./steer-connections.ts";
import { type Successor, startSuccessor } from "./successor.ts";

export interface HandOverOptions {
  readonly node: RunningNode;
  readonly data_dir: string;
  readonly log: Log;
  /** How this node is started from the file it was started from, which may be another program by now. */
  readonly program: readonly string[];
  /** How the program that runs now is started, whatever has become of its file. */
  readonly own_program: readonly string[];
  /** How long what is in flight is waited for. */
  readonly drain_ms: number;
  /** How long the new program may take until it would start, and until it serves. */
  readonly ready_ms: number;
}

/**
 * "kept": the other program would not start; this one has not been interrupted. "handed": another process serves.
 * "returned": the new one did not serve in time, and a process of the old program does.
 */
export type HandOverOutcome =
  | { readonly kind: "handed" }
  | { readonly kind: "kept" | "returned"; readonly why: string };

/** The old program, called back: nothing else is left to serve, so it has longer than anybody would set. */
const RETURN_MS_MAX = 120_000;
/** A connection that was not used for so long after the last one that was passed on is closed. */
const QUIET_MS = 3_000;
/** As long as a connection may stand still at all. */
const LINGER_MS_MAX = 120_000;
const LOOK_EVERY_MS = 100;

const socketOf = (data_dir: string): string => join(data_dir, `handover-${crypto.randomUUID().slice(0, 8)}.sock`);

/**
 * Gives this process's place to a new one, without refusing a call: new calls are held until the new process answers
 * them; those in flight are finished and settled here. Returns once another process serves, or this one still does.
 * @throws Error when neither the new program nor the old one can be brought to serve.
 */
export async function handOver(options: HandOverOptions): Promise<HandOverOutcome> {
  const { node, data_dir, log, program, own_program, drain_ms, ready_ms } = options;
  const port = node.listener.port;
  await whenAlone(port);
  const successor = startSuccessor(program);
  let schema = 0;
  try {
    ({ schema } = await successor.hear("prepared", ready_ms));
  } catch (error) {
    await successor.kill();
    return { kind: "kept", why: messageOf(error) };
  }

  const socket = Promise.withResolvers<string>();
  const abort = new AbortController();
  const late = sleep(systemTimers, drain_ms, abort.signal).catch(() => undefined);
  await node.release({ socket: socket.promise, late, onWait: (what) => log.info({ event: "handing_over", what }) });
  abort.abort();
  const copy = schema > MIGRATIONS.length ? copyLedger(data_dir) : null;
  const begin = async (next: Successor, within_ms: number): Promise<void> => {
    const path = socketOf(data_dir);
    next.tell({ kind: "go", port, socket: path });
    await next.hear("serving", within_ms);
    next.succeed();
    steerToSecond(port);
    socket.resolve(path);
  };
  try {
    await begin(successor, ready_ms);
    copy?.drop();
    return { kind: "handed" };
  } catch (error) {
    log.error({ event: "handover_failed", error: messageOf(error) });
    // One that hangs may hold the ledger: it is gone before anything is put back.
    await successor.kill();
    copy?.putBack();
    const old = startSuccessor(own_program);
    await old.hear("prepared", RETURN_MS_MAX);
    await begin(old, RETURN_MS_MAX);
    return { kind: "returned", why: messageOf(error) };
  }
}

/**
 * The process before this one may still pass on what its connections bring: the kernel knows two by position. What else
 * listens on a port of that number, on another address, is not waited for longer.
 */
async function whenAlone(port: number): Promise<void> {
  const began_ms = performance.now();
  while ((countListeners(port) ?? 1) > 1 && performance.now() - began_ms <= LINGER_MS_MAX + QUIET_MS) {
    await sleep(systemTimers, LOOK_EVERY_MS);
  }
}

/** The ledger as it is, before a newer program changes its schema. Nobody has it open. */
function copyLedger(data_dir: string) {
  const ledger = join(data_dir, "ledger.db");
  const copy = `${ledger}.before-handover`;
  // Books in a database: there is nothing to put back.
  if (!existsSync(ledger)) return { drop: () => undefined, putBack: () => undefined };
  copyFileSync(ledger, copy, fs.COPYFILE_FICLONE);
  return {
    drop: () => rmSync(copy, { force: true }),
    /** Nothing was sold since: calls were held. */
    putBack() {
      for (const ending of ["-wal", "-shm"]) rmSync(`${ledger}${ending}`, { force: true });
      renameSync(copy, ledger);
    },
  };
}

/** Passes on what still arrives on this process's connections, until nothing does; then closes the listener. */
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
