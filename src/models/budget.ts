import type { ModelUsage } from "../catalog/model.ts";
import type { Clock } from "../core/clock.ts";
import { getOwn } from "../core/own.ts";
import type { SpendTogether } from "../core/shared-budget.ts";
import type { Picodollars } from "./model-settings.ts";

/** What one model cost for one product, or job, on one day of UTC. */
export interface SpentOnModel {
  /** "2026-11-22" */
  readonly day: string;
  /** Path of a product, "guest <path>" for runs that nobody paid for alone, or "job <id>". */
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
  /** Of all runs that nobody pays for alone. */
  readonly guests: Picodollars;
}

/** A call that is to be made. */
export interface PlannedCall {
  /** Path of a product, or "job <id>". */
  readonly what: string;
  readonly model: string;
  /** What it may cost at most. */
  readonly worst: Picodollars;
  /** Whether nobody pays for its run alone. */
  readonly is_guest?: boolean;
}

/** A call that may be made, and what it may cost at most. */
export interface Reservation {
  /** The call was answered. */
  commit(cost: Picodollars, usage: ModelUsage): void;
  /** It was refused, and cost nothing. Without either call its worst cost stays spent. */
  release(): void;
}

/** How far one of a day's budgets is spent. */
export interface BudgetStatus {
  /** "all", "guests", "model <id>" or the path of a product. */
  readonly scope: string;
  /** What calls under way may cost at most is part of it. */
  readonly spent: Picodollars;
  readonly limit: Picodollars;
  /** A call was refused, and 80 % or more is spent; null: so much is spent, and no call was refused since the start. */
  readonly is_spent: boolean | null;
}

export interface Budget {
  /** Null when the call might cost more than is left; one that costs nothing may always be made. */
  reserve(call: PlannedCall): Reservation | null;
  /** The same where other nodes spend the same money. @throws NodeError when they cannot be asked now. */
  reserveTogether(call: PlannedCall): Promise<Reservation | null>;
  readonly spent: () => readonly SpentOnModel[];
  readonly left: () => Picodollars;
  /** Every limit with what is spent of it today. */
  readonly status: () => readonly BudgetStatus[];
  /** Other limits from now on; what was spent today counts on. */
  configure(limits: BudgetLimits): void;
}

export interface BudgetOptions {
  readonly clock: Clock;
  readonly store: SpentStore;
  readonly limits: BudgetLimits;
  /** Told once a day of each: 80 % and all of what a day may cost is spent. */
  readonly onShare: (share: 0.8 | 1) => void;
  readonly spendTogether?: SpendTogether | undefined;
}

/** From here on a refused call means that the day's money is spent, and not that the call was too dear. */
const NEARLY_SPENT = 0.8;
/** Of a day's budget: longer than any day. */
const KEPT_MS = 3 * 86_400_000;

const dayOf = (now_ms: number): string => new Date(now_ms).toISOString().slice(0, 10);
const keyOf = ({ what, model }: { readonly what: string; readonly model: string }): string => `${model} ${what}`;
const sum = (rows: Iterable<SpentOnModel>): Picodollars => {
  let total = 0;
  for (const { cost } of rows) total += cost;
  return total;
};

const GUEST = "guest ";

const listScopes = ({
  daily,
  guests,
  of_model,
  of_product,
}: BudgetLimits): readonly (readonly [string, Picodollars])[] => [
  ["all", daily],
  ["guests", guests],
  ...Object.entries(of_model).map(([id, limit]) => [`model ${id}`, limit] as const),
  ...Object.entries(of_product),
];

/**
 * The operator's money a day. A call's worst cost is taken and written down before it is made, and corrected after: a
 * node that dies in between has counted too much, never too little.
 */
export function createBudget({ clock, store, limits: first, onShare, spendTogether }: BudgetOptions): Budget {
  let limits = first;
  /** Scopes that refused a call today; false: they got another limit since. */
  const refused = new Map<string, boolean>();
  /** What all nodes spent today, as the last call was told. */
  let together = new Map<string, Picodollars>();
  let day = "";
  let rows = new Map<string, SpentOnModel>();
  let told = 0;

  const today = (): Map<string, SpentOnModel> => {
    const now = dayOf(clock.now());
    if (now !== day) {
      day = now;
      rows = new Map(store.read(day).map((row) => [keyOf(row), row]));
      told = 0;
      refused.clear();
      together = new Map();
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
  const limitsOf = ({ what, model, is_guest }: PlannedCall) =>
    [
      ["all", limits.daily],
      ["guests", is_guest === true ? limits.guests : undefined],
      [`model ${model}`, getOwn(limits.of_model, model)],
      [what, getOwn(limits.of_product, what)],
    ].filter((pair): pair is [string, Picodollars] => pair[1] !== undefined);
  const spentOf = (scope: string): Picodollars =>
    spentBy(({ what, model }) => {
      if (scope === "all" || scope === `model ${model}`) return true;
      return scope === "guests" ? what.startsWith(GUEST) : what === scope || what === `${GUEST}${scope}`;
    });
  const statusOf = ([scope, limit]: readonly [string, Picodollars]): BudgetStatus => {
    const spent = Math.max(spentOf(scope), together.get(scope) ?? 0);
    const is_spent = spent < NEARLY_SPENT * limit ? false : (refused.get(scope) ?? null);
    return { scope, spent, limit, is_spent };
  };
  const tellShare = () => {
    const share = sum(today().values()) / limits.daily;
    for (const edge of [0.8, 1] as const) {
      if (share < edge || told >= edge) continue;
      told = edge;
      onShare(edge);
    }
  };

  const reserve: Budget["reserve"] = (call) => {
    const { model, worst } = call;
    today();
    const at = day;
    const what = call.is_guest === true ? `${GUEST}${call.what}` : call.what;
    const none = { what, model, cost: 0, calls: 0, prompt_tokens: 0, completion_tokens: 0 };
    if (worst > 0) {
      const over = limitsOf(call).filter(([scope, limit]) => spentOf(scope) + worst > limit);
      for (const [scope] of over) refused.set(scope, true);
      if (over.length > 0) {
        if (over[0]?.[0] === "all" && told < 1) {
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
    status() {
      today();
      return listScopes(limits).map(statusOf);
    },
    configure(next) {
      if (next.daily !== limits.daily) told = 0;
      const before = new Map(listScopes(limits));
      limits = next;
      for (const [scope, limit] of listScopes(next)) if (before.get(scope) !== limit) refused.set(scope, false);
    },
    reserve,
    async reserveTogether(call) {
      const { what, worst } = call;
      if (spendTogether === undefined || worst === 0) return reserve(call);
      today();
      const nameOf = (scope: string): string =>
        scope === "all" ? `models ${day}` : `models ${day} ${scope === what ? "for " : ""}${scope}`;
      const until_ms = clock.now() + KEPT_MS;
      const scopes = new Map(limitsOf(call).map(([scope]) => [nameOf(scope), scope]));
      const parts = limitsOf(call).map(([scope, limit]) => ({ name: nameOf(scope), limit, until_ms }));
      const take = (amount: Picodollars) => spendTogether(parts.map((part) => ({ ...part, amount })));
      const taken = await take(worst);
      for (const { name, spent } of taken.spent) together.set(scopes.get(name) ?? name, spent);
      if (taken.over !== null) {
        refused.set(scopes.get(taken.over) ?? taken.over, true);
        return null;
      }
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
