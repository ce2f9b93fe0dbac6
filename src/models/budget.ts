import type { ModelUsage } from "../catalog/model.ts";
import type { Clock } from "../core/clock.ts";
import type { SpendTogether } from "../core/shared-budget.ts";
import type { Picodollars } from "./model-settings.ts";

/** What one model cost for one product, or job, on one day of UTC. */
export interface SpentOnModel {
  /** "2026-11-22" */
  readonly day: string;
  /** Path of a product, or "job <id>". */
  readonly what: string;
  readonly model: string;
  readonly cost: Picodollars;
  readonly calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** Keeps what was spent across restarts. Free calls are not kept. */
export interface SpentStore {
  read(day: string): readonly SpentOnModel[];
  write(row: SpentOnModel): void;
}

export interface BudgetLimits {
  /** Of all models. */
  readonly daily: Picodollars;
  readonly of_model: Readonly<Record<string, Picodollars>>;
  readonly of_product: Readonly<Record<string, Picodollars>>;
}

/** A call that may be made, and what it may cost at most. */
export interface Reservation {
  /** The call was answered. */
  commit(cost: Picodollars, usage: ModelUsage): void;
  /** It was refused, and cost nothing. Without either call its worst cost stays spent. */
  release(): void;
}

export interface Budget {
  /** Null when the call might cost more than is left; one that costs nothing may always be made. */
  reserve(call: { readonly what: string; readonly model: string; readonly worst: Picodollars }): Reservation | null;
  /** The same where other nodes spend the same money. @throws NodeError when they cannot be asked now. */
  reserveTogether(call: Parameters<Budget["reserve"]>[0]): Promise<Reservation | null>;
  readonly spent: () => readonly SpentOnModel[];
  readonly left: () => Picodollars;
}

export interface BudgetOptions {
  readonly clock: Clock;
  readonly store: SpentStore;
  readonly limits: BudgetLimits;
  /** Told once a day of each: 80 % and all of what a day may cost is spent. */
  readonly onShare: (share: 0.8 | 1) => void;
  readonly spendTogether?: SpendTogether | undefined;
}

/** Of a day's budget: longer than any day. */
const KEPT_MS = 3 * 86_400_000;

const dayOf = (now_ms: number): string => new Date(now_ms).toISOString().slice(0, 10);
const keyOf = ({ what, model }: { readonly what: string; readonly model: string }): string => `${model} ${what}`;
const sum = (rows: Iterable<SpentOnModel>): Picodollars => {
  let total = 0;
  for (const { cost } of rows) total += cost;
  return total;
};

/**
 * The operator's money a day. A call's worst cost is taken and written down before it is made, and corrected after: a
 * node that dies in between has counted too much, never too little.
 */
export function createBudget({ clock, store, limits, onShare, spendTogether }: BudgetOptions): Budget {
  let day = "";
  let rows = new Map<string, SpentOnModel>();
  let told = 0;

  const today = (): Map<string, SpentOnModel> => {
    const now = dayOf(clock.now());
    if (now !== day) {
      day = now;
      rows = new Map(store.read(day).map((row) => [keyOf(row), row]));
      told = 0;
    }
    return rows;
  };
  const add = (at: string, change: Omit<SpentOnModel, "day">, is_kept: boolean) => {
    // A call that began before midnight is paid by the day it was taken from.
    if (at !== day) return;
    const known = rows.get(keyOf(change));
    const row = {
      day: at,
      what: change.what,
      model: change.model,
      cost: (known?.cost ?? 0) + change.cost,
      calls: (known?.calls ?? 0) + change.calls,
      prompt_tokens: (known?.prompt_tokens ?? 0) + change.prompt_tokens,
      completion_tokens: (known?.completion_tokens ?? 0) + change.completion_tokens,
    };
    rows.set(keyOf(row), row);
    if (is_kept) store.write(row);
  };
  const spentBy = (is: (row: SpentOnModel) => boolean): Picodollars => sum([...today().values()].filter(is));
  const tellShare = () => {
    const share = sum(today().values()) / limits.daily;
    for (const edge of [0.8, 1] as const) {
      if (share < edge || told >= edge) continue;
      told = edge;
      onShare(edge);
    }
  };

  const reserve: Budget["reserve"] = ({ what, model, worst }) => {
    const all = today();
    const at = day;
    const none = { what, model, cost: 0, calls: 0, prompt_tokens: 0, completion_tokens: 0 };
    if (worst > 0) {
      const of_model = limits.of_model[model] ?? Number.POSITIVE_INFINITY;
      const of_product = limits.of_product[what] ?? Number.POSITIVE_INFINITY;
      const is_over =
        sum(all.values()) + worst > limits.daily ||
        spentBy((row) => row.model === model) + worst > of_model ||
        spentBy((row) => row.what === what) + worst > of_product;
      if (is_over) {
        if (sum(all.values()) + worst > limits.daily && told < 1) {
          told = 1;
          onShare(1);
        }
        return null;
      }
      add(at, { ...none, cost: worst }, true);
    }
    return {
      commit(cost, { prompt_tokens, completion_tokens }) {
        add(at, { ...none, cost: cost - worst, calls: 1, prompt_tokens, completion_tokens }, worst > 0);
        if (worst > 0) tellShare();
      },
      release() {
        if (worst > 0) add(at, { ...none, cost: -worst }, true);
      },
    };
  };

  return {
    spent: () => [...today().values()],
    left: () => Math.max(0, limits.daily - sum(today().values())),
    reserve,
    async reserveTogether(call) {
      const { what, model, worst } = call;
      if (spendTogether === undefined || worst === 0) return reserve(call);
      today();
      const budgets: readonly (readonly [string, Picodollars | undefined])[] = [
        [`models ${day}`, limits.daily],
        [`models ${day} model ${model}`, limits.of_model[model]],
        [`models ${day} for ${what}`, limits.of_product[what]],
      ];
      const until_ms = clock.now() + KEPT_MS;
      const parts = budgets.flatMap(([name, limit]) => (limit === undefined ? [] : [{ name, limit, until_ms }]));
      const take = (amount: Picodollars) => spendTogether(parts.map((part) => ({ ...part, amount })));
      if ((await take(worst)).over !== null) return null;
      const own = reserve(call);
      // What cannot be given back now stays spent: too much is counted, never too little.
      const giveBack = (amount: Picodollars) => void take(-amount).catch(() => undefined);
      if (own === null) giveBack(worst);
      return (
        own && {
          commit(cost, usage) {
            own.commit(cost, usage);
            if (cost < worst) giveBack(worst - cost);
          },
          release() {
            own.release();
            giveBack(worst);
          },
        }
      );
    },
  };
}
