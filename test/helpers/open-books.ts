import { afterEach } from "bun:test";
import { type Ledger, type LedgerOptions, openLedger, openLedgerInThread } from "../../src/ledger/ledger.ts";

/** What keeps the books: `serving` in the thread that calls them, `thread` in one of their own. */
export const ENGINES = ["serving", "thread"] as const;

/** Those of the running test: a thread that nobody ends keeps a run of tests from its end. */
const opened: Ledger[] = [];
afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close().catch(() => undefined);
});

/**
 * Opens the books on the engine this run is for: every suite that opens them here is run once for each
 * (`test/ledger/engines.test.ts`). They are closed after the test, if it does not close them itself.
 */
export async function openBooks(options: LedgerOptions): Promise<Ledger> {
  const engine = process.env.TEST_LEDGER_ENGINE ?? "serving";
  if (engine !== "serving" && engine !== "thread") throw new Error(`TEST_LEDGER_ENGINE: one of ${ENGINES.join(", ")}`);
  const ledger = engine === "thread" ? await openLedgerInThread(options) : openLedger(options);
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= ledger.close();
    return closed;
  };
  const own: Ledger = Object.create(ledger, { close: { value: close } });
  opened.push(own);
  return own;
}

/**
 * What a promise is refused with. `expect(promise).rejects` waits without letting go of the thread, and the answer of
 * another thread then never comes.
 * @throws Error when it is not refused.
 */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error("it was refused with something that is no error", { cause: error });
  }
  throw new Error(`it was not refused: ${JSON.stringify(value)}`);
}
