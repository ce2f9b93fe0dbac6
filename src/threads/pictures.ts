import type { Timers } from "../core/clock.ts";
import { workerAddress } from "../core/worker-address.ts";

/** Draws SVG as PNG beside the answers. */
export interface Pictures {
  /** Null when too many are waiting, or it cannot be drawn. */
  draw(svg: string): Promise<Uint8Array | null>;
}

/** More wait for nothing: who links a page asks again. */
const WAITING_MAX = 8;
/** Longer than any picture takes: what never answers was not compiled in, or hangs. */
const DRAW_MS_MAX = 30_000;

/** One thread, one picture after another; it ends with the last one that waits, and takes its memory with it. */
export function createPictures(timers: Timers): Pictures {
  let started: Promise<Worker> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const end = async (): Promise<void> => {
    const ending = started;
    started = null;
    // Ending a worker that still loads can take the whole process with it.
    (await ending)?.terminate();
  };
  const draw = async (svg: string): Promise<Uint8Array | null> => {
    try {
      started ??= startWorker(timers);
      const worker = await started;
      worker.postMessage(svg);
      return (await waitFor(worker, timers)) as Uint8Array | null;
    } catch {
      // The next picture gets a new thread.
      await end().catch(() => undefined);
      return null;
    } finally {
      waiting -= 1;
      if (waiting === 0) await end().catch(() => undefined);
    }
  };
  return {
    async draw(svg) {
      if (waiting >= WAITING_MAX) return null;
      waiting += 1;
      const drawn = last.then(() => draw(svg));
      last = drawn;
      return drawn;
    },
  };
}

async function startWorker(timers: Timers): Promise<Worker> {
  const worker = new Worker(workerAddress("threads/picture-worker.ts", import.meta.url));
  // A node that is asked to stop does not wait for pictures.
  worker.unref();
  await waitFor(worker, timers);
  return worker;
}

/** The next thing it says. @throws Error when it fails or says nothing for too long. */
async function waitFor(worker: Worker, timers: Timers): Promise<unknown> {
  const said = Promise.withResolvers<unknown>();
  const cancel = timers.after(DRAW_MS_MAX, () => said.reject(new Error("the thread of pictures says nothing")));
  worker.onerror = ({ message }) => said.reject(new Error(message));
  worker.onmessage = ({ data }: MessageEvent<unknown>) => said.resolve(data);
  try {
    return await said.promise;
  } finally {
    cancel();
  }
}
