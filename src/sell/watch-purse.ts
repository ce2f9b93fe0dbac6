import type { Door } from "../calls/door.ts";
import type { Slots } from "../calls/slots.ts";
import { costOf, targetOf, type WorkBudget } from "../calls/work-budget.ts";
import type { CatalogProduct } from "../catalog/catalog.ts";
import type { Answer, AskingRunner } from "../catalog/runner.ts";
import { sha256Hex } from "../core/hash.ts";
import { ceilingOf, meter } from "../core/metering.ts";
import type { CallName, ChargeResult, HoldResult } from "../ledger/charge.ts";
import type { FoundKey } from "../ledger/key-cache.ts";
import type { Ledger } from "../ledger/ledger.ts";
import {
  checkKey,
  dailyCapReached,
  insufficientCredits,
  type KeyMode,
  priorityOf,
  unknownKey,
} from "../payments/keys/usable.ts";
import type { Due, Purse, WatchEvaluation } from "../watches/engine.ts";

interface PurseParts {
  readonly core: { readonly ledger: Ledger; readonly runner: AskingRunner };
  readonly prepaid: { readonly work: WorkBudget; readonly slots: Slots };
  readonly now_ms: () => number;
}

export interface WatchPurses {
  /** @throws NodeError 402 when the key may not pay for the product. */
  open(public_id: string, product: CatalogProduct): Promise<Purse>;
  /** The id of a call that was charged under a name; null when none was. */
  findCharged(public_id: string, name: string): Promise<string | null>;
}

type DecideDue = (answer: Answer) => Promise<Due>;

/** The door of what nobody called but a watch. */
const WATCHED: Door = "watch";

/** Names in the books: no header can hold a line break, so no buyer names a call of his own like this. */
const nameInBooks = (name: string): CallName => {
  const named = sha256Hex(`watch\n${name}`);
  return { name: named, fingerprint: named };
};

/** What keys pay for their watches: each evaluation is a call of the key, charged under its own name. */
export function createWatchPurses({ core: { ledger, runner }, prepaid, now_ms }: PurseParts): WatchPurses {
  const { charges, keys } = ledger;

  async function debit(found: FoundKey, { product, name }: Pick<WatchEvaluation, "product" | "name">, due: Due) {
    const charge = { ...found, product: product.id, amount: due.amount, now_ms: now_ms(), door: WATCHED };
    const result = await charges.debit(charge, { body: due.body, name: nameInBooks(name) });
    if (result.ok) return `call_${result.call_id}`;
    if (result.why !== "named_before") throw refusalOf(result, due.amount);
    const earlier = await charges.findNamed(found.key.id, nameInBooks(name).name);
    if (earlier === null) throw new RangeError("a call that was named is not found");
    return `call_${earlier.call_id}`;
  }

  const purseOf = (found: FoundKey, mode: KeyMode): Purse => {
    const holder = found.root.public_id;

    async function buyOnHold(evaluation: WatchEvaluation, decide: DecideDue): Promise<string> {
      const { product, name } = evaluation;
      const most = { ...found, product: product.id, amount: ceilingOf(product), now_ms: now_ms(), door: WATCHED };
      const held: HoldResult = await charges.hold(most, nameInBooks(name));
      if (!held.ok) throw refusalOf(held, most.amount);
      try {
        const due = await decide(await runner.produce(product, evaluation.request));
        const named = { body: due.body, name: nameInBooks(name) };
        const { call_id } = await charges.post(held.id, { ...most, amount: due.amount }, named);
        return `call_${call_id}`;
      } catch (error) {
        await charges.void(held.id);
        throw error;
      }
    }

    async function usePass({ product, request }: WatchEvaluation, decide: DecideDue): Promise<null> {
      await decide(await runner.produce(product, request, "guest"));
      void charges.pass({ key: found.key, product: product.id, now_ms: now_ms() });
      return null;
    }

    return {
      mode,
      async buy(evaluation, decide) {
        const { product } = evaluation;
        // What is judged is the whole answer, whatever part of it is reported.
        const { view: _, ...request } = evaluation.request;
        const whole = { ...evaluation, request };
        const decideDue: DecideDue = ({ body, counted }) => {
          const price = meter(product, counted)?.charge ?? product.price_atomic;
          return decide(body, mode === "pass" ? 0n : price);
        };
        const ready = runner.fresh(product, request);
        if (ready && mode === "balance") return debit(found, evaluation, await decideDue(ready));
        // Nobody's address: what a watch asks for in vain counts against its key alone, and strangers together.
        const by = { holder, network: `watches of ${holder}`, target: targetOf(whole) };
        const place = { priority: priorityOf(found.root, now_ms()), holder };
        const buy = mode === "pass" ? usePass : buyOnHold;
        return prepaid.work.run(by, costOf(whole), () =>
          prepaid.slots.run<string | null>(place, () => buy(whole, decideDue)),
        );
      },
      charge: async ({ product, name }, due) => {
        if (mode === "balance") return debit(found, { product, name }, due);
        void charges.pass({ key: found.key, product: product.id, now_ms: now_ms() });
        return null;
      },
    };
  };

  return {
    async open(public_id, product) {
      const key = await keys.byPublicId(public_id);
      if (key === null) throw unknownKey();
      const found = { key, root: await keys.rootOf(key) };
      return purseOf(found, checkKey(found, { product, now_ms: now_ms() }));
    },
    async findCharged(public_id, name) {
      const key = await keys.byPublicId(public_id);
      const named = key && (await charges.findNamed(key.id, nameInBooks(name).name));
      return named ? `call_${named.call_id}` : null;
    },
  };
}

/** Why a key does not pay, in the words of a call. */
function refusalOf({ why, available }: Extract<ChargeResult, { readonly ok: false }>, amount: bigint): Error {
  switch (why) {
    case "insufficient_credits":
      return insufficientCredits(available, amount);
    case "daily_cap":
      return dailyCapReached();
    case "named_before":
      return new RangeError("an evaluation that was charged is made again");
    default:
      return why satisfies never;
  }
}
