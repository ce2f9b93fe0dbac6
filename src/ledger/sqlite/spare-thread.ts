import { createSpareWorkers } from "../../core/spare-worker.ts";
import { workerAddress } from "../../core/worker-address.ts";

/**
 * The threads of the books. One is prepared first thing in a process that will open the books in a file: it loads its
 * code while that process loads its own.
 */
export const book_threads = createSpareWorkers(
  () => new Worker(workerAddress("ledger/sqlite/ledger-worker.ts", import.meta.url)),
);
