import { type Clock, systemTimers } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { takeBookThread } from "./spare-thread.ts";
import {
  type StartOrder,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadOrder,
  unpackError,
} from "./thread-messages.ts";
import { stopped, unproven, unwritable } from "./writer.ts";

/** A thread that runs commands, started again from disk when it dies. */
export interface BookThread {
  /**
   * @throws NodeError ledger_unavailable when the thread has died: nothing was charged when the command was never sent;
   * otherwise it is in the file or not.
   */
  call(group: string, name: string, args: readonly unknown[]): Promise<unknown>;
  readonly halted: string | null;
  readonly trouble: string | null;
  onHalt(listener: (reason: string) => void): void;
  onTrouble(listener: (reason: string | null) => void): void;
  end(): void;
}

export interface BookThreadOptions {
  readonly start: StartOrder;
  readonly clock: Clock;
  /** Another worker, for tests that end it. */
  readonly spawn?: (() => Worker) | undefined;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker that was not compiled into the binary never says a word. */
const READY_MS_MAX = 30_000;
const AGAIN_MS = 1_000;
const GONE = "the thread that keeps the ledger ended, and is started again";

/** @throws LedgerOpenError */
export async function startBookThread({
  start,
  clock,
  spawn = takeBookThread,
}: BookThreadOptions): Promise<BookThread> {
  const waiting = new Map<number, Waiting>();
  const halt_listeners: ((reason: string) => void)[] = [];
  const trouble_listeners: ((reason: string | null) => void)[] = [];
  let worker: Worker | null = null;
  let outbox: ThreadCall[] = [];
  let next_id = 1;
  let ended = false;
  let halted: string | null = null;
  let told_trouble: string | null = null;
  /** What its disk says, and what became of the thread itself. */
  const troubles: { disk: string | null; thread: string | null } = { disk: null, thread: null };

  const setTrouble = (of: keyof typeof troubles, reason: string | null) => {
    troubles[of] = reason;
    const now = troubles.thread ?? troubles.disk;
    if (now === told_trouble) return;
    told_trouble = now;
    for (const listener of trouble_listeners) listener(now);
  };

  const hear = ({ results = [], halted: reason, trouble }: ThreadAnswer) => {
    if (reason !== undefined && halted === null) {
      halted = reason;
      for (const listener of halt_listeners) listener(reason);
    }
    if (trouble !== undefined) setTrouble("disk", trouble.reason);
    for (const result of results) {
      const [id, ok, value] = result;
      const caller = waiting.get(id);
      waiting.delete(id);
      if (ok) caller?.resolve(value);
      else caller?.reject(unpackError(result[2]));
    }
  };

  /** Whatever was sent and not answered is in the file or not; it is never sent again. */
  const lose = (why: string) => {
    const lost = [...waiting.values()];
    waiting.clear();
    outbox = [];
    for (const { reject } of lost) reject(unproven(new Error(why)));
  };

  const post = (order: Omit<ThreadOrder, "now_ms">) => worker?.postMessage({ now_ms: clock.now(), ...order });
  const send = () => {
    const calls = outbox;
    outbox = [];
    if (calls.length > 0) post({ calls });
  };

  /** Starts a worker and waits until it has the file open. */
  async function begin(): Promise<void> {
    const ready = Promise.withResolvers<void>();
    const own = spawn();
    const die = (why: string) => {
      ready.reject(new Error(why));
      if (worker !== own || ended) return;
      worker = null;
      setTrouble("thread", GONE);
      lose(why);
      again();
    };
    own.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => {
      if (data.ready) ready.resolve();
      if (data.not_opened) ready.reject(unpackError(data.not_opened));
      hear(data);
    };
    own.onerror = ({ message }) => die(message);
    own.addEventListener("close", () => die("it ended"));
    const late = () => ready.reject(new Error("the ledger's thread did not start"));
    const stopWaiting = systemTimers.after(READY_MS_MAX, late);
    own.postMessage({ now_ms: clock.now(), start, calls: [] } satisfies ThreadOrder);
    try {
      await ready.promise;
      worker = own;
    } finally {
      stopWaiting();
    }
  }

  const again = () => {
    // What broke an invariant is not begun anew: stopping beats wrong money.
    if (ended || halted !== null) return;
    begin().then(
      () => (ended ? worker?.terminate() : setTrouble("thread", null)),
      (error: unknown) => {
        setTrouble("thread", `${GONE}: ${messageOf(error)}`);
        systemTimers.after(AGAIN_MS, again);
      },
    );
  };

  await begin();
  return {
    call(group, name, args) {
      if (worker === null) {
        const refusal = halted === null ? unwritable(troubles.thread ?? "the ledger is closed") : stopped(halted);
        return Promise.reject(refusal);
      }
      return new Promise((resolve, reject) => {
        const id = next_id++;
        waiting.set(id, { resolve, reject });
        outbox.push([id, group, name, args]);
        if (outbox.length === 1) setImmediate(send);
      });
    },
    get halted() {
      return halted;
    },
    get trouble() {
      return halted ?? told_trouble;
    },
    onHalt: (listener) => halt_listeners.push(listener),
    onTrouble: (listener) => trouble_listeners.push(listener),
    end() {
      ended = true;
      worker?.terminate();
      worker = null;
    },
  };
}
