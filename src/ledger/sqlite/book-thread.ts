import { type Clock, systemTimers } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import type { ChargeResult } from "../charge.ts";
import type { CopyState } from "../copy/copy-state.ts";
import { stopped, unproven, unwritable } from "../writer.ts";
import type { Debit } from "./debits.ts";
import { book_threads } from "./spare-thread.ts";
import { createDebitPacker, type DebitCall, unpackDebitResults } from "./thread-debits.ts";
import {
  type StartOrder,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadOrder,
  unpackError,
} from "./thread-messages.ts";

/** A thread that runs commands, started again from disk when it dies. */
export interface BookThread {
  /**
   * @throws NodeError ledger_unavailable when the thread has died: nothing was charged when the command was never sent;
   * otherwise it is in the file or not.
   */
  call(group: string, name: string, args: readonly unknown[]): Promise<unknown>;
  /** The command that comes with every call of a key, by a shorter way. */
  debit(debit: Debit): Promise<ChargeResult>;
  readonly halted: string | null;
  readonly trouble: string | null;
  readonly copied: CopyState | null;
  onHalt(listener: (reason: string) => void): void;
  onTrouble(listener: (reason: string | null) => void): void;
  end(): void;
  /** The same once the books are closed: another ledger may be opened in it. */
  endClosed(): void;
}

export interface BookThreadOptions {
  readonly start: StartOrder;
  readonly clock: Clock;
  /** Another worker, for tests that end it. */
  readonly spawn?: (() => Worker) | undefined;
}

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker that was not compiled into the binary never says a word. */
const READY_MS_MAX = 30_000;
const AGAIN_MS = 1_000;
/** So many are sent without waiting for the end of the turn: the thread books them while the rest is asked for. */
const SENT_TOGETHER = 24;
const GONE = "the thread that keeps the ledger ended, and is started again";

/** @throws LedgerOpenError */
export async function startBookThread({
  start,
  clock,
  spawn = book_threads.take,
}: BookThreadOptions): Promise<BookThread> {
  const waiting = new Map<number, PendingCall>();
  const halt_listeners: ((reason: string) => void)[] = [];
  const trouble_listeners: ((reason: string | null) => void)[] = [];
  let worker: Worker | null = null;
  /** Its end is nobody's business any more. */
  let letGo: (() => void) | null = null;
  let outbox: (ThreadCall | DebitCall)[] = [];
  let packDebits = createDebitPacker();
  let next_id = 1;
  let ended = false;
  let halted: string | null = null;
  let told_trouble: string | null = null;
  let copied: CopyState | null = null;
  /** The trouble of its disk, and of the thread itself. */
  const troubles: { disk: string | null; thread: string | null } = { disk: null, thread: null };

  const setTrouble = (of: keyof typeof troubles, reason: string | null) => {
    troubles[of] = reason;
    const now = troubles.thread ?? troubles.disk;
    if (now === told_trouble) return;
    told_trouble = now;
    for (const listener of trouble_listeners) listener(now);
  };

  const hear = ({ results = [], debited, halted: reason, trouble, copied: now_copied }: ThreadAnswer) => {
    if (now_copied !== undefined) copied = now_copied;
    if (reason !== undefined && halted === null) {
      halted = reason;
      for (const listener of halt_listeners) listener(reason);
    }
    if (trouble !== undefined) setTrouble("disk", trouble.reason);
    const take = (id: number): PendingCall | undefined => {
      const caller = waiting.get(id);
      waiting.delete(id);
      return caller;
    };
    if (debited !== undefined) for (const { id, result } of unpackDebitResults(debited)) take(id)?.resolve(result);
    for (const result of results) {
      const [id, ok, value] = result;
      const caller = take(id);
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
  /** In the order they were asked for: debits that follow one another go packed, others as they are. */
  const send = () => {
    const sent = outbox;
    outbox = [];
    for (let at = 0; at < sent.length; ) {
      const debits = takeWhile(sent, at, isDebit);
      if (debits.length > 0) post({ calls: [], debits: packDebits(debits) });
      const calls = takeWhile(sent, at + debits.length, isCall);
      if (calls.length > 0) post({ calls });
      at += debits.length + calls.length;
    }
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
    const onClose = () => die("it ended");
    own.addEventListener("close", onClose);
    letGo = () => own.removeEventListener("close", onClose);
    const late = () => ready.reject(new Error("the ledger's thread did not start"));
    const stopWaiting = systemTimers.after(READY_MS_MAX, late);
    own.postMessage({ now_ms: clock.now(), start, calls: [] } satisfies ThreadOrder);
    try {
      await ready.promise;
      worker = own;
      packDebits = createDebitPacker();
    } finally {
      stopWaiting();
    }
  }

  const again = () => {
    // After a broken invariant the thread is not started again: stopping beats wrong money.
    if (ended || halted !== null) return;
    begin().then(
      () => (ended ? worker?.terminate() : setTrouble("thread", null)),
      (error: unknown) => {
        setTrouble("thread", `${GONE}: ${messageOf(error)}`);
        systemTimers.after(AGAIN_MS, again);
      },
    );
  };

  const ask = (order: (id: number) => ThreadCall | DebitCall): Promise<unknown> => {
    if (worker === null) {
      const refusal = halted === null ? unwritable(troubles.thread ?? "the ledger is closed") : stopped(halted);
      return Promise.reject(refusal);
    }
    return new Promise((resolve, reject) => {
      const id = next_id++;
      waiting.set(id, { resolve, reject });
      outbox.push(order(id));
      if (outbox.length === 1) setImmediate(send);
      else if (outbox.length === SENT_TOGETHER) send();
    });
  };

  await begin();
  return {
    call: (group, name, args) => ask((id) => [id, group, name, args]),
    debit: (debit) => ask((id) => ({ id, charge: debit.charge, answer: debit.answer })) as Promise<ChargeResult>,
    get halted() {
      return halted;
    },
    get trouble() {
      return halted ?? told_trouble;
    },
    get copied() {
      return copied;
    },
    onHalt: (listener) => halt_listeners.push(listener),
    onTrouble: (listener) => trouble_listeners.push(listener),
    end() {
      ended = true;
      worker?.terminate();
      worker = null;
    },
    endClosed() {
      ended = true;
      letGo?.();
      // A copy may still be sending what it had begun; an answer that is still to come would be taken for another's.
      const is_idle = start.copy === undefined && waiting.size === 0 && halted === null && told_trouble === null;
      // Who made a worker of his own ends it, too.
      const is_free = is_idle && spawn === book_threads.take;
      if (worker !== null && is_free) book_threads.giveBack(worker);
      else worker?.terminate();
      worker = null;
    },
  };
}

const isDebit = (order: ThreadCall | DebitCall): order is DebitCall => !isCall(order);
const isCall = (order: ThreadCall | DebitCall): order is ThreadCall => Array.isArray(order);

function takeWhile<T, S extends T>(list: readonly T[], from: number, wanted: (one: T) => one is S): S[] {
  const taken: S[] = [];
  for (let at = from; at < list.length; at += 1) {
    const one = list[at] as T;
    if (!wanted(one)) break;
    taken.push(one);
  }
  return taken;
}
