import type { SignedTransaction } from "algosdk";
import type { AlgorandBank } from "./bank.ts";
import { type AlgorandExecution, execute, type Rules } from "./execute.ts";
import { roundAt } from "./rounds.ts";

/** One Algorand network in memory: its rules, its rounds and its groups. */
export interface AlgorandLedger {
  readonly rules: Rules;
  readonly bank: AlgorandBank;
  /** The newest round that has a block. A group that lands makes a block at once. */
  lastRound(): number;
  /** Whether a group would land in the next block. */
  attempt(group: readonly SignedTransaction[]): Promise<AlgorandExecution>;
  /** Lands a group, or returns the reason against it. */
  send(group: readonly SignedTransaction[]): Promise<AlgorandExecution>;
}

export interface AlgorandLedgerOptions {
  readonly rules: Rules;
  readonly bank: AlgorandBank;
  readonly now_ms: () => number;
  /** The most groups of this chain; further ones are refused, because none is ever forgotten. */
  readonly groups_max: number;
}

export function createAlgorandLedger({ rules, bank, now_ms, groups_max }: AlgorandLedgerOptions): AlgorandLedger {
  const timed = (): number => roundAt(now_ms());
  // A group lands one round ahead of the clock, and a block that exists never disappears.
  const lastRound = (): number => Math.max(timed(), bank.booked.at(-1)?.round ?? 0);
  const nextRound = (): number => Math.max(timed() + 1, bank.booked.at(-1)?.round ?? 0);
  const attempt = (group: readonly SignedTransaction[]) => execute(group, { rules, bank, last_round: nextRound() - 1 });

  /** Runs groups one after the other, so that the second of two conflicting groups sees the first. */
  let last: Promise<unknown> = Promise.resolve();
  const land = async (group: readonly SignedTransaction[]): Promise<AlgorandExecution> => {
    if (bank.booked.length >= groups_max) return { error: "the pool is full" };
    const outcome = await attempt(group);
    if (outcome.error === null) bank.land({ ...outcome.landed, at_ms: now_ms() });
    return outcome;
  };
  return {
    rules,
    bank,
    lastRound,
    attempt,
    send(group) {
      const mine = last.then(() => land(group));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
