import type { OriginKeeper } from "../catalog/runner.ts";
import type { Clock, Timers } from "../core/clock.ts";
import { createSpareWorkers } from "../core/spare-worker.ts";
import { workerAddress } from "../core/worker-address.ts";
import { encodeInTurns } from "../recompute/inputs-parts.ts";
import { NotPlainError } from "../recompute/inputs-text.ts";
import { describeMade, type Maker } from "../recompute/recipe.ts";
import { type AnswerIdentity, type InputsReader, type KeptAnswer, openInputsReader } from "./inputs-db.ts";
import type { InputsCall, InputsNews, InputsOrder } from "./inputs-messages.ts";

/** The state of the kept inputs; for `/live`, `/metrics` and the log. */
export interface InputsStatus {
  readonly kept: number;
  /** Answers that were sold without it: the disk, or more than could be written. */
  readonly lost: number;
  readonly ended: number;
  readonly waiting: number;
  readonly bytes: number;
  /** Why nothing can be kept now; null while it can. */
  readonly trouble: string | null;
}

/** Keeps what answers were made of, beside the serving thread. */
export interface InputsStore extends OriginKeeper {
  /** What is durable of an answer; null where it is not kept, or not any more. */
  identify(response_sha256: string): AnswerIdentity | null;
  get(response_sha256: string): KeptAnswer | null;
  getText: InputsReader["getText"];
  findAsked: InputsReader["findAsked"];
  spanOf: InputsReader["spanOf"];
  list: InputsReader["list"];
  status(): InputsStatus;
  /** Resolves when all that was noted so far is durable, or lost. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface InputsEvent {
  readonly event: "inputs_not_kept" | "inputs_kept_again" | "inputs_db_replaced" | "inputs_not_plain";
  readonly reason?: string;
  readonly product?: string;
  readonly kept_as?: string;
}

export interface InputsStoreOptions {
  readonly file: string;
  readonly keep_ms: number;
  readonly bytes_max: number;
  readonly maker: Maker;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: (event: InputsEvent) => void;
}

/** What comes together is written together: one wait for the disk. */
const TOGETHER_MS = 100;
/** Characters that may wait for the thread: beyond it answers are sold without, and counted. */
const WAITING_CHARS_MAX = 64_000_000;

const isOrder = (data: InputsNews | "closed"): data is Extract<InputsNews, { done: number }> =>
  typeof data === "object" && "done" in data;

const threads = createSpareWorkers(() => new Worker(workerAddress("stores/inputs-worker.ts", import.meta.url)));

/** Opens the store; its thread starts with the first answer. */
export function openInputsStore(options: InputsStoreOptions): InputsStore {
  const { file, clock, timers, maker, log } = options;
  const counts = { kept: 0, lost: 0, ended: 0, bytes: 0 };
  const told_not_plain = new Set<string>();
  let worker: Worker | null = null;
  let reader: InputsReader | null = null;
  let outbox: InputsOrder[] = [];
  const sent_chars: number[] = [];
  let waiting = 0;
  let waiting_chars = 0;
  let trouble: string | null = null;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  const setTrouble = (reason: string | null): void => {
    if (reason === trouble) return;
    if (reason === null) log({ event: "inputs_kept_again" });
    else if (trouble === null) log({ event: "inputs_not_kept", reason });
    trouble = reason;
  };
  const finish = (done: number, chars: number): void => {
    waiting -= done;
    waiting_chars -= chars;
    if (waiting === 0) idle.resolve();
  };
  const hear = (data: InputsNews | "closed"): void => {
    if (data === "closed") return;
    if (!isOrder(data)) {
      if (data.put_aside !== null) log({ event: "inputs_db_replaced", kept_as: data.put_aside });
      return;
    }
    counts.kept += data.kept;
    counts.ended += data.ended;
    if (data.fault === null) counts.bytes = data.bytes;
    else counts.lost += data.done;
    setTrouble(data.fault);
    finish(data.done, sent_chars.shift() ?? 0);
  };
  /** The thread ended: what it was given is in the file or not, and the next answer gets a new one. */
  const lose = (reason: string): void => {
    worker = null;
    counts.lost += waiting - outbox.length;
    setTrouble(reason);
    const chars = sent_chars.splice(0).reduce((sum, one) => sum + one, 0);
    finish(waiting - outbox.length, chars);
  };
  const begin = (): Worker => {
    const started = threads.take();
    started.unref();
    started.onmessage = ({ data }: MessageEvent<InputsNews | "closed">) => hear(data);
    started.onerror = ({ message }) => {
      if (worker === started) lose(message);
    };
    const { keep_ms, bytes_max } = options;
    const call: InputsCall = { start: { file, keep_ms, bytes_max, now_ms: clock.now() } };
    started.postMessage(call);
    return started;
  };
  const send = (): void => {
    if (outbox.length === 0) return;
    const orders = outbox;
    outbox = [];
    worker ??= begin();
    sent_chars.push(orders.reduce((sum, one) => sum + charsOf(one), 0));
    const call: InputsCall = { orders, now_ms: clock.now() };
    worker.postMessage(call);
  };
  const read = <T>(look: (reader: InputsReader) => T, none: T): T => {
    try {
      reader ??= openInputsReader(file);
      return look(reader);
    } catch {
      // Nothing was kept yet, or somebody deleted the file: it is opened anew next time.
      reader?.close();
      reader = null;
      return none;
    }
  };

  return {
    async write(product, inputs, inTurn) {
      if (product.definition.plan !== undefined) return null;
      const hasher = new Bun.CryptoHasher("sha256");
      const onPart = (part: string): unknown => hasher.update(part);
      try {
        const text = await encodeInTurns(inputs, { inTurn, elapsed_ms: timers.elapsed_ms, onPart });
        return { text, sha256: hasher.digest("hex") };
      } catch (error) {
        if (!(error instanceof NotPlainError)) throw error;
        if (!told_not_plain.has(product.path)) {
          log({ event: "inputs_not_plain", product: product.id, reason: error.message });
        }
        told_not_plain.add(product.path);
        return null;
      }
    },
    note(made) {
      const { product, origin, inputs, body } = made;
      const recipe = JSON.stringify(describeMade(made, maker));
      const { inputs_sha256, now_ms: made_at_ms } = origin;
      const order = { inputs_sha256, inputs, made_at_ms, recipe, body, product_file: product.file };
      if (waiting_chars + charsOf(order) > WAITING_CHARS_MAX) {
        counts.lost += 1;
        return;
      }
      if (waiting === 0) idle = Promise.withResolvers<void>();
      waiting += 1;
      waiting_chars += charsOf(order);
      outbox.push(order);
      if (outbox.length === 1) timers.after(TOGETHER_MS, send);
    },
    identify: (sha256) => read((one) => one.identify(sha256), null),
    get: (sha256) => read((one) => one.get(sha256), null),
    findAsked: (asked, at_ms) => read((one) => one.findAsked(asked, at_ms), null),
    spanOf: (asked) => read((one) => one.spanOf(asked), null),
    getText: (sha256) => read((one) => one.getText(sha256), null),
    list: (query) => read((one) => one.list(query), []),
    status: () => ({ ...counts, waiting, trouble }),
    flush: () => {
      send();
      return idle.promise;
    },
    async close() {
      send();
      await idle.promise;
      reader?.close();
      const ending = worker;
      worker = null;
      if (ending === null) return;
      const closed = Promise.withResolvers<boolean>();
      ending.onmessage = ({ data }: MessageEvent<InputsNews | "closed">) => {
        if (data === "closed") closed.resolve(true);
      };
      ending.onerror = () => closed.resolve(false);
      ending.postMessage("close");
      if (await closed.promise) threads.giveBack(ending);
      else ending.terminate();
    },
  };
}

const charsOf = ({ inputs, body, recipe }: InputsOrder): number => (inputs?.length ?? 0) + body.length + recipe.length;
