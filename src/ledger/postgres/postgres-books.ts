import type { SQL } from "bun";
import { type Clock, systemClock } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { getGenesis } from "../../records/record-chain.ts";
import type { AuditReport } from "../audit.ts";
import type { Books } from "../books.ts";
import type { Recovered } from "../cluster.ts";
import type { CommandGroup, Commands } from "../commands.ts";
import type { NewCorrection } from "../corrections.ts";
import type { RedeemResult } from "../coupons.ts";
import type { KeyRow } from "../key-rows.ts";
import { KEY_REFUSALS, type KeyBooks } from "../keys.ts";
import type { BookedSale } from "../payment-row.ts";
import type { PaymentBooks } from "../payments.ts";
import { readFirst } from "../read-first.ts";
import { refused } from "../records.ts";
import { type NewRefund, type RefundOutcome, readRefundOutcome } from "../refunds.ts";
import { unwritable } from "../writer.ts";
import { type PostgresAddress, renderAddress } from "./address.ts";
import { auditPostgres } from "./audit.ts";
import { chance } from "./chance.ts";
import { createChannelCommands, createChannelQueries } from "./channels.ts";
import { createChargeCommands } from "./charges.ts";
import { type CommandLane, CommandRefused, createCommandLane } from "./command-lane.ts";
import { connect } from "./connect.ts";
import { correctOn, createCorrectionQueries, createExplainedQueries } from "./corrections.ts";
import { holdCouponOn, useCouponOn } from "./coupon-commands.ts";
import type { DecidedCommand } from "./decided-command.ts";
import { expireOn, grantOn, issueOn } from "./grant-commands.ts";
import { renderArguments } from "./json.ts";
import { createKeyQueries } from "./keys.ts";
import { assertServer, migratePostgres } from "./migrate.ts";
import { createMoneyQueries } from "./money.ts";
import {
  createCouponQueries,
  createLandingQueries,
  createManifestQueries,
  createRecordQueries,
} from "./other-queries.ts";
import { type Begun, beginOn, deliverOn, dropOn, keepOn, moveOn, settleOn, wakeOn } from "./payment-commands.ts";
import { createPaymentQueries, createReceiptQueries } from "./payments.ts";
import { createReader, type Reader } from "./reader.ts";
import { createRefundQueries, giveBackOn } from "./refunds.ts";
import { keepSeat, leaveSeat, SEAT_MS, takeSeat } from "./seats.ts";
import { createChargeQueries, createStatementQueries } from "./statements.ts";
import { createPostgresStories } from "./stories.ts";
import { createWalletQueries } from "./wallets.ts";

export interface PostgresBooksOptions {
  readonly address: PostgresAddress;
  readonly clock: Clock;
  /** The node: what it leaves in flight when it stops is ended when it starts again. */
  readonly owner: string;
  /** Connections for queries. */
  readonly readers?: number | undefined;
  /** How long a batch whose connection was lost is asked for, ms. */
  readonly give_up_ms?: number | undefined;
  /** How long a batch keeps its locks while this node is silent, ms: it may have stopped, or be cut off. */
  readonly locks_ms_max?: number | undefined;
  /** The node's place at the ledger, which is its own as long as it says so every few seconds; none for a command. */
  readonly seat?: Seat | undefined;
}

export interface Seat {
  /** What receipts call this node, when several sell at once; null keeps every other node out. */
  readonly name: string | null;
  /** How long a silent node keeps its seat. */
  readonly seat_ms?: number | undefined;
  /** Told what was ended that another node left in flight. */
  readonly onRecovered?: ((recovered: Recovered) => void) | undefined;
}

const READERS = 6;
/** Well below the life of a seat, and below what a batch of another node waits for an answer. */
const LOCKS_MS_MAX = 5_000;
/** Lane 0 is shared by all nodes; calls are booked in one of the others: two nodes in one only wait more. */
const CALL_LANES = 15;
const ENDED_MAX = 100_000;
const PRUNED_AT_ONCE = 1_000;
const ENDED_COUNT = "SELECT count(*) AS n FROM payments WHERE state IN ('rejected', 'abandoned')";

/**
 * The books in a PostgreSQL database, which other nodes may share. Commands go over two connections, in batches: calls
 * of keys over one, everything else over the other; queries over some more.
 * @throws LedgerOpenError
 */
export async function openPostgresBooks(options: PostgresBooksOptions): Promise<Books> {
  const { address, clock, owner, readers = READERS, give_up_ms, seat } = options;
  const own = seat && { owner, where: renderAddress(address), name: seat.name, seat_ms: seat.seat_ms ?? SEAT_MS };
  const pool = connect(address, readers);
  let calls_lane: number | null = null;
  try {
    // The migrating connection is closed before anything is served: its settings differ from those of the others.
    await migratePostgres(pool, { address });
    await assertServer(pool, address, systemClock.now());
    if (own) calls_lane = await takeSeat(createReader(pool), own);
    await pool.unsafe("DELETE FROM sessions WHERE seen_at < now() - interval '1 day'");
  } catch (error) {
    await pool.close({ timeout: 0 });
    throw error;
  }
  const { locks_ms_max = Math.min(LOCKS_MS_MAX, (seat?.seat_ms ?? SEAT_MS) / 2) } = options;
  const settings = { idle_in_transaction_session_timeout: String(Math.ceil(locks_ms_max)) };
  const lane = (n: number): CommandLane =>
    createCommandLane({ connect: () => connect(address, 1, settings), clock, lane: n, owner, give_up_ms });
  const lanes = { main: lane(0), calls: lane(calls_lane ?? 1 + Math.floor(chance() * CALL_LANES)) };
  const books = createPostgresBooks({ pool, clock, lanes });
  if (!own) return books;
  try {
    return await keepSeat(books, { ...own, lane: lanes.main, pool, onRecovered: seat?.onRecovered });
  } catch (error) {
    await leaveSeat(createReader(pool, []), owner).catch(() => undefined);
    await books.close();
    throw error;
  }
}

interface Parts {
  readonly pool: SQL;
  readonly clock: Clock;
  readonly lanes: { readonly main: CommandLane; readonly calls: CommandLane };
}

function createPostgresBooks({ pool, clock, lanes }: Parts): Books {
  const { main, calls } = lanes;
  const both = [main, calls] as const;
  const reader = createReader(pool);
  const inSnapshot = <T>(work: (snapshot: Reader) => Promise<T>): Promise<T> =>
    pool.begin("isolation level repeatable read read only", (tx) => work(createReader(tx, []))) as Promise<T>;
  const halted = () => main.halted ?? calls.halted;
  const trouble = () => halted() ?? main.trouble ?? calls.trouble;
  const flush = async () => {
    if (halted() === null) await Promise.all(both.map((lane) => lane.call("books.flush", "[]")));
  };
  const keys = createKeyQueries(reader);
  const channels = createChannelQueries(reader);
  return {
    payments: createPayments(main, reader, { clock, trouble }),
    receipts: createReceiptQueries(reader),
    landings: { ...createLandingQueries(reader), ...commandsOf(main, "landings", LANDINGS) },
    keys: createKeys(main, keys),
    charges: { ...createChargeQueries(reader), ...createChargeCommands(calls) },
    coupons: { ...createCouponQueries(reader), ...createCoupons(main) },
    channels: { ...channels, ...createChannelCommands(main, channels, reader) },
    statements: createStatementQueries({ reader, inSnapshot }),
    money: createMoneyQueries({ reader, inSnapshot }),
    stories: { find: (word) => inSnapshot((snapshot) => createPostgresStories(snapshot).find(word)) },
    manifest: { ...createManifestQueries(reader), ...commandsOf(main, "manifest", ["note"]) },
    records: { ...createRecordQueries(reader), ...createRecords(main) },
    refunds: { ...createRefundQueries(reader), giveBack: (refund) => giveBack(main, refund) },
    corrections: { ...createCorrectionQueries(reader), correct: (one) => correct(main, one) },
    explained: { ...createExplainedQueries(reader), explain: isNew(main, "explained.explain") },
    wallets: { ...createWalletQueries(reader), ...commandsOf(main, "wallets", ["useNonce"]) },
    audit: (): Promise<AuditReport> => inSnapshot(auditPostgres),
    flush,
    cluster: null,
    // The server keeps its own log.
    checkpoint: async () => true,
    // A database has its own tools for that.
    copied: null,
    get halted() {
      return halted();
    },
    get trouble() {
      return trouble();
    },
    onHalt(listener) {
      for (const lane of both) lane.onHalt(listener);
    },
    onTrouble: joinTroubles(both),
    async close() {
      await Promise.all(both.map((lane) => lane.end()));
      await pool.close({ timeout: 5 });
    },
  };
}

/** One listener for both lanes: called when the first has trouble, and when the last is well again. */
function joinTroubles(lanes: readonly CommandLane[]): Books["onTrouble"] {
  const listeners: ((reason: string | null) => void)[] = [];
  let told: string | null = null;
  const tell = () => {
    const now = lanes.map(({ trouble }) => trouble).find((reason) => reason !== null) ?? null;
    if ((now === null) === (told === null)) return;
    told = now;
    for (const listener of listeners) listener(now);
  };
  for (const lane of lanes) lane.onTrouble(tell);
  return (listener) => void listeners.push(listener);
}

const LANDINGS = ["note", "postpone", "confirmPayment", "countDisbelieved"] as const;
const COUPONS = ["release", "recover"] as const;

/** Commands whose answer is what the database says. */
function commandsOf<G extends CommandGroup, K extends keyof Commands[G] & string>(
  lane: CommandLane,
  group: G,
  names: readonly K[],
): Pick<Commands[G], K> {
  const sent = names.map((name) => [
    name,
    async (...args: readonly unknown[]): Promise<unknown> =>
      plain(lane.call(`${group}.${name}`, renderArguments(args))),
  ]);
  return Object.fromEntries(sent) as Pick<Commands[G], K>;
}

/** Any other refusal by the database means: not now, nothing was charged. */
const plain = async (answer: Promise<unknown>): Promise<unknown> => {
  try {
    return (await answer) ?? undefined;
  } catch (error) {
    throw error instanceof CommandRefused ? unwritable(`${error.state}: ${error.message}`) : error;
  }
};

const giveBack = async (lane: CommandLane, refund: NewRefund): Promise<boolean> =>
  readRefundOutcome((await plain(lane.decide(giveBackOn(refund), ""))) as RefundOutcome);

const correct = async (lane: CommandLane, correction: NewCorrection): Promise<boolean> =>
  (await plain(lane.decide(correctOn(correction), ""))) === true;

/** A command that writes something once, and says whether it did. */
const isNew =
  (lane: CommandLane, name: string) =>
  async (written: object): Promise<boolean> => {
    const { is_new } = (await plain(lane.call(name, renderArguments([written])))) as { is_new: boolean };
    return is_new;
  };

const createCoupons = (lane: CommandLane): Commands["coupons"] => ({
  ...commandsOf(lane, "coupons", COUPONS),
  hold: async (redemption, rules) => (await plain(lane.decide(holdCouponOn(redemption, rules), ""))) as RedeemResult,
  use: async (id) => Number(await plain(lane.decide(useCouponOn(id), ""))),
});

/** A key that a command names is read afterwards, as it is then. */
function createKeys(lane: CommandLane, queries: ReturnType<typeof createKeyQueries>): KeyBooks {
  const { dropSalts } = commandsOf(lane, "keys", ["dropSalts"]);
  const read = async (public_id: unknown): Promise<KeyRow> => {
    const key = await queries.byPublicId(String(public_id));
    if (!key) throw KEY_REFUSALS.no_key();
    return key;
  };
  const decide = (command: DecidedCommand): Promise<unknown> => plain(lane.decide(command, ""));
  const named =
    (name: string) =>
    async (...args: readonly unknown[]): Promise<KeyRow> =>
      read(await plain(lane.call(`keys.${name}`, renderArguments(args))));
  return {
    ...queries,
    issue: async (key, grant, funding) => read(await decide(issueOn(key, grant, funding))),
    grant: async (public_id, grant, funding) => read(await decide(grantOn(public_id, grant, funding))),
    mint: (parent, child) => named("mint")({ public_id: parent.public_id }, child),
    amend: named("amend"),
    revoke: named("revoke"),
    expire: async (public_id) => BigInt(String(await decide(expireOn(public_id)))),
    dropSalts,
  };
}

interface PaymentParts {
  readonly clock: Clock;
  readonly trouble: () => string | null;
}

function createPayments(lane: CommandLane, reader: Reader, { clock, trouble }: PaymentParts): PaymentBooks {
  const queries = createPaymentQueries(reader, clock);
  const commands = commandsOf(lane, "payments", ["recover", "pruneAnswers"]);
  const decide = (command: DecidedCommand): Promise<unknown> => plain(lane.decide(command, ""));
  const prune = async (before_ms: number, count_max: number): Promise<number> => {
    let pruned = 0;
    for (let some = 1; some > 0 && pruned < count_max; pruned += some) {
      const args = renderArguments([before_ms, Math.min(PRUNED_AT_ONCE, count_max - pruned)]);
      some = Number(await plain(lane.call("payments.pruneSome", args)));
    }
    return pruned;
  };
  const written: PaymentBooks = {
    ...queries,
    ...commands,
    find: async (replay_key) => {
      // Payments begun or dropped here earlier are written first.
      await lane.call("books.flush", "[]");
      return queries.findByReplayKey(replay_key);
    },
    async begin(payment) {
      const refusal = trouble();
      if (refusal !== null) throw unwritable(refusal);
      const { started, id, older } = (await decide(beginOn(newId("pay", clock.now()), payment))) as Begun;
      if (started) return { started: true, id, ...(older.length > 0 ? { older } : {}) };
      const known = await queries.get(id);
      if (known === null) throw unwritable("a payment went away while it was looked at");
      return { started: false, payment: known };
    },
    keepAnswer: async (id, answer, kept = {}) => void (await decide(keepOn(id, answer, kept))),
    drop: async (id, _replay_key, end) => void (await decide(dropOn(id, end))),
    end: async (id, state, reason) => void (await decide(moveOn(id, state, { reason }))),
    markUnknown: async (id, reason, known = {}) => void (await decide(moveOn(id, "unknown", { reason, known }))),
    async wake(id) {
      await decide(wakeOn(id));
      return queries.get(id);
    },
    settle: async (id, settled) => ((await decide(settleOn(id, settled))) ?? null) as BookedSale | null,
    markDelivered: async (id) => void (await decide(deliverOn(id, true))),
    markUndelivered: async (id) => void (await decide(deliverOn(id, false))),
    async pruneEnded(before_ms) {
      const old = await prune(before_ms, Number.MAX_SAFE_INTEGER);
      const surplus = Number((await reader.get<{ n: bigint }>(ENDED_COUNT))?.n ?? 0n) - ENDED_MAX;
      return surplus > 0 ? old + (await prune(Number.MAX_SAFE_INTEGER, surplus)) : old;
    },
  };
  return { ...written, ...readFirst(written, queries) };
}

function createRecords(lane: CommandLane): Commands["records"] {
  const call = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    try {
      return await lane.call(`records.${name}`, renderArguments(args));
    } catch (error) {
      // Another node was first: the record is built anew for its new place.
      if (error instanceof CommandRefused && (error.state === "LB004" || error.state === "23505")) return false;
      throw error instanceof CommandRefused ? refused(error) : error;
    }
  };
  return {
    async append(realm, records) {
      const misplaced = records.some(({ chain, seq, prev_hash }) => seq === 1 && prev_hash !== getGenesis(chain));
      return !misplaced && (await call("append", [realm, records])) === true;
    },
    settle: async (realm, outcome) => {
      if ((await call("settle", [realm, outcome])) === false) throw refused(new Error("an outcome is stated once"));
    },
  };
}
