import { Database, SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";

/** Older files get it too, and older versions of the node do not mind it. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS own_channels (
    id TEXT PRIMARY KEY,
    network TEXT NOT NULL,
    payer TEXT NOT NULL,
    seller TEXT NOT NULL,
    terms TEXT NOT NULL,
    config TEXT NOT NULL,
    door TEXT NOT NULL,
    deposited INTEGER NOT NULL DEFAULT 0 CHECK (deposited >= 0),
    refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded >= 0),
    signed INTEGER NOT NULL DEFAULT 0,
    charged INTEGER NOT NULL DEFAULT 0 CHECK (charged >= 0),
    open_deposit INTEGER NOT NULL DEFAULT 0 CHECK (open_deposit >= 0),
    open_until_ms INTEGER NOT NULL DEFAULT 0,
    doubtful INTEGER NOT NULL DEFAULT 0 CHECK (doubtful >= 0),
    stopped TEXT,
    opened_ms INTEGER NOT NULL,
    used_ms INTEGER NOT NULL,
    CHECK (charged <= signed),
    CHECK (charged + refunded <= deposited)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS own_channels_by_seller ON own_channels (network, seller);
  CREATE TRIGGER IF NOT EXISTS own_channels_signed BEFORE UPDATE OF signed ON own_channels
  WHEN new.signed < old.signed BEGIN SELECT RAISE(ABORT, 'what was signed stays signed'); END;
  CREATE TRIGGER IF NOT EXISTS own_channels_stopped BEFORE UPDATE OF signed ON own_channels
  WHEN old.stopped IS NOT NULL BEGIN SELECT RAISE(ABORT, 'a stopped channel signs nothing'); END;
`;

/** A payment channel that this node pays from. Amounts are cumulative, in atomic USDC. */
export interface OwnChannel {
  /** 0x and 64 hex digits in lower case. */
  readonly id: string;
  readonly network: string;
  /** The wallet that pays. */
  readonly payer: string;
  /** Who is paid. */
  readonly seller: string;
  /** What its seller offered: its configuration but the salt, as text. */
  readonly terms: string;
  /** Its whole configuration, JSON. */
  readonly config: string;
  /** Address that it is refunded by: something its seller sells. */
  readonly door: string;
  /** Paid in, as far as it is known to have landed. */
  readonly deposited: bigint;
  readonly refunded: bigint;
  /** The highest sum that was signed: on disk before it leaves. */
  readonly signed: bigint;
  /** By the last snapshot of its seller that added up. */
  readonly charged: bigint;
  /** A deposit whose outcome is open, and until when it can land, ms; 0 without one. */
  readonly open_deposit: bigint;
  readonly open_until_ms: number;
  /** Deposits of which nobody told what became. */
  readonly doubtful: bigint;
  /** Why nothing more is signed on it, ever; null while that may be. */
  readonly stopped: string | null;
  readonly opened_ms: number;
  readonly used_ms: number;
}

export type NewOwnChannel = Pick<
  OwnChannel,
  "id" | "network" | "payer" | "seller" | "terms" | "config" | "door" | "opened_ms"
>;

export interface OwnChannelRows {
  add(channel: NewOwnChannel): void;
  get(id: string): OwnChannel | null;
  /** Those with this seller, the newest first. */
  withSeller(network: string, seller: string): readonly OwnChannel[];
  list(): readonly OwnChannel[];
  /** Notes what is about to be signed. @throws Error for a stopped channel. */
  sign(id: string, step: SignedStep): void;
  /**
   * Notes what a snapshot that added up says. `landed`: it shows the deposits that were open or in doubt. What lies in
   * the channel is at least what was charged: a restored backup may know of less.
   */
  settle(id: string, told: { readonly charged: bigint; readonly signed?: bigint; readonly landed: boolean }): void;
  /** How an open deposit ended. */
  endDeposit(id: string, end: "landed" | "gone" | "doubtful"): void;
  noteRefund(id: string, amount: bigint): void;
  stop(id: string, why: string): void;
  /** The chain holds no more for it than its seller may claim: what was not charged is no longer there. */
  empty(id: string): void;
}

interface SignedStep {
  readonly signed: bigint;
  /** 0 for a voucher alone. */
  readonly deposit: bigint;
  readonly until_ms: number;
  readonly at_ms: number;
}

type Amount = "deposited" | "refunded" | "signed" | "charged" | "open_deposit" | "doubtful";
type Row = Omit<OwnChannel, Amount> & Readonly<Record<Amount, number>>;

const toOwnChannel = ({ deposited, refunded, signed, charged, open_deposit, doubtful, ...row }: Row): OwnChannel => ({
  ...row,
  deposited: BigInt(deposited),
  refunded: BigInt(refunded),
  signed: BigInt(signed),
  charged: BigInt(charged),
  open_deposit: BigInt(open_deposit),
  doubtful: BigInt(doubtful),
});

const COLUMNS =
  "id, network, payer, seller, terms, config, door, deposited, refunded, signed, charged, open_deposit, " +
  "open_until_ms, doubtful, stopped, opened_ms, used_ms";

/** Channels this node pays from; in kept.db, which is on disk before a voucher leaves and is backed up. */
export function createOwnChannelRows(db: Database): OwnChannelRows {
  db.run(SCHEMA);
  const sql = prepare(db);
  return {
    add: ({ id, network, payer, seller, terms, config, door, opened_ms }) =>
      void sql.insert.run({ id, network, payer, seller, terms, config, door, opened_ms }),
    get: (id) => {
      const row = sql.get.get({ id });
      return row && toOwnChannel(row);
    },
    withSeller: (network, seller) => sql.with_seller.all({ network, seller }).map(toOwnChannel),
    list: () => sql.list.all().map(toOwnChannel),
    sign: (id, step) => void sql.sign.run({ id, ...step }),
    settle: (id, { charged, signed = charged, landed }) =>
      void sql.settle.run({ id, charged, signed, landed: landed ? 1 : 0 }),
    endDeposit: (id, end) => void sql.end_deposit.run({ id, end }),
    noteRefund: (id, amount) => void sql.note_refund.run({ id, amount }),
    stop: (id, why) => void sql.stop.run({ id, why }),
    empty: (id) => void sql.empty.run({ id }),
  };
}

/** A channel of a node that may be running, without touching its file; null where it has none such. */
export function readOwnChannel(file: string, id: string): OwnChannel | null {
  if (!existsSync(file)) return null;
  const db = new Database(file, { readonly: true, strict: true });
  try {
    const row = db.query<Row, { id: string }>(`SELECT ${COLUMNS} FROM own_channels WHERE id = $id`).get({ id });
    return row && toOwnChannel(row);
  } catch (error) {
    // A file of a node that never had a channel has no such table.
    if (!(error instanceof SQLiteError)) throw error;
    return null;
  } finally {
    db.close();
  }
}

const prepare = (db: Database) => ({
  insert: db.query(
    `INSERT INTO own_channels (id, network, payer, seller, terms, config, door, opened_ms, used_ms)
     VALUES ($id, $network, $payer, $seller, $terms, $config, $door, $opened_ms, $opened_ms)`,
  ),
  get: db.query<Row, { id: string }>(`SELECT ${COLUMNS} FROM own_channels WHERE id = $id`),
  with_seller: db.query<Row, { network: string; seller: string }>(
    `SELECT ${COLUMNS} FROM own_channels WHERE network = $network AND seller = $seller ORDER BY opened_ms DESC, id`,
  ),
  list: db.query<Row, []>(`SELECT ${COLUMNS} FROM own_channels ORDER BY opened_ms, id`),
  sign: db.query(
    `UPDATE own_channels SET signed = max(signed, $signed), used_ms = $at_ms,
       open_deposit = CASE WHEN $deposit > 0 THEN $deposit ELSE open_deposit END,
       open_until_ms = CASE WHEN $deposit > 0 THEN $until_ms ELSE open_until_ms END WHERE id = $id`,
  ),
  settle: db.query(
    `UPDATE own_channels SET charged = $charged, signed = max(signed, $signed),
       deposited = max(deposited + $landed * (open_deposit + doubtful), $charged + refunded),
       open_deposit = open_deposit * (1 - $landed), doubtful = doubtful * (1 - $landed) WHERE id = $id`,
  ),
  end_deposit: db.query(
    `UPDATE own_channels SET deposited = deposited + CASE WHEN $end = 'landed' THEN open_deposit ELSE 0 END,
       doubtful = doubtful + CASE WHEN $end = 'doubtful' THEN open_deposit ELSE 0 END, open_deposit = 0 WHERE id = $id`,
  ),
  note_refund: db.query("UPDATE own_channels SET refunded = refunded + $amount WHERE id = $id"),
  stop: db.query("UPDATE own_channels SET stopped = $why WHERE id = $id AND stopped IS NULL"),
  empty: db.query(
    "UPDATE own_channels SET refunded = deposited - charged, open_deposit = 0, doubtful = 0 WHERE id = $id",
  ),
});
