import type { PaymentCommands } from "./payments.ts";

/**
 * A payment is asked for by a query unless it was begun or dropped and may wait to be written: then the command `find`
 * knows. It is certainly written when a later command about it has ended.
 */
export function readFirst(
  commands: PaymentCommands,
  { findByReplayKey }: { readonly findByReplayKey: PaymentCommands["find"] },
): PaymentCommands {
  const open = new Map<string, number>();
  const attempts = new Map<string, string>();
  const enter = (key: string) => void open.set(key, (open.get(key) ?? 0) + 1);
  const leave = (key: string) => {
    const left = (open.get(key) ?? 1) - 1;
    if (left > 0) open.set(key, left);
    else open.delete(key);
  };
  const leaveAttempt = (id: string) => {
    const key = attempts.get(id);
    if (key === undefined) return;
    attempts.delete(id);
    leave(key);
  };
  return {
    ...commands,
    async begin(payment, more) {
      const { replay_key } = payment;
      enter(replay_key);
      try {
        const begun = await commands.begin(payment, more);
        if (begun.started) attempts.set(begun.id, replay_key);
        else leave(replay_key);
        return begun;
      } catch (error) {
        leave(replay_key);
        throw error;
      }
    },
    find: (replay_key) => (open.has(replay_key) ? commands.find(replay_key) : findByReplayKey(replay_key)),
    async drop(id, replay_key, end) {
      enter(replay_key);
      await commands.drop(id, replay_key, end).catch(() => undefined);
      leave(replay_key);
      leaveAttempt(id);
    },
    end: (id, state, reason) => commands.end(id, state, reason).finally(() => leaveAttempt(id)),
    keepAnswer: (id, answer, kept) => commands.keepAnswer(id, answer, kept).finally(() => leaveAttempt(id)),
  };
}
