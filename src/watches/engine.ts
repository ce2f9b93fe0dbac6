import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { renderTime } from "../core/clock.ts";
import { isNodeError, messageOf, type NodeError } from "../core/errors.ts";
import { renderUSD } from "../core/money.ts";
import { markAfter } from "./cadence.ts";
import { isMomentary, readCondition } from "./condition.ts";
import { type Judgement, judge } from "./judge.ts";
import type { Intent, Watch, WatchEnd, WatchEvent, WatchRows } from "./types.ts";

/** A key that may pay for a product now. */
export interface Purse {
  /** "pass" pays nothing for an evaluation. */
  readonly mode: "pass" | "balance";
  /** The whole answer. @throws NodeError when there is no data. */
  produce(product: CatalogProduct, request: ParsedParams): Promise<string>;
  /**
   * Charges once for each name, whatever is repeated.
   * @returns the id of the call in the books; null under a pass.
   * @throws NodeError when the key cannot pay, having charged nothing.
   */
  charge(charge: WatchCharge): Promise<string | null>;
}

export interface WatchCharge {
  readonly product: CatalogProduct;
  readonly amount: bigint;
  /** Names the evaluation. */
  readonly name: string;
  /** What is handed over for it. */
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
const AT_ONCE = 8;
const DUE_AT_ONCE = 200;
/** After so many runs in a row that came to nothing it is told, once. */
const FAILURES_TOLD = 3;
const MILLION = 1_000_000;

/** What an evaluation costs that tells nothing, atomic USDC: at least one unit. */
export const priceIdle = (price: bigint, share: number): bigint => {
  const part = (price * BigInt(Math.round(share * MILLION))) / BigInt(MILLION);
  return part > 0n ? part : 1n;
};

/** The parameters of a watch as its product reads them now. @throws NodeError when it takes them no longer. */
const readRequest = ({ params, view }: Pick<Watch, "params" | "view">, product: CatalogProduct): ParsedParams =>
  product.params.fromBody(params, view);

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
    const product = find(watch.product);
    if (product === undefined) {
      end(watch, "product_gone");
      return;
    }
    const { next_ms, missed } = markAfter(watch.cadence, { mark_ms: watch.next_ms, now_ms: at_ms });
    try {
      const purse = await openPurse(watch.key, product);
      const price = purse.mode === "pass" ? 0n : product.price_atomic;
      // Before a source is asked: what could not be told would be worked for in vain.
      if (watch.spent + price > watch.budget) {
        end(watch, "budget_spent");
        return;
      }
      const request = readRequest(watch, product);
      const answer = await purse.produce(product, request);
      const { looked, memory, holds } = judgeAnswer(watch, answer);
      const tells = holds;
      const amount = tells || price === 0n ? price : priceIdle(price, idle_share);
      const intent: Intent = {
        number: watch.evaluations + 1,
        at_ms,
        next_ms,
        missed,
        amount: amount.toString(),
        tells,
        looked,
        memory,
        answer: tells ? options.show(answer, request, product) : null,
      };
      rows.writeIntent(id, intent);
      await settle(watch, { intent, product });
    } catch (error) {
      fail(watch, { error, next_ms });
    }
  }

  /** Goes on with an evaluation that was interrupted: it may be charged already. */
  async function resume(watch: Watch, intent: Intent): Promise<void> {
    const receipt_id = await options.findCharged(watch.key, nameOf(watch, intent));
    if (receipt_id !== null) {
      finish(watch, intent, receipt_id);
      return;
    }
    const product = find(watch.product);
    if (product === undefined) {
      end(watch, "product_gone");
      return;
    }
    // Cancelled before anything was charged.
    if (watch.state === "ended") {
      rows.dropIntent(watch.id);
      return;
    }
    await settle(watch, { intent, product });
  }

  /** Charges an intent under its name and keeps what follows. */
  async function settle(
    watch: Watch,
    { intent, product }: { readonly intent: Intent; readonly product: CatalogProduct },
  ): Promise<void> {
    const { id } = watch;
    const body = intent.answer ?? JSON.stringify({ watch: id, evaluation: intent.number, told: false });
    try {
      const purse = await openPurse(watch.key, product);
      const receipt_id = await purse.charge({
        product,
        amount: BigInt(intent.amount),
        name: nameOf(watch, intent),
        body,
      });
      finish(watch, intent, receipt_id);
    } catch (error) {
      // Whether it was charged is not known: the same name is charged again at the next pass.
      if (!isRefusal(error)) throw error;
      fail(watch, { error, next_ms: intent.next_ms });
    }
  }

  function finish(watch: Watch, intent: Intent, receipt_id: string | null): void {
    const event = intent.tells ? renderTold(watch, intent, receipt_id) : null;
    rows.finish(watch.id, intent, event);
  }

  function fail(watch: Watch, { error, next_ms }: { readonly error: unknown; readonly next_ms: number | null }): void {
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
    rows.fail(watch.id, { message, at_ms, next_ms, event });
  }

  /** What was not charged is charged no more. */
  function end(watch: Watch, why: WatchEnd): void {
    rows.dropIntent(watch.id);
    rows.end(watch.id, why, renderNote(watch, { kind: "ended", at_ms: now_ms(), why }));
  }

  /** At most once at a time: who asks meanwhile waits for it. A fault of one is nobody else's. */
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

const nameOf = ({ id }: Watch, { number }: Intent): string => `${id} ${number}`;

/** What a key can never be used for again. */
const ENDED_KEYS: ReadonlySet<string> = new Set(["invalid_api_key", "api_key_revoked"]);

const isRefusal = (error: unknown): error is NodeError => isNodeError(error) && error.status === 402;

/** Whether an answer is to be told: a state when it begins to hold, a change each time. */
function judgeAnswer(watch: Watch, answer: string): Judgement {
  const { data } = JSON.parse(answer) as { readonly data: unknown };
  if (watch.condition === null) return { holds: true, looked: [], memory: watch.memory };
  const condition = readCondition(watch.condition);
  const judged = judge(condition, data, watch.memory);
  const begins = watch.repeat || isMomentary(condition) || watch.memory.whole !== true;
  return { ...judged, holds: judged.holds && begins };
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
