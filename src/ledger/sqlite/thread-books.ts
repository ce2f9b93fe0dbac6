import type { AuditReport } from "../audit.ts";
import type { Books } from "../books.ts";
import type { Charge } from "../charges.ts";
import { COMMANDS, type CommandGroup, type Commands } from "../commands.ts";
import { readFirst } from "../read-first.ts";
import { type BookThread, type BookThreadOptions, startBookThread } from "./book-thread.ts";
import { openLedgerFile } from "./open.ts";
import { createQueries } from "./sqlite-books.ts";

/** Keys of buyers who come in turn are found without the disk: 8 MB. */
const READER_CACHE_KIB = 8_192;

/**
 * The books in a SQLite file that their own thread writes. Queries run in the calling thread, over a read-only
 * connection: it sees every commit, and so every change whose promise has resolved.
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
      debit: (charge, answer) => thread.debit({ charge, answer }),
      hold: (charge, name) => charges.hold(trim(charge), name),
      post: (hold, charge, answer) => charges.post(hold, trim(charge), answer),
      // As in one thread: what cannot be given back now is at the next start.
      void: (hold) => charges.void(hold).catch(() => undefined),
      pass: ({ key, product, now_ms }) => charges.pass({ key: { id: key.id }, product, now_ms }).catch(() => undefined),
    },
    coupons: { ...queries.coupons, ...commandsOf(thread, "coupons") },
    channels: { ...queries.channels, ...commandsOf(thread, "channels") },
    statements: queries.statements,
    stories: queries.stories,
    money: queries.money,
    manifest: { ...queries.manifest, ...commandsOf(thread, "manifest") },
    records: { ...queries.records, ...commandsOf(thread, "records") },
    refunds: { ...queries.refunds, ...commandsOf(thread, "refunds") },
    corrections: { ...queries.corrections, ...commandsOf(thread, "corrections") },
    explained: { ...queries.explained, ...commandsOf(thread, "explained") },
    wallets: { ...queries.wallets, ...commandsOf(thread, "wallets") },
    cluster: null,
    audit: () => thread.call("books", "audit", []) as Promise<AuditReport>,
    flush: async () => void (thread.halted === null && (await thread.call("books", "flush", []))),
    checkpoint: async () => (await thread.call("books", "checkpoint", [])) === true,
    get halted() {
      return thread.halted;
    },
    get trouble() {
      return thread.trouble;
    },
    get copied() {
      return thread.copied;
    },
    onHalt: thread.onHalt,
    onTrouble: thread.onTrouble,
    async close() {
      try {
        await thread.call("books", "close", []);
        thread.endClosed();
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

/** The part of the keys that a charge needs: callers have the whole rows, which would be copied for every call. */
const trim = ({ key, root, product, amount, now_ms, door }: Charge): Charge => ({
  key: { id: key.id, daily_cap: key.daily_cap },
  root: { account: root.account },
  product,
  amount,
  now_ms,
  door,
});
