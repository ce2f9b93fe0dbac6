import type { AnyDataset } from "../catalog/dataset.ts";
import { workerAddress } from "../core/worker-address.ts";
import type { BuildOrder } from "../stores/dataset-build.ts";
import { StoreError } from "../stores/store-error.ts";

/** The message that starts the worker. */
export interface WorkerOrder {
  /** File of the operator's plugin that declares the dataset; null for a built-in one. */
  readonly plugin_file: string | null;
  readonly name: string;
  readonly order: BuildOrder;
}

export type WorkerAnswer =
  | { readonly ok: true; readonly rows: number }
  | { readonly ok: false; readonly message: string };

/** A worker that was not compiled into the binary never says a word. */
const READY_MS_MAX = 30_000;

/**
 * Parses a dataset in its own worker, which ends afterwards and takes its memory with it.
 * @returns how many rows there are.
 * @throws StoreError with what the worker says, or when `signal` ended it.
 */
export async function buildInWorker(
  dataset: AnyDataset,
  order: BuildOrder,
  { plugin_file, signal }: { readonly plugin_file: string | null; readonly signal: AbortSignal },
): Promise<number> {
  const worker = new Worker(workerAddress("threads/dataset-worker.ts", import.meta.url));
  const result = Promise.withResolvers<WorkerAnswer>();
  const ready = Promise.withResolvers<void>();
  const fail = (why: string) => {
    const error = new StoreError(`dataset "${dataset.name}": ${why}`);
    ready.reject(error);
    result.reject(error);
  };
  // Both may fail after the other was awaited.
  ready.promise.catch(() => undefined);
  result.promise.catch(() => undefined);
  const timer = setTimeout(() => fail("its worker did not start"), READY_MS_MAX);
  const end = () => fail("it was not taken in within its deadline");
  signal.addEventListener("abort", end, { once: true });
  worker.onerror = ({ message }) => fail(message);
  worker.onmessage = ({ data }: MessageEvent<"ready" | WorkerAnswer>) =>
    data === "ready" ? ready.resolve() : result.resolve(data);
  try {
    // Ending a worker that still loads can take the whole process with it: it is asked only once it is ready.
    await ready.promise;
    clearTimeout(timer);
    const asked: WorkerOrder = { plugin_file, name: dataset.name, order };
    worker.postMessage(asked);
    const answer = await result.promise;
    if (!answer.ok) throw new StoreError(`dataset "${dataset.name}": ${answer.message}`);
    return answer.rows;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    worker.terminate();
  }
}
