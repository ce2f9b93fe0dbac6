import { type CallStep, type CallWatch, createCallWatch } from "../../calls/call-watch.ts";
import { isNodeError, NodeError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import { newId, randomText } from "../../core/ids.ts";
import type { HTTPCall } from "../../http/http-call.ts";
import { isPaying } from "../../http/no-charge.ts";
import { createReader } from "../../payments/codec.ts";
import type { Sell } from "../../sell/sales.ts";
import { type About, say, toFailed, toOutcome, toStep, toWorking, withoutSecrets } from "./outcomes.ts";
import { payHeaders, payingOnce } from "./payment-metadata.ts";
import { RPCError } from "./protocol.ts";
import type { IncomingMessage, SentPayment } from "./read-request.ts";
import { asInvalidParams, nothingAsked, type Skills } from "./skills.ts";
import type { SuggestSkills } from "./suggest-skills.ts";
import { isOver, keepMessage, moveTo, newTask, sentenceOf, Task, type Wanted } from "./task.ts";

/** Where tasks are kept. Nothing in it is needed to get what was paid for: the ledger has that. */
export interface TaskStore {
  get(id: string): string | null;
  put(row: TaskRow): void;
}
export interface TaskRow {
  readonly id: string;
  /** Whose tasks it is counted with. */
  readonly client: string;
  /** Something was paid for it: kept when others have to go. */
  readonly paid: boolean;
  readonly at_ms: number;
  readonly body: string;
}

/**
 * Tasks that are being worked on, by id, with the digest of the payment each was sent: outlives the door, which a
 * reload makes anew.
 */
export type WorkingTasks = Map<string, WorkingTask>;
interface WorkingTask {
  readonly digest: string | null;
  readonly done: Promise<Task>;
  /** Null while it is without a payment, or with one that may have been settled before. */
  readonly watch: CallWatch | null;
}

export interface TasksOptions {
  readonly working: WorkingTasks;
  readonly rows: TaskStore;
  readonly skills: Skills;
  readonly suggest: SuggestSkills;
  readonly sell: Sell;
  readonly now_ms: () => number;
  readonly keep_ms: number;
  /** Told when a task could not be written down. */
  readonly onLost: (error: unknown) => void;
}

/** One message, and the call it came with. */
export interface Sent {
  readonly message: IncomingMessage;
  readonly protocol: 1 | 2;
  readonly http_call: HTTPCall;
  /** Counts the call, once. @throws NodeError rate_limited */
  readonly count: (paying: boolean) => void;
}

interface Watched extends Sent {
  readonly watch?: CallWatch | undefined;
}

export interface Tasks {
  /** @throws RPCError; whatever it throws, nothing was charged. */
  send(sent: Sent): Promise<Task>;
  /** @throws RPCError task_not_found */
  get(id: string): Task;
  /**
   * Also of a task that is worked on, as long as its payment is not being settled.
   * @throws RPCError task_not_found or task_not_cancelable
   */
  cancel(id: string, client: string): Promise<Task>;
}

const readTask = createReader(Task);
/** Longer ones are not kept; the answer is, by the ledger. */
const TASK_CHARS_MAX = 2_000_000;
const CONTEXT_CHARS = 22;
const CLIENT_CHARS = 16;

/** Tasks from their first message to their end. Knowing a task's id is enough to read it: the id cannot be guessed. */
export function createTasks(options: TasksOptions): Tasks {
  const { rows, working, skills, sell, now_ms } = options;

  const keep = (task: Task, client: string): void => {
    const { id, at_ms, paid_by, artifact } = task;
    const paid = paid_by !== null || artifact?.metadata?.receipt_id !== undefined;
    const whole = JSON.stringify(withoutSecrets(task));
    const body = whole.length <= TASK_CHARS_MAX ? whole : JSON.stringify({ ...task, artifact: null });
    try {
      rows.put({ id, client: sha256Hex(client).slice(0, CLIENT_CHARS), paid, at_ms, body });
    } catch (error) {
      // What was paid for is handed over whatever becomes of the task's own record.
      options.onLost(error);
    }
  };

  /** A task as it is now: one that was being worked on when the node stopped waits for its buyer again. */
  const find = (id: string): Task => {
    const body = rows.get(id);
    const task = body === null ? null : readTask(JSON.parse(body));
    if (!task || now_ms() - task.at_ms > options.keep_ms) {
      throw new RPCError("task_not_found", "No such task here. Tasks are kept for 24 hours.");
    }
    return task.state === "working" && !working.has(id) ? toInterrupted(task) : task;
  };

  /**
   * Sells what a task is about.
   * @throws RPCError for a wrong parameter, unless the task was written down with a payment before.
   */
  const run = async (task: Task, about: About, { http_call, watch }: Watched): Promise<Task> => {
    const { product, params, preview } = about.request;
    const given = payHeaders(http_call.request.headers, about.payment);
    // A plan that is bought for a key is still asked for with that key: it never pays for one.
    const headers = about.repeats && product.definition.plan === undefined ? payingOnce(given) : given;
    const method = product.methods[0] ?? "GET";
    const gone = http_call.request.signal;
    try {
      const { client, request_id } = http_call;
      const asked = { product, method, params, preview, headers, client, gone, request_id, watch };
      const outcome = await sell({ ...asked, door: "a2a" });
      if (outcome.kind === "refused") http_call.failed(outcome.refusal);
      if (outcome.kind === "challenge") http_call.failed(new NodeError("payment_required", "Nothing was paid."));
      return await toOutcome(task, outcome, { ...about, now_ms: now_ms() });
    } catch (error) {
      const known = http_call.failed(error);
      if (known.status === 422 && task.paid_by === null) throw asInvalidParams(known);
      const told = isNodeError(error) ? known : unknownOutcome(known, about.payment);
      return toFailed(task, told, { ...about, now_ms: now_ms() });
    }
  };

  /** Works on a task, once at a time. What comes with a payment is written down before any money moves. */
  const work = (task: Task, about: About, sent: Sent): Promise<Task> => {
    const { payment, request } = about;
    const { client } = sent.http_call;
    const pays = payment !== null && request.params.missing.length === 0;
    const begun = pays ? toWorking(task, payment, about.now_ms) : task;
    if (pays) keep(begun, client);
    const tell = (step: CallStep) => keep(toStep(begun, step, now_ms()), client);
    const watch = pays && task.paid_by === null ? createCallWatch(tell) : null;
    const done = run(begun, about, { ...sent, watch: watch ?? undefined })
      .then((ended) => {
        const is_free = ended.paid_by === null && ended.state !== "completed";
        if (watch?.is_withdrawn && is_free) return end(ended, null, client);
        keep(ended, client);
        return ended;
      })
      .finally(() => working.delete(task.id));
    working.set(task.id, { digest: payment?.digest ?? null, done, watch });
    return done;
  };

  /** The payment a finished task was paid with: its answer once more, as over HTTP; anything else comes too late. */
  const repeat = async (task: Task, sent: Sent): Promise<Task> => {
    if (!task.wanted) throw tooLate(task);
    const about = aboutOf(task.wanted, task, sent);
    const { payment } = about;
    if (task.state !== "completed" || !payment || payment.digest !== task.paid_by) throw tooLate(task);
    const again = await run(task, about, sent);
    if (again.state === "completed") return { ...task, artifact: again.artifact };
    throw new RPCError("unsupported_operation", "The answer is no longer kept. Nothing was charged.");
  };

  /** Reads a request and counts its call: who brings something to pay with is limited by the price. */
  const aboutOf = (wanted: Wanted, task: Task | null, { message, http_call, protocol, count }: Sent): About => {
    const payment = wanted.preview ? null : message.payment;
    const headers = payHeaders(http_call.request.headers, payment);
    const request = skills.read(wanted);
    count(isPaying(headers) && !wanted.preview);
    const repeats = payment !== null && payment.digest === task?.paid_by;
    const noCharge = (error: NodeError) => http_call.noCharge(error, headers);
    const { request_id } = http_call;
    return { request, payment, repeats, protocol, request_id, now_ms: now_ms(), noCharge };
  };

  /**
   * Names the skills nearest to a sentence, and waits for one of them.
   * @throws RPCError invalid_params where there is no sentence, or a payment for nothing.
   */
  const suggestTo = (task: Task, { message, http_call, count }: Sent): Task => {
    const sentence = sentenceOf(message.parts);
    if (sentence === "" || message.payment !== null) throw nothingAsked();
    count(false);
    const at_ms = now_ms();
    const told = moveTo(task, { state: "input-required", status: say(options.suggest(sentence), at_ms), at_ms });
    keep(told, http_call.client);
    return told;
  };

  const begin = async (sent: Sent): Promise<Task> => {
    const { message } = sent;
    const wanted = skills.find(message.parts, false);
    if (message.said === "rejected") throw nothingAsked();
    const about = wanted && aboutOf(wanted, null, sent);
    const at_ms = about?.now_ms ?? now_ms();
    const task = newTask({
      id: newId("task", at_ms),
      context_id: message.context_id ?? `ctx_${randomText(CONTEXT_CHARS)}`,
      wanted,
      message: keepMessage(message.id, message.parts, message.said),
      at_ms,
    });
    return about ? work(task, about, sent) : suggestTo(task, sent);
  };

  const follow = async (id: string, sent: Sent): Promise<Task> => {
    const { message, http_call, count } = sent;
    const task = find(id);
    if (message.context_id !== null && message.context_id !== task.context_id) {
      throw new RPCError("invalid_params", "The task belongs to another context.");
    }
    const under_way = working.get(id);
    if (under_way) {
      const same = message.payment !== null && message.payment.digest === under_way.digest;
      if (same) {
        count(false);
        return withoutSecrets(await under_way.done);
      }
      throw new RPCError("unsupported_operation", "The task is being worked on: wait for its end.");
    }
    const asked = skills.find(message.parts, true);
    if (isOver(task)) return repeat(task, sent);
    checkOpen(task, message, asked);
    if (message.said === "rejected") {
      count(false);
      return end(task, message, http_call.client);
    }
    const wanted = asked ?? task.wanted;
    const status = keepMessage(message.id, message.parts, message.said);
    if (!wanted) return suggestTo(moveTo(task, { state: task.state, status, at_ms: now_ms() }), sent);
    const about = aboutOf(wanted, task, sent);
    const next = { ...moveTo(task, { state: task.state, status, at_ms: about.now_ms }), wanted };
    return work(next, about, sent);
  };

  /** Ends a task for which nothing was and nothing can still be charged. */
  const end = (task: Task, message: IncomingMessage | null, client: string): Task => {
    const at_ms = now_ms();
    const said = message ? keepMessage(message.id, message.parts, message.said) : null;
    const told = said ? moveTo(task, { state: task.state, status: said, at_ms }) : task;
    const metadata = message ? { "x402.payment.status": "payment-rejected" } : undefined;
    const status = say([{ text: "Canceled. Nothing was charged." }], at_ms, metadata);
    const done = moveTo(told, { state: "canceled", status, at_ms });
    keep(done, client);
    return done;
  };

  return {
    send: (sent) => (sent.message.task_id === null ? begin(sent) : follow(sent.message.task_id, sent)),
    get: find,
    async cancel(id, client) {
      const under_way = working.get(id);
      // What the call ends with tells whether that came in time.
      const ended = under_way?.watch?.withdraw() ? await under_way.done : null;
      if (ended?.state === "canceled") return ended;
      const task = find(id);
      if (working.has(id) || task.paid_by !== null || isOver(task)) {
        const why = isOver(task) ? `is ${task.state} already` : "has a payment that may still be settled";
        throw new RPCError("task_not_cancelable", `The task ${why}.`);
      }
      return end(task, null, client);
    },
  };
}

/** While a payment may still be settled, only the very same one is taken, for the very same request. */
function checkOpen(task: Task, { payment, said }: IncomingMessage, asked: Wanted | null): void {
  if (task.paid_by === null) return;
  const same_request = asked === null || Bun.deepEquals(asked, task.wanted);
  if (payment?.digest === task.paid_by && said === "submitted" && same_request) return;
  const message =
    "What became of the payment that was sent for this task is not known yet: send the same payment again, alone. " +
    "It is never charged twice.";
  throw new RPCError("unsupported_operation", message, { code: "settlement_unknown" });
}

/** The node stopped while the payment was worked on: its buyer sends it again and gets what it paid for. */
function toInterrupted(task: Task): Task {
  const text = "The node was stopped while the payment was worked on. Send the same payment again: it is charged once.";
  const metadata = { "x402.payment.status": "payment-submitted", "x402.payment.error": "SETTLEMENT_UNKNOWN" };
  const status = say([{ text }], task.at_ms, metadata);
  return moveTo(task, { state: "input-required", status, at_ms: task.at_ms });
}

/** Where something broke nobody can say that a payment was not charged. */
const unknownOutcome = (error: NodeError, payment: SentPayment | null): NodeError =>
  payment === null
    ? error
    : new NodeError("internal_error", "Something broke here. Send the same payment again: it is charged once.", {
        charge_unknown: true,
      });

const tooLate = ({ state }: Task): RPCError =>
  new RPCError("unsupported_operation", `The task is ${state}: begin a new one. Nothing was charged by this message.`);
