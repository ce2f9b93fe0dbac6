import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { tierOf } from "../catalog/tiers.ts";
import { renderTime } from "../core/clock.ts";
import { isNodeError, messageOf, type NodeError } from "../core/errors.ts";
import { ceilingOf } from "../core/metering.ts";
import { renderUSD } from "../core/money.ts";
import { markAfter } from "./cadence.ts";
import { readCondition } from "./condition.ts";
import { judgeToTell, type WatchJudgement } from "./judge.ts";
import type { Intent, Watch, WatchEnd, WatchEvent, WatchRows } from "./types.ts";

/** A key that may pay for a product now. */
export interface Purse {
  /** "pass" pays nothing for an evaluation. */
  readonly mode: "pass" | "balance";
  /**
   * Sets aside the most it may cost, has the whole answer made, and charges what is then found to be due, under its
   * name. Work that ends uncharged is counted against the key.
   * @param decide gets the answer and its price, atomic USDC: 0 under a pass. What it writes down is on disk before
   * anything is charged.
   * @returns the id of the call in the books; null under a pass.
   * @throws NodeError when there is no data or the key cannot pay, having charged nothing.
   */
  buy(evaluation: WatchEvaluation, decide: (answer: string, price: bigint) => Promise<Due>): Promise<string | null>;
  /**
   * Charges for an answer that was made before the node last stopped; once for each name, whatever is repeated.
   * @throws NodeError when the key cannot pay, having charged nothing.
   */
  charge(evaluation: Omit<WatchEvaluation, "request">, due: Due): Promise<string | null>;
}

/** One evaluation that is paid for. */
export interface WatchEvaluation {
  /** At the price of the request. */
  readonly product: CatalogProduct;
  readonly request: ParsedParams;
  /** Names the evaluation. */
  readonly name: string;
}

/** What an evaluation costs, and what is handed over for it. */
export interface Due {
  /** Atomic USDC; at most the price. */
  readonly amount: bigint;
  readonly body: string;
}

export interface WatchEngineOptions {
  readonly rows: WatchRows;
  readonly now_ms: () => number;
  /** By its default path, as it is sold now. */
  readonly find: (path: string) => CatalogProduct | undefined;
  /** @throws NodeError 402 when the key may not pay for the product. */
  readonly openPurse: (key: string, product: CatalogProduct) => Promise<Purse>;
  /** The id of a call that was charged under a name; null when none was. */
  readonly findCharged: (key: string, name: string) => Promise<string | null>;
  /** The answer as the view shows it. */
  readonly show: (answer: string, request: ParsedParams, product: CatalogProduct) => string;
  /** Of the price, for an evaluation that tells nothing. */
  readonly idle_share: number;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

export interface WatchEngine {
  /** Finishes what was under way when the node last stopped, and evaluates every watch whose mark has come. */
  pass(): Promise<void>;
}

/** Watches that are looked at side by side. */
const AT_ONCE = 16;
const DUE_AT_ONCE = 200;
/** After this many fruitless runs in a row one event says so. */
const FAILURES_TOLD = 3;
/** After a run that came to nothing it waits, and longer after each further one, up to the second of these. */
const WAIT_LEAST_MS = 10_000;
const WAIT_MOST_MS = 1_800_000;
const MILLION = 1_000_000;

/** What an evaluation costs that tells nothing, atomic USDC: at least one unit. */
export const priceIdle = (price: bigint, share: number): bigint => {
  const part = (price * BigInt(Math.round(share * MILLION))) / BigInt(MILLION);
  return part > 0n ? part : 1n;
};

/** The parameters of a watch as its product reads them now. @throws NodeError when it takes them no longer. */
const readRequest = ({ params, view }: Pick<Watch, "params" | "view">, product: CatalogProduct): ParsedParams =>
  product.params.fromBody(params, view);

/** At the price of its parameters; at the usual one where the product takes them no longer: what is due was made. */
function priceOf(watch: Watch, product: CatalogProduct): CatalogProduct {
  try {
    return tierOf(product, readRequest(watch, product));
  } catch (error) {
    if (isNodeError(error)) return product;
    throw error;
  }
}

export function createWatchEngine(options: WatchEngineOptions): WatchEngine {
  const { rows, now_ms, find, openPurse, idle_share, log } = options;
  const under_way = new Map<string, Promise<void>>();

  /**
   * One evaluation: data, judgement, the intent on disk, the charge under the intent's name, the event. Whatever ends
   * it, the next pass goes on from what is on disk, and charges nothing twice.
   */
  async function evaluate(id: string): Promise<void> {
    const watch = rows.get(id);
    if (watch === null) return;
    if (watch.intent !== null) return resume(watch, watch.intent);
    if (watch.state !== "active" || watch.next_ms === null) return;
    const at_ms = now_ms();
    if (watch.until_ms <= at_ms) {
      end(watch, "until_reached");
      return;
    }
    const sold = find(watch.product);
    if (sold === undefined) {
      end(watch, "product_gone");
      return;
    }
    const { next_ms, missed } = markAfter(watch.cadence, { mark_ms: watch.next_ms, now_ms: at_ms });
    const number = watch.evaluations + 1;
    let intent: Intent | null = null;
    try {
      const request = readRequest(watch, sold);
      const product = tierOf(sold, request);
      const purse = await openPurse(watch.key, product);
      const most = purse.mode === "pass" ? 0n : ceilingOf(product);
      // Before a source is asked: what could not be told would be worked for in vain.
      if (watch.spent + most > watch.budget) {
        end(watch, "budget_spent");
        return;
      }
      const receipt_id = await purse.buy({ product, request, name: nameOf(watch, number) }, async (answer, price) => {
        const { looked, memory, holds: tells } = judgeAnswer(watch, answer);
        const amount = tells || price === 0n ? price : priceIdle(price, idle_share);
        const shown = tells ? options.show(answer, request, product) : null;
        const written: Intent = {
          number,
          at_ms,
          next_ms,
          missed,
          amount: amount.toString(),
          tells,
          looked,
          memory,
          answer: shown,
        };
        intent = written;
        await rows.together(() => rows.writeIntent(id, written));
        return dueOf(watch, written);
      });
      if (intent !== null) await finish(watch, intent, receipt_id);
    } catch (error) {
      // Whether it was charged is not known: the next pass finds out, and charges under the same name.
      if (intent !== null && !isRefusal(error)) throw error;
      await fail(watch, { error, next_ms });
    }
  }

  /** Goes on with an evaluation that was interrupted: it may be charged already. */
  async function resume(watch: Watch, intent: Intent): Promise<void> {
    const name = nameOf(watch, intent.number);
    const receipt_id = await options.findCharged(watch.key, name);
    if (receipt_id !== null) return finish(watch, intent, receipt_id);
    const sold = find(watch.product);
    if (sold === undefined) {
      end(watch, "product_gone");
      return;
    }
    // Cancelled before anything was charged.
    if (watch.state === "ended") {
      rows.dropIntent(watch.id);
      return;
    }
    try {
      const product = priceOf(watch, sold);
      const purse = await openPurse(watch.key, product);
      await finish(watch, intent, await purse.charge({ product, name }, dueOf(watch, intent)));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await fail(watch, { error, next_ms: intent.next_ms });
    }
  }

  function finish(watch: Watch, intent: Intent, receipt_id: string | null): Promise<void> {
    const event = intent.tells ? renderTold(watch, intent, receipt_id) : null;
    return rows.together(() => rows.finish(watch.id, intent, event));
  }

  async function fail(
    watch: Watch,
    { error, next_ms }: { readonly error: unknown; readonly next_ms: number | null },
  ): Promise<void> {
    if (isNodeError(error) && ENDED_KEYS.has(error.code)) {
      end(watch, "key_ended");
      return;
    }
    if (!isNodeError(error)) log({ event: "watch_failed", watch: watch.id, error: messageOf(error) });
    if (next_ms === null) {
      end(watch, "never_again");
      return;
    }
    const message = isNodeError(error) ? error.message : "It failed by a fault of the node's own.";
    const at_ms = now_ms();
    const is_told = watch.failed_in_a_row + 1 === FAILURES_TOLD;
    const event = is_told ? renderNote(watch, { kind: "failing", at_ms, why: message }) : null;
    const failure = { message, at_ms, next_ms: markAfterFailure(watch, { next_ms, at_ms }), event };
    await rows.together(() => rows.fail(watch.id, failure));
  }

  /** What was not charged is charged no more. */
  function end(watch: Watch, why: WatchEnd): void {
    rows.dropIntent(watch.id);
    rows.end(watch.id, why, renderNote(watch, { kind: "ended", at_ms: now_ms(), why }));
  }

  /** At most once at a time: a caller meanwhile waits for it. A fault of one does not affect the others. */
  function evaluateAlone(id: string): Promise<void> {
    const already = under_way.get(id);
    if (already) return already;
    const run = evaluate(id)
      .catch((error: unknown) => log({ event: "watch_unfinished", watch: id, error: messageOf(error) }))
      .finally(() => under_way.delete(id));
    under_way.set(id, run);
    return run;
  }

  async function evaluateAll(ids: readonly string[]): Promise<void> {
    const queue = ids.values();
    const take = async (): Promise<void> => {
      for (const id of queue) await evaluateAlone(id);
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, ids.length) }, take));
  }

  return {
    async pass() {
      // Marks that come while these are worked on are the next pass's.
      await evaluateAll([...new Set([...rows.unfinished(), ...rows.due(now_ms(), DUE_AT_ONCE)])]);
    },
  };
}

const nameOf = ({ id }: Watch, number: number): string => `${id} ${number}`;

const dueOf = ({ id }: Watch, { amount, answer, number }: Intent): Due => ({
  amount: BigInt(amount),
  body: answer ?? JSON.stringify({ watch: id, evaluation: number, told: false }),
});

/** The first mark after a wait that doubles with each failure in a row. */
function markAfterFailure(
  { cadence, failed_in_a_row }: Watch,
  { next_ms, at_ms }: { readonly next_ms: number; readonly at_ms: number },
): number {
  const from_ms = at_ms + Math.min(WAIT_LEAST_MS * 2 ** failed_in_a_row, WAIT_MOST_MS);
  if (next_ms >= from_ms) return next_ms;
  return markAfter(cadence, { mark_ms: next_ms, now_ms: from_ms }).next_ms ?? next_ms;
}

/** What a key can never be used for again. */
const ENDED_KEYS: ReadonlySet<string> = new Set(["invalid_api_key", "api_key_revoked"]);

const isRefusal = (error: unknown): error is NodeError => isNodeError(error) && error.status === 402;

/** Whether an answer makes an event; without a condition each does. */
function judgeAnswer(watch: Watch, answer: string): WatchJudgement {
  const { data } = JSON.parse(answer) as { readonly data: unknown };
  if (watch.condition === null) return { holds: true, looked: [], memory: watch.memory };
  return judgeToTell({ condition: readCondition(watch.condition), repeat: watch.repeat }, data, watch.memory);
}

type NewEvent = Omit<WatchEvent, "seq">;

function renderTold(
  { id, label, condition }: Watch,
  { number, at_ms, looked, missed, amount, answer }: Intent,
  receipt_id: string | null,
): NewEvent {
  const body = JSON.stringify({
    watch: id,
    ...(label === null ? {} : { label }),
    kind: "told",
    at: renderTime(at_ms),
    evaluation: number,
    condition,
    looked,
    missed,
    charged_usd: renderUSD(BigInt(amount)),
    receipt_id,
    answer: JSON.parse(answer ?? "null") as unknown,
  });
  return { at_ms, body };
}

const renderNote = (
  { id, label }: Watch,
  { kind, at_ms, why }: { readonly kind: "failing" | "ended"; readonly at_ms: number; readonly why: string },
): NewEvent => ({
  at_ms,
  body: JSON.stringify({ watch: id, ...(label === null ? {} : { label }), kind, at: renderTime(at_ms), why }),
});
