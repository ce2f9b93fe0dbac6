import type { AuditReport } from "./audit.ts";
import { type BookThread, type BookThreadOptions, startBookThread } from "./book-thread.ts";
import type { Books } from "./books.ts";
import type { Charge } from "./charges.ts";
import { COMMANDS, type CommandGroup, type Commands } from "./commands.ts";
import { openLedgerFile } from "./open.ts";
import type { PaymentCommands } from "./payments.ts";
import { createQueries } from "./sqlite-books.ts";

/** Keys of buyers who come in turn are found without the disk: 8 MB. */
const READER_CACHE_KIB = 8_192;

/**
 * The books in a SQLite file that a thread of its own writes. Queries run in the thread that asks, over a connection
 * that only reads: it sees every commit, and so every change whose promise has resolved.
 * @throws LedgerOpenError
 */
export async function startThreadBooks(options: BookThreadOptions): Promise<Books> {
  const thread = await startBookThread(options);
  const reader = openLedgerFile(options.start.file, { readonly: true });
  reader.run(`PRAGMA cache_size = -${READER_CACHE_KIB}`);
  const queries = createQueries(reader, options.clock);
  const charges = commandsOf(thread, "charges");
  return {
    payments: {
      ...queries.payments,
      ...readFirst(commandsOf(thread, "payments"), queries.payments),
    },
    receipts: queries.receipts,
    landings: { ...queries.landings, ...commandsOf(thread, "landings") },
    keys: { ...queries.keys, ...commandsOf(thread, "keys") },
    charges: {
      ...queries.charges,
      ...charges,
      debit: (charge, answer) => charges.debit(trim(charge), answer),
      hold: (charge, name) => charges.hold(trim(charge), name),
      post: (hold, charge, answer) => charges.post(hold, trim(charge), answer),
      // As in one thread: what cannot be given back now is at the next start.
      void: (hold) => charges.void(hold).catch(() => undefined),
      pass: ({ key, product, now_ms }) => charges.pass({ key: { id: key.id }, product, now_ms }).catch(() => undefined),
    },
    coupons: { ...queries.coupons, ...commandsOf(thread, "coupons") },
    statements: queries.statements,
    manifest: { ...queries.manifest, ...commandsOf(thread, "manifest") },
    records: { ...queries.records, ...commandsOf(thread, "records") },
    audit: () => thread.call("books", "audit", []) as Promise<AuditReport>,
    flush: async () => void (thread.halted === null && (await thread.call("books", "flush", []))),
    checkpoint: async () => void (await thread.call("books", "checkpoint", [])),
    get halted() {
      return thread.halted;
    },
    get trouble() {
      return thread.trouble;
    },
    onHalt: thread.onHalt,
    onTrouble: thread.onTrouble,
    async close() {
      try {
        await thread.call("books", "close", []);
      } finally {
        thread.end();
        reader.close();
      }
    },
  };
}

/** The commands of a group, each sent to the thread by its name. */
function commandsOf<G extends CommandGroup>(thread: BookThread, group: G): Commands[G] {
  const names = Object.keys(COMMANDS[group]);
  const sent = names.map((name) => [
    name,
    (...args: readonly unknown[]): Promise<unknown> => thread.call(group, name, args),
  ]);
  return Object.fromEntries(sent) as Commands[G];
}

/** What a charge needs of its keys: callers have the whole rows, and a copy of them would be made for every call. */
const trim = ({ key, root, product, amount, now_ms }: Charge): Charge => ({
  key: { id: key.id, daily_cap: key.daily_cap },
  root: { account: root.account },
  product,
  amount,
  now_ms,
});

/**
 * A payment is asked for here unless it was begun or dropped and may wait to be written: then the thread knows. It is
 * certainly written when a later command about it has ended.
 */
function readFirst(
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
    async begin(payment) {
      const { replay_key } = payment;
      enter(replay_key);
      try {
        const begun = await commands.begin(payment);
        if (begun.started) attempts.set(begun.id, replay_key);
        else leave(replay_key);
        return begun;
      } catch (error) {
        leave(replay_key);
        throw error;
      }
    },
    find: (replay_key) => (open.has(replay_key) ? commands.find(replay_key) : findByReplayKey(replay_key)),
    note: (id, state, facilitator) => commands.note(id, state, facilitator).catch(() => undefined),
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
