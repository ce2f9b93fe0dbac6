import { RUN_KINDS } from "../catalog/failed-run.ts";
import type { Clock } from "../core/clock.ts";
import { isNodeError, NodeError } from "../core/errors.ts";
import { createLRU } from "../core/lru.ts";
import { createTokenBucket, type TokenBucket } from "../core/token-bucket.ts";
import type { AccessCall } from "./access.ts";

/** For whom work is done. */
export interface WorkFor {
  /** The payer, the key that holds the balance or the pass, or the coupon's network. */
  readonly holder: string;
  /** What his address is counted as; null where addresses are not limited: then nothing is. */
  readonly network: string | null;
  /** Whom the call asks, of the buyer's choice; null for a call that asks none. */
  readonly target: string | null;
  /** Set for work that is free anyway: it is counted for this holder alone, and keeps nobody who pays from anything. */
  readonly is_free?: true;
}

export type WorkScope = "holder" | "target" | "network" | "strangers";

/**
 * Bounds work that nobody pays for. An answer that cannot be charged costs its buyer nothing, and the node upstream
 * calls, processor time and models; a caller that keeps asking for such answers is told to wait before any work.
 */
export interface WorkBudget {
  /** @throws NodeError rate_limited when too much was done for nothing. */
  assertLeft(by: WorkFor): void;
  /** Counts work that brought nothing, whatever the reason. */
  spend(by: WorkFor, work: UnpaidWork): void;
  /** A sale gives a unit back, and proves that its holder buys. */
  notePaid(by: WorkFor): void;
  /** Does work for a holder that ends in a sale, or in an error that may have to be counted. */
  run<T>(by: WorkFor, cost: UnpaidWorkCost, work: () => Promise<T>): Promise<T>;
  configure(sizes: WorkSizes): void;
  /** Since the start: units of unpaid work, and calls refused, by what was spent. Units a minute, by whose. */
  totals(): {
    readonly spent: number;
    readonly refused: Readonly<Record<WorkScope, number>>;
    readonly per_minute: Readonly<Record<WorkScope, number>>;
  };
}

/** How much unpaid work there may be, and what it weighs. */
export interface WorkSizes {
  /** Units a holder may have a minute; as many again are kept for a burst. */
  readonly per_minute: number;
  /** Each answer is a unit, and one more for each such time they took … */
  readonly ms_per_unit: number;
  /** … and for each such part of their price: dear answers cost more. Atomic USDC. */
  readonly atomic_per_unit: bigint;
}

export interface WorkBudgetOptions extends WorkSizes {
  readonly clock: Clock;
  readonly elapsed_ms?: () => number;
}

/** A network may hold several holders; all strangers together are a last resort. */
const NETWORK_TIMES = 4;
const STRANGERS_TIMES = 40;
const HOLDERS_MAX = 50_000;

/** What is known of a call before it is worked on. */
export interface UnpaidWorkCost {
  readonly price_atomic: bigint;
  /** Answers that are made for it: several for a basket. */
  readonly answers: number;
}

interface UnpaidWork extends UnpaidWorkCost {
  readonly took_ms: number;
}

/** The units that a call which brought nothing is worth. */
export const weighWork = (
  { took_ms, price_atomic, answers }: UnpaidWork,
  { ms_per_unit, atomic_per_unit }: Omit<WorkSizes, "per_minute">,
): number => answers + took_ms / ms_per_unit + Number(price_atomic) / Number(atomic_per_unit);

/** Whom a call asks of its buyer's choice; null for most. */
export const targetOf = ({ product, request }: Pick<AccessCall, "product" | "request">): string | null =>
  product.definition.stranger_of?.(request.params) ?? null;

export const costOf = ({ product, request }: Pick<AccessCall, "product" | "request">): UnpaidWorkCost => ({
  price_atomic: product.price_atomic,
  answers: product.definition.parts?.(request.params).length ?? 1,
});

/** Refusals by the node's own limits, and settlements that are open, are no work done for nothing. */
export const isUnpaidWork = (error: unknown): boolean => !isNodeError(error) || RUN_KINDS[error.code] !== "busy";
/** A key that cannot pay, or a name used twice, is refused before any work. */
const isRefusal = (error: unknown): boolean => isNodeError(error) && (error.status === 402 || error.status === 409);

export function createWorkBudget({
  clock,
  elapsed_ms = () => performance.now(),
  ...first
}: WorkBudgetOptions): WorkBudget {
  let sizes: WorkSizes = first;
  let spent = 0;
  const refused = { holder: 0, target: 0, network: 0, strangers: 0 };
  const proven = createLRU<true>(HOLDERS_MAX);
  const createBucket = (times: number): TokenBucket => {
    const burst = sizes.per_minute * times;
    return createTokenBucket({ rate_per_s: burst / 60, burst, clock });
  };
  /** Only who had something for nothing has a bucket: all others are looked up and found to be good. */
  const createBuckets = () => ({
    holder: createLRU<TokenBucket>(HOLDERS_MAX),
    target: createLRU<TokenBucket>(HOLDERS_MAX),
    network: createLRU<TokenBucket>(HOLDERS_MAX),
    strangers: createBucket(STRANGERS_TIMES),
  });
  let buckets = createBuckets();
  const refuse = (scope: WorkScope, bucket: TokenBucket): never => {
    refused[scope] += 1;
    const whose = {
      holder: "you",
      target: "your network to this host",
      network: "your network",
      strangers: "callers who never bought anything",
    }[scope];
    const message = `Too many calls of ${whose} ended uncharged, with nothing to charge for. Wait, then go on.`;
    throw new NodeError("rate_limited", message, { retry_after_s: Math.max(1, Math.ceil(bucket.wait_ms() / 1000)) });
  };
  const findBucket = (of: "holder" | "target" | "network", name: string): TokenBucket => {
    const bucket = buckets[of].get(name) ?? createBucket(of === "network" ? NETWORK_TIMES : 1);
    buckets[of].set(name, bucket);
    return bucket;
  };

  const budget: WorkBudget = {
    assertLeft({ holder, network, target, is_free }) {
      if (network === null) return;
      const own = buckets.holder.get(holder);
      if (own !== undefined && own.remaining() < 1) refuse("holder", own);
      if (is_free) return;
      const asked = target === null ? undefined : buckets.target.get(`${network} ${target}`);
      if (asked !== undefined && asked.remaining() < 1) refuse("target", asked);
      // Who has bought is refused for nobody else's calls.
      if (proven.has(holder)) return;
      const shared = buckets.network.get(network);
      if (shared !== undefined && shared.remaining() < 1) refuse("network", shared);
      if (buckets.strangers.remaining() < 1) refuse("strangers", buckets.strangers);
    },
    spend({ holder, network, target, is_free }, work) {
      if (network === null) return;
      const units = weighWork(work, sizes);
      spent += units;
      findBucket("holder", holder).spend(units);
      if (is_free) return;
      findBucket("network", network).spend(units);
      if (target !== null) findBucket("target", `${network} ${target}`).spend(units);
      if (!proven.has(holder)) buckets.strangers.spend(units);
    },
    notePaid({ holder, network }) {
      if (network === null) return;
      if (!proven.has(holder)) proven.set(holder, true);
      buckets.holder.get(holder)?.giveBack();
    },
    async run(by, cost, work) {
      budget.assertLeft(by);
      const began_ms = elapsed_ms();
      try {
        const done = await work();
        budget.notePaid(by);
        return done;
      } catch (error) {
        if (isUnpaidWork(error) && !isRefusal(error)) budget.spend(by, { took_ms: elapsed_ms() - began_ms, ...cost });
        throw error;
      }
    },
    configure(wanted) {
      const is_other = wanted.per_minute !== sizes.per_minute;
      sizes = wanted;
      if (is_other) buckets = createBuckets();
    },
    totals() {
      const { per_minute } = sizes;
      const [network, strangers] = [per_minute * NETWORK_TIMES, per_minute * STRANGERS_TIMES];
      return {
        spent,
        refused: { ...refused },
        per_minute: { holder: per_minute, target: per_minute, network, strangers },
      };
    },
  };
  return budget;
}
