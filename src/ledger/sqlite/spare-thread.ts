import { workerAddress } from "../../core/worker-address.ts";

const spawnWorker = (): Worker => new Worker(workerAddress("ledger/sqlite/ledger-worker.ts", import.meta.url));

let spare: Worker | null = null;

/**
 * Lets the ledger's thread load its code while this one loads its own: called first thing in a process that will open
 * the books in a file. An unused thread holds no file and keeps no process alive.
 */
export function prepareBookThread(): void {
  spare ??= spawnWorker();
  spare.unref();
}

/** The thread that was prepared, else a new one. */
export function takeBookThread(): Worker {
  const taken = spare ?? spawnWorker();
  spare = null;
  taken.ref();
  return taken;
}
