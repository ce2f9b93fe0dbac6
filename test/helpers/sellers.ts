import { expect } from "bun:test";
import type { SQL } from "bun";
import { createSettableClock } from "../../src/core/clock.ts";
import { isNodeError } from "../../src/core/errors.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import type { KeyRow } from "../../src/ledger/key-rows.ts";
import { type Ledger, openLedgerInPostgres } from "../../src/ledger/ledger.ts";
import { readAddress } from "../../src/ledger/postgres/address.ts";

/** What the callers of several nodes were told. */
interface Tally {
  /** Ids of the calls that were acknowledged. */
  readonly acknowledged: bigint[];
  unknown: number;
  refused: number;
  /** What a chain took for single payments: each is settled until the books say so. */
  readonly chain: Set<string>;
  /** Receipts of single payments that were acknowledged. */
  readonly receipts: string[];
}

/** The books of three nodes on one database, which sell calls of one key, and single payments, at once. */
export interface Sellers {
  readonly ledgers: readonly Ledger[];
  readonly tally: Tally;
  /** One more call at this node. @throws NodeError */
  sell(ledger: Ledger): Promise<void>;
  /** Sells at all of them at once, until what it returns is called: that waits for the calls under way. */
  start(): () => Promise<void>;
  /** Whether none of them has trouble. */
  areWell(): boolean;
  /** What was acknowledged is in the books, once, and nothing else but what nobody knows the end of. */
  check(admin: SQL): Promise<void>;
  close(): Promise<void>;
}

export interface SellersOptions {
  readonly url: string;
  readonly schema: string;
  /** At each node. */
  readonly callers: number;
  /** Who pay call by call, at each node. */
  readonly payers: number;
}

/** No node's seat ends, and no batch is given up, because a busy machine takes long to start a server. */
const SEAT_MS = 600_000;
const GIVE_UP_MS = 120_000;
const REFUSED_PAUSE_MS = 5;

export async function openSellers({ url, schema, callers, payers }: SellersOptions): Promise<Sellers> {
  const address = readAddress({ url: `${url}?schema=${schema}` });
  const open = (name: string) =>
    openLedgerInPostgres({
      address,
      clock: createSettableClock(),
      owner: name,
      readers: 1,
      give_up_ms: GIVE_UP_MS,
      seat: { name, seat_ms: SEAT_MS },
    });
  const first = await open("node-a");
  const ledgers = [first, await open("node-b"), await open("node-c")];
  const key = await issueKey(first);
  const charge = { key, root: key, product: "one", amount: 10n, now_ms: 0 };
  const tally: Tally = { acknowledged: [], unknown: 0, refused: 0, chain: new Set(), receipts: [] };

  async function sell({ charges }: Ledger): Promise<void> {
    const charged = await charges.debit(charge, { body: "{}", name: null });
    if (!charged.ok) throw new Error(`a key with enough credit was refused: ${charged.why}`);
    tally.acknowledged.push(BigInt(charged.call_id));
  }
  async function sellOn(ledger: Ledger, isRunning: () => boolean): Promise<void> {
    while (isRunning()) {
      const charge_unknown = await tryOnce(() => sell(ledger));
      if (charge_unknown === null) continue;
      if (charge_unknown) tally.unknown += 1;
      else tally.refused += 1;
    }
  }
  let payments = 0;
  /** Before its answer is kept, a payment that fails costs nobody anything. After that the chain has taken it. */
  async function payOn({ payments: books }: Ledger, isRunning: () => boolean): Promise<void> {
    while (isRunning()) {
      const n = ++payments;
      let id = "";
      const failed = await tryOnce(async () => {
        const begun = await books.begin(paymentOf(n));
        if (!begun.started) throw new Error("a new payment has to start");
        await books.keepAnswer(begun.id, "answer");
        id = begun.id;
      });
      if (failed !== null) continue;
      const chain_transaction = `0x${n}`;
      tally.chain.add(chain_transaction);
      const settle = async () => {
        const booked = await books.settle(id, { chain_transaction, label: "organic", delivered: true });
        if (booked === null) throw new Error("a transaction of its own has to pay");
        tally.receipts.push(booked.receipt_id);
      };
      while ((await tryOnce(settle)) !== null);
    }
  }
  return {
    ledgers,
    tally,
    sell,
    start() {
      let running = true;
      const isRunning = () => running;
      const all = ledgers.flatMap((ledger) => [
        ...Array.from({ length: callers }, () => sellOn(ledger, isRunning)),
        ...Array.from({ length: payers }, () => payOn(ledger, isRunning)),
      ]);
      const selling = Promise.all(all);
      // A failure is told where the end is waited for.
      selling.catch(() => undefined);
      return async () => {
        running = false;
        await selling;
      };
    },
    areWell: () => ledgers.every(({ trouble }) => trouble === null),
    async check(admin) {
      expect(ledgers.map(({ halted }) => halted)).toEqual([null, null, null]);
      const rows = (await admin.unsafe(`SELECT id::text FROM ${schema}.calls`)) as { id: string }[];
      const written = new Set(rows.map(({ id }) => BigInt(id)));
      expect(new Set(tally.acknowledged).size).toBe(tally.acknowledged.length);
      expect(tally.acknowledged.filter((id) => !written.has(id))).toEqual([]);
      expect(written.size).toBeLessThanOrEqual(tally.acknowledged.length + tally.unknown);
      const receipts = (await admin.unsafe(
        `SELECT r.id, p.chain_transaction FROM ${schema}.receipts r JOIN ${schema}.payments p ON p.id = r.payment_id
         WHERE p.state = 'settled'`,
      )) as { id: string; chain_transaction: string }[];
      expect(receipts.map(({ id }) => id).sort()).toEqual([...tally.receipts].sort());
      expect(receipts.map((receipt) => receipt.chain_transaction).sort()).toEqual([...tally.chain].sort());
      const { calls, spent } = await first.keys.usage(key.id);
      expect([calls, spent]).toEqual([written.size, BigInt(written.size) * charge.amount]);
      expect((await first.audit()).findings).toEqual([]);
    },
    async close() {
      for (const ledger of ledgers) await ledger.close();
    },
  };
}

/** @returns null when it was done; otherwise whether it may have been. */
async function tryOnce(work: () => Promise<void>): Promise<boolean | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (!isNodeError(error) || error.code !== "ledger_unavailable") throw error;
    await Bun.sleep(REFUSED_PAUSE_MS);
    return error.options.charge_unknown === true;
  }
}

const paymentOf = (n: number) => ({
  replay_key: `replay ${n}`,
  payload_hash: "hash",
  fingerprint: `request ${n}`,
  product: "one",
  network: "eip155:84532",
  asset: "0xusdc",
  payer: "0xpayer",
  pay_to: "0xseller",
  amount: 10_000n,
  valid_until_ms: 4_000_000_000_000,
  payload: "{}",
});

const issueKey = ({ keys }: Ledger): Promise<KeyRow> =>
  keys.issue(
    { public_id: "key_1", hash: sha256Hex("1"), salt: null, label: null, purchaser: null },
    { plan: "p", credit: 1_000_000_000n, duration_ms: null, pass: false, priority: 1, badge: null },
    { by: "operator" },
  );
