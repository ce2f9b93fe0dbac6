/**
 * The thread of the books: owns the connection that writes, so that serving never waits for a disk. It must be named
 * as an entry point when the binary is compiled.
 */
import type { Books } from "../books.ts";
import { COMMANDS } from "../commands.ts";
import { openLedgerFile, toOpenError } from "./open.ts";
import { createSqliteBooks } from "./sqlite-books.ts";
import { createDebitUnpacker, type DebitCall, type DebitResult, packDebitResults } from "./thread-debits.ts";
import { packError, type StartOrder, type ThreadAnswer, type ThreadCall, type ThreadOrder } from "./thread-messages.ts";

declare const self: Worker;

/** Time is the serving thread's, as of its last message. */
let now_ms = 0;
let books: Books | null = null;
let results: NonNullable<ThreadAnswer["results"]>[number][] = [];
let debited: DebitResult[] = [];
let unpackDebits = createDebitUnpacker();

const tell = (answer: ThreadAnswer): void => self.postMessage(answer);

/** Everything a commit answers goes back in one message. */
const answerSoon = (): void => {
  if (results.length + debited.length > 1) return;
  setImmediate(() => {
    const done = { results, ...(debited.length === 0 ? {} : { debited: packDebitResults(debited) }) };
    results = [];
    debited = [];
    tell(done);
  });
};
const answer = (result: (typeof results)[number]): void => {
  results.push(result);
  answerSoon();
};

function open({ file, synchronous, copy }: StartOrder): void {
  try {
    const db = openLedgerFile(file, { synchronous });
    try {
      books = createSqliteBooks(db, {
        clock: { now: () => now_ms },
        copy: copy && { order: copy, tell: (copied) => tell({ copied }) },
      });
    } catch (error) {
      db.close();
      throw toOpenError(file, error);
    }
    // Whoever opens the next ledger here packs anew.
    unpackDebits = createDebitUnpacker();
    books.onHalt((halted) => tell({ halted }));
    books.onTrouble((reason) => tell({ trouble: { reason } }));
    tell({ ready: true });
  } catch (error) {
    tell({ not_opened: packError(error) });
  }
}

const KEEPING: ReadonlySet<string> = new Set(["audit", "flush", "checkpoint", "close"]);
type Anything = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

function find(group: string, name: string): Anything[string] {
  const named: Readonly<Record<string, Readonly<Record<string, true>>>> = COMMANDS;
  const is_known = group === "books" ? KEEPING.has(name) : Object.hasOwn(named[group] ?? {}, name);
  const all: unknown = group === "books" ? books : books?.[group as keyof Books];
  const command = is_known ? (all as Anything | null)?.[name] : undefined;
  if (command === undefined) throw new Error(`the books have no command ${group}.${name}`);
  return command;
}

async function run([id, group, name, args]: ThreadCall): Promise<void> {
  try {
    answer([id, true, await find(group, name)(...args)]);
  } catch (error) {
    answer([id, false, packError(error)]);
  }
}

function debit({ id, charge, answer: given }: DebitCall): void {
  const refuse = (error: unknown) => answer([id, false, packError(error)]);
  const done = books?.charges.debit(charge, given) ?? Promise.reject(new Error("the books are not open"));
  done.then((result) => {
    debited.push({ id, result });
    answerSoon();
  }, refuse);
}

self.onmessage = ({ data }: MessageEvent<ThreadOrder>) => {
  now_ms = data.now_ms;
  if (data.start) open(data.start);
  for (const call of data.calls) void run(call);
  if (data.debits !== undefined) for (const call of unpackDebits(data.debits)) debit(call);
};
