import type { MadeOfInputs } from "../catalog/rendered-answer.ts";
import type { Timers } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import { workerAddress } from "../core/worker-address.ts";
import { decodeInputs } from "../recompute/inputs-text.ts";
import { COMPUTING, type ComputeNews, type ComputeOrder, type ComputeSaid, READY } from "./compute-messages.ts";

/** What a thread of the pool made, and the processor time that took there, ms. */
export interface PoolComputed {
  readonly made: MadeOfInputs[keyof MadeOfInputs] | null;
  readonly cpu_ms: number;
}

export interface ComputeCall {
  readonly order: ComputeOrder;
  /** Fires when nobody waits for it any more: the thread that is at it is ended. */
  readonly signal: AbortSignal;
  /** What nobody pays for goes after what buyers wait for. */
  readonly is_patient: boolean;
  /** It may be computed where it was asked for: it does not wait for a thread that has to load the product first. */
  readonly is_harmless: boolean;
}

/** Threads that make answers of their inputs, so that nobody else waits for that. */
export interface ComputePool {
  /**
   * @returns null where no thread can make it: it has to be made where it was asked for.
   * @throws NodeError overloaded when too many wait, deadline_exceeded, product_failed when its thread ended; else what
   * the product throws.
   */
  compute(call: ComputeCall): Promise<PoolComputed | null>;
  /** Threads that know the products as they were end with what they are at. */
  renew(): void;
  status(): ComputePoolStatus;
  /** Ends every thread. */
  close(): void;
}

export interface ComputePoolStatus {
  readonly threads: number;
  readonly busy: number;
  readonly waiting: number;
  readonly refused: number;
  /** Threads that were ended because their work took too long, and those that ended themselves in the midst of it. */
  readonly ended: number;
  readonly died: number;
}

export interface ComputePoolOptions {
  /** Threads at most. They begin with the first work and end without work. */
  readonly threads: number;
  readonly timers: Timers;
  /** Another module in the worker's place, for tests. */
  readonly address?: string;
}

/** More would not be done within a call's own time limit. */
const WAITING_MAX = 200;
/** The longest an answer may be computed: five hundred times what any takes. The product's deadline may be sooner. */
export const COMPUTE_MS_MAX = 10_000;
/** A thread without work keeps its memory for so long. */
export const IDLE_MS = 30_000;
/** A worker that was not compiled into the binary never says a word. */
const READY_MS_MAX = 30_000;

interface Job extends ComputeCall {
  readonly resolve: (computed: PoolComputed | null) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** It loads itself, or the product it was told to compute: ended now, it could take the whole process with it. */
  is_loading: boolean;
  /** It has loaded one of our own products, and with it all of them. */
  knows_ours: boolean;
  /** It takes no more work: it ends when it is done with what it is at. */
  is_last: boolean;
  job: Job | null;
  cancelTimer: () => void;
}

const tooLate = (what: string, ms: number): NodeError =>
  new NodeError("deadline_exceeded", `${what} was not computed within ${ms} ms. Nothing was charged.`, {
    retry_after_s: 30,
  });
const threadEnded = (what: string, why: string): NodeError =>
  new NodeError("product_failed", `${what} failed because of its own fault. Nothing was charged.`, {
    cause: `the thread that computed it ended: ${why}`,
    retry_after_s: 30,
  });

/** What the product threw, as it would have thrown it in this thread. */
function readThrown({ thrown, name, stack }: Extract<ComputeNews, { thrown: string }>): unknown {
  const error = decodeInputs(thrown);
  if (!(error instanceof Error) || error.constructor !== Error) return error;
  error.name = name;
  return Object.defineProperty(error, "stack", { value: stack, configurable: true });
}

/** Work that waits for a thread: what buyers wait for goes first. */
class Queue {
  readonly #jobs = { buyer: [] as Job[], patient: [] as Job[] };

  get length(): number {
    return this.#jobs.buyer.length + this.#jobs.patient.length;
  }

  /** A call that is not waited for any more leaves on its own. */
  push(job: Job): void {
    const jobs = this.#jobs[job.is_patient ? "patient" : "buyer"];
    const leave = (): void => {
      const index = jobs.indexOf(job);
      if (index < 0) return;
      jobs.splice(index, 1);
      job.reject(job.signal.reason);
    };
    job.signal.addEventListener("abort", leave, { once: true });
    jobs.push(job);
  }

  shift(): Job | undefined {
    return this.#jobs.buyer.shift() ?? this.#jobs.patient.shift();
  }
}

export function createComputePool(options: ComputePoolOptions): ComputePool {
  const { threads: threads_max, timers } = options;
  const address = options.address ?? workerAddress("threads/compute-worker.ts", import.meta.url);
  const threads = new Set<Thread>();
  const waiting = new Queue();
  const counts = { refused: 0, ended: 0, died: 0 };
  let is_closed = false;
  let is_warming = false;

  /** What a thread is waited for, in the place of what it was waited for before. */
  const setTimer = (thread: Thread, ms: number, fire: () => void): void => {
    thread.cancelTimer();
    thread.cancelTimer = timers.after(ms, fire);
  };
  const drop = (thread: Thread): void => {
    threads.delete(thread);
    thread.cancelTimer();
    if (!thread.is_loading) thread.worker.terminate();
  };
  /** Takes its work from a thread; the caller tells what became of it. */
  const release = (thread: Thread): Job | null => {
    const { job } = thread;
    thread.job = null;
    thread.cancelTimer();
    return job;
  };
  const end = (thread: Thread, reason: unknown): void => {
    const job = release(thread);
    if (job === null) return;
    counts.ended += 1;
    job.reject(reason);
    thread.is_last = true;
    if (thread.is_loading) setTimer(thread, READY_MS_MAX, () => drop(thread));
    else drop(thread);
    pump();
  };
  const begin = (thread: Thread, job: Job): void => {
    const { order, signal } = job;
    thread.job = job;
    thread.is_loading = true;
    setTimer(thread, COMPUTE_MS_MAX, () => end(thread, tooLate(order.product, COMPUTE_MS_MAX)));
    // It may be at other work by then.
    signal.addEventListener("abort", () => thread.job === job && end(thread, signal.reason), { once: true });
    thread.worker.postMessage(order);
  };
  const finish = (thread: Thread, news: ComputeNews): void => {
    const job = release(thread);
    if (job === null) return;
    thread.knows_ours ||= job.is_harmless;
    if ("made" in news) job.resolve(news);
    else if ("unknown" in news) job.resolve(null);
    else job.reject(readThrown(news));
  };
  const hear = (thread: Thread, said: ComputeSaid): void => {
    thread.is_loading = false;
    if (!threads.has(thread)) {
      thread.worker.terminate();
      return;
    }
    if (said === COMPUTING && thread.job !== null) return;
    if (said !== READY && said !== COMPUTING) finish(thread, said);
    if (thread.is_last) drop(thread);
    else setTimer(thread, IDLE_MS, () => drop(thread));
    pump();
  };
  /** Has a thread load a product, so that the next call of one finds it there. */
  const warmUp = ({ order }: ComputeCall): void => {
    if (is_warming) return;
    is_warming = true;
    const done = (): void => {
      is_warming = false;
    };
    const { signal } = new AbortController();
    const asked = { ...order, wanted: "product" as const, params: "", inputs: "" };
    waiting.push({ order: asked, signal, is_patient: false, is_harmless: true, resolve: done, reject: done });
    pump();
  };
  /** Its own work alone is lost. What a thread that never began was meant for is made where it was asked for. */
  const lose = (thread: Thread, why: string): void => {
    if (!threads.delete(thread)) return;
    const job = release(thread);
    if (job !== null) {
      counts.died += 1;
      job.reject(threadEnded(job.order.product, why));
    } else if (thread.is_loading) waiting.shift()?.resolve(null);
    pump();
  };
  const start = (): void => {
    const worker = new Worker(address);
    // A node that is asked to stop does not wait for what nobody waits for.
    worker.unref();
    const thread: Thread = {
      worker,
      is_loading: true,
      knows_ours: false,
      is_last: false,
      job: null,
      cancelTimer: () => undefined,
    };
    threads.add(thread);
    setTimer(thread, READY_MS_MAX, () => lose(thread, "it never began"));
    worker.onmessage = ({ data }: MessageEvent<ComputeSaid>) => hear(thread, data);
    worker.onerror = ({ message }) => lose(thread, message);
    worker.addEventListener("close", () => lose(thread, "it ended itself"));
  };
  const pump = (): void => {
    if (is_closed) return;
    for (const thread of threads) {
      if (thread.is_loading || thread.job !== null || thread.is_last) continue;
      const job = waiting.shift();
      if (job === undefined) return;
      begin(thread, job);
    }
    const coming = [...threads].filter(({ is_loading, job, is_last }) => is_loading && job === null && !is_last);
    for (let n = coming.length; n < waiting.length && threads.size < threads_max; n += 1) start();
  };

  return {
    async compute(call) {
      const { signal } = call;
      if (is_closed) return null;
      signal.throwIfAborted();
      if (call.is_harmless && ![...threads].some(({ knows_ours, is_last }) => knows_ours && !is_last)) {
        warmUp(call);
        return null;
      }
      if (waiting.length >= WAITING_MAX) {
        counts.refused += 1;
        const message = "More is to be computed than can be. Nothing was charged.";
        throw new NodeError("overloaded", message, { retry_after_s: 2, own_limit: true });
      }
      return new Promise((resolve, reject) => {
        waiting.push({ ...call, resolve, reject });
        pump();
      });
    },
    renew() {
      for (const thread of threads) {
        thread.is_last = true;
        if (!thread.is_loading && thread.job === null) drop(thread);
      }
      pump();
    },
    status: () => ({
      threads: threads.size,
      waiting: waiting.length,
      busy: [...threads].filter(({ job }) => job !== null).length,
      ...counts,
    }),
    close() {
      is_closed = true;
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) job.resolve(null);
      for (const thread of [...threads]) {
        release(thread)?.reject(new NodeError("shutting_down", "The node stops. Nothing was charged."));
        drop(thread);
      }
    },
  };
}
