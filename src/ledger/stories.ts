import type { ChannelQueries } from "./channel-queries.ts";
import type { ChannelRow } from "./channel-rows.ts";
import type { Correction, CorrectionQueries } from "./corrections.ts";
import type { Lot } from "./decide/lots.ts";
import type { KeyRow, KeyUsage } from "./key-rows.ts";
import type { KeyQueries } from "./keys.ts";
import type { LandingState } from "./landings.ts";
import { canonicalTransaction } from "./payment-moves.ts";
import type { PaymentState } from "./payment-row.ts";
import type { Promised } from "./promised.ts";
import type { ReceiptLabel } from "./receipts.ts";
import type { Refund, RefundQueries } from "./refunds.ts";
import type { GrantLine, StatementQueries } from "./statements.ts";

/** A word from a complaint, and what else it names. */
export interface StoryWord {
  readonly word: string;
  /** SHA-256 of it, hex, where it is an API key itself: the key is stored nowhere. */
  readonly key_hash: string | null;
}

/** All the books know of one payment. Amounts in atomic USDC, times in ms. */
export interface PaymentStory {
  readonly payment_id: string;
  readonly state: PaymentState;
  readonly product: string;
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  readonly pay_to: string;
  readonly amount: bigint;
  readonly facilitator: string | null;
  readonly reason: string | null;
  readonly transaction: string | null;
  /** The transaction a facilitator named while the outcome was open: not proven. */
  readonly hint_transaction: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly valid_until_ms: number;
  /** False when the answer is known not to have reached its buyer. */
  readonly delivered: boolean;
  /** Null when no answer is kept, or no longer. */
  readonly answer_chars: number | null;
  readonly receipt: ReceiptStory | null;
  /** The door it came through; null if not recorded. */
  readonly door: string | null;
  /** What a plan brought to a key; null for a call. */
  readonly bought: { readonly key_id: string; readonly plan: string; readonly credit: bigint } | null;
  /** Sent back by hand, newest first. */
  readonly given_back: readonly Refund[];
  /** What the operator found that came in for it, newest first. */
  readonly corrections: readonly Correction[];
}

export interface ReceiptStory {
  readonly receipt_id: string;
  readonly settled_at_ms: number;
  readonly label: ReceiptLabel;
  readonly request_sha256: string | null;
  readonly response_sha256: string | null;
  /** Which of several nodes sold it. */
  readonly node: string | null;
  /** Whether the chain has it; null before the first look. */
  readonly on_chain: LandingState | null;
  readonly looks: number;
  readonly checked_at_ms: number | null;
  readonly doubted: boolean;
}

/** One call that a key or a coupon paid for. */
export interface CallStory {
  /** "call_…" without its prefix: ledger time, microseconds. */
  readonly id: number;
  readonly at_ms: number;
  /** Null for a coupon. */
  readonly key_id: string | null;
  /** The key whose balance it drew on, where that is another one. */
  readonly parent_id: string | null;
  readonly product: string;
  readonly access: "debit" | "pass" | "coupon";
  /** Number of calls on this line: those of a pass are added up by the minute. */
  readonly times: number;
  readonly amount: bigint;
  readonly response_sha256: string | null;
  readonly answer_chars: number | null;
  /** The door it came through; null if not recorded. */
  readonly door: string | null;
  /** When it was given back; null when it was not. */
  readonly refunded_at_ms: number | null;
}

/** One key with what was bought for it, what is left and what it called last. */
export interface KeyStory {
  readonly key: KeyRow;
  /** The key whose balance it draws on, where that is another one. */
  readonly parent_id: string | null;
  readonly usage: KeyUsage;
  readonly balance: { readonly posted: bigint; readonly pending: bigint } | null;
  readonly lots: readonly Lot[];
  readonly grants: readonly GrantLine[];
  /** Newest first. */
  readonly calls: readonly CallStory[];
}

/** What a voucher of a channel paid for. */
export interface VoucherStory {
  /** "voucher_…" without its prefix. */
  readonly id: number;
  readonly at_ms: number;
  readonly product: string;
  readonly amount: bigint;
  readonly response_sha256: string | null;
  readonly answer_chars: number | null;
}

export interface ChannelStory {
  readonly channel: ChannelRow;
  /** Newest first. */
  readonly vouchers: readonly VoucherStory[];
  /** What was sent to the chain for it, newest first. */
  readonly moves: readonly {
    readonly kind: string;
    readonly state: string;
    readonly amount: bigint;
    readonly transaction: string | null;
    readonly reason: string | null;
    readonly created_at_ms: number;
  }[];
}

/** Everything one word names, each list newest first and at most `STORIES_MAX` long. */
export interface Stories {
  readonly payments: readonly PaymentStory[];
  readonly calls: readonly CallStory[];
  readonly keys: readonly KeyStory[];
  readonly channels: readonly ChannelStory[];
  /** Whether there is more than is listed. */
  readonly has_more: boolean;
}

export const STORIES_MAX = 20;

/** What the books know of what somebody complains about. */
export interface StoryQueries {
  /** By transaction, payer, or the id of a receipt, payment, call, voucher, channel or key; by a key's label. */
  find(word: StoryWord): Promise<Stories>;
}

/** Asks either engine. `$n` are numbered and say their type, as PostgreSQL writes it. */
export type AskStory = <T>(sql: string, values: readonly (string | number)[]) => Promise<readonly T[]>;

export interface StoryParts {
  readonly ask: AskStory;
  readonly keys: Promised<KeyQueries>;
  readonly statements: Promised<StatementQueries>;
  readonly channels: Promised<ChannelQueries>;
  readonly refunds: Promised<RefundQueries>;
  readonly corrections: Promised<CorrectionQueries>;
}

/** SQLite's form of a question that names the types of its values. */
export const toSqlite = (sql: string): string => sql.replaceAll(/\$(\d+)::\w+/g, "?$1");

/** Every branch is answered from an index: what is unknown costs nothing on a long ledger. */
const PAYMENT_IDS = `SELECT id FROM payments WHERE id = $1::text
  UNION SELECT id FROM payments WHERE replay_key = $1::text
  UNION SELECT id FROM payments WHERE state = 'unknown' AND hint_transaction = $1::text
  UNION SELECT payment_id FROM receipts WHERE id = $1::text
  UNION SELECT payment_id FROM receipts WHERE response_sha256 = $1::text
  UNION SELECT payment_id FROM receipts WHERE id IN (SELECT receipt_id FROM given_back WHERE reference = $1::text)
  UNION SELECT payment_id FROM receipts WHERE id IN (SELECT receipt_id FROM corrections WHERE reference = $1::text)
  UNION SELECT payment_id FROM receipts WHERE chain_transaction = $1::text
    AND network IN (SELECT network FROM landing_counts WHERE hour = -1)
  UNION SELECT id FROM (
    SELECT id FROM payments WHERE payer = $1::text ORDER BY created_at DESC LIMIT $2::bigint) AS newest`;

const PAYMENTS = `SELECT p.id AS payment_id, p.state, p.product, p.network, p.asset, p.payer, p.pay_to, p.amount,
    p.facilitator, p.reason, p.chain_transaction AS "transaction", p.hint_transaction, p.created_at, p.updated_at,
    p.valid_until, p.delivered, length(p.answer) AS answer_chars, r.id AS receipt_id, r.settled_at, r.label,
    r.request_sha256, r.response_sha256, r.node, l.state AS on_chain, l.looks, l.checked_at, l.doubted,
    k.public_id AS key_id, g.plan, g.credit, p.door
  FROM payments p LEFT JOIN receipts r ON r.payment_id = p.id LEFT JOIN landings l ON l.receipt_id = r.id
    LEFT JOIN grants g ON g.payment_id = p.id LEFT JOIN keys k ON k.id = g.key_id
  WHERE p.id IN (${PAYMENT_IDS}) ORDER BY p.created_at DESC, p.id DESC LIMIT $2::bigint`;

const CALLS = `SELECT c.id, k.public_id AS key_id, p.public_id AS parent_id, c.product, c.access, c.times, c.amount,
    c.door,
    a.sha256 AS response_sha256, length(a.body) AS answer_chars,
    (SELECT t.id FROM transfers t WHERE t.kind = 'refund' AND t.reference = 'call:' || c.id) AS refunded_at
  FROM calls c LEFT JOIN keys k ON k.id = c.key_id LEFT JOIN keys p ON p.id = k.parent
    LEFT JOIN answers a ON a.id = c.answer_id
  WHERE c.id = $1::bigint`;

/** `$2` is a pattern of LIKE: part of a label, in either case. */
const KEYS = `SELECT public_id FROM keys WHERE id IN (
    SELECT id FROM keys WHERE public_id = $1::text
    UNION SELECT id FROM keys WHERE badge = $1::text
    UNION SELECT id FROM keys WHERE purchaser = $1::text AND parent IS NULL
    UNION SELECT id FROM keys WHERE lower(label) LIKE $2::text ESCAPE '!')
  ORDER BY id DESC LIMIT $3::bigint`;

const CHANNELS = `SELECT id FROM channels WHERE id IN (
    SELECT id FROM channels WHERE id = $1::text OR payer = $1::text
    UNION SELECT channel FROM channel_moves WHERE chain_transaction = $1::text AND channel IS NOT NULL
    UNION SELECT channel FROM channel_steps WHERE id = $2::bigint)
  ORDER BY used_at DESC LIMIT $3::bigint`;

const VOUCHERS = `SELECT s.id, s.product, s.amount, a.sha256 AS response_sha256, length(a.body) AS answer_chars
  FROM channel_steps s LEFT JOIN answers a ON a.id = s.answer_id
  WHERE s.channel = $1::text ORDER BY s.signed DESC LIMIT $2::bigint`;

const MOVES = `SELECT kind, state, amount, chain_transaction AS "transaction", reason, created_at FROM channel_moves
  WHERE channel = $1::text ORDER BY id DESC LIMIT $2::bigint`;

/** No label is shorter than what would find nearly every key. */
const LABEL_CHARS_MIN = 3;
const CALL_ID = /^(?:call_)?([1-9]\d{12,16})$/;
const VOUCHER_ID = /^voucher_([1-9]\d{0,16})$/;
const HEX = /^0x[0-9a-fA-F]+$/;

export function createStoryQueries({
  ask,
  keys,
  statements,
  channels,
  refunds,
  corrections,
}: StoryParts): StoryQueries {
  const some = STORIES_MAX + 1;

  async function readCall(id: number): Promise<readonly CallStory[]> {
    return (await ask<StoredCall>(CALLS, [id])).map(toCall);
  }

  async function readPayment(row: StoredPayment): Promise<PaymentStory> {
    const { receipt_id } = row;
    return {
      ...toPayment(row),
      given_back: receipt_id === null ? [] : await refunds.refundsOf(receipt_id),
      corrections: receipt_id === null ? [] : await corrections.correctionsOf(receipt_id),
    };
  }

  async function readKey(public_id: string): Promise<readonly KeyStory[]> {
    const key = await keys.byPublicId(public_id);
    if (key === null) return [];
    const root = key.parent === null ? key : await keys.byId(key.parent);
    const account = root?.account ?? null;
    const lines = await statements.calls(key.id, { limit: STORIES_MAX });
    const calls = await Promise.all(lines.map(({ id }) => readCall(id)));
    return [
      {
        key,
        parent_id: root === key ? null : (root?.public_id ?? null),
        usage: await keys.usage(key.id),
        balance: account === null ? null : await keys.balance(account),
        lots: await keys.lots(root?.id ?? key.id),
        grants: await statements.grants(key.id),
        calls: calls.flat(),
      },
    ];
  }

  async function findKeys(word: string, key_hash: string | null): Promise<readonly string[]> {
    const own = key_hash === null ? null : await keys.byHash(key_hash);
    if (own !== null) return [own.public_id];
    const pattern = word.length < LABEL_CHARS_MIN ? "" : `%${word.toLowerCase().replaceAll(/[!%_]/g, "!$&")}%`;
    return (await ask<{ public_id: string }>(KEYS, [word, pattern, some])).map(({ public_id }) => public_id);
  }

  async function readChannel(id: string): Promise<readonly ChannelStory[]> {
    const channel = await channels.get(id);
    if (channel === null) return [];
    const vouchers = (await ask<StoredVoucher>(VOUCHERS, [id, STORIES_MAX])).map(toVoucher);
    const moves = await ask<StoredMoveLine>(MOVES, [id, STORIES_MAX]);
    return [
      {
        channel,
        vouchers,
        moves: moves.map(({ created_at, ...move }) => ({ ...move, created_at_ms: toMs(created_at) })),
      },
    ];
  }

  return {
    async find({ word: given, key_hash }) {
      const word = HEX.test(given) ? canonicalTransaction(given) : given;
      const call = CALL_ID.exec(word)?.[1];
      const voucher = VOUCHER_ID.exec(word)?.[1];
      const rows = await ask<StoredPayment>(PAYMENTS, [word, some]);
      const payments = await Promise.all(rows.map(readPayment));
      const key_ids = await findKeys(word, key_hash);
      const channel_ids = await ask<{ id: string }>(CHANNELS, [word, Number(voucher ?? -1), some]);
      const shown = <T>(list: readonly T[]): readonly T[] => list.slice(0, STORIES_MAX);
      return {
        payments: shown(payments),
        calls: call === undefined ? [] : await readCall(Number(call)),
        keys: (await Promise.all(shown(key_ids).map(readKey))).flat(),
        channels: (await Promise.all(shown(channel_ids).map(({ id }) => readChannel(id)))).flat(),
        has_more: [payments, key_ids, channel_ids].some((list) => list.length > STORIES_MAX),
      };
    },
  };
}

interface StoredPayment
  extends Omit<
    PaymentStory,
    | "created_at_ms"
    | "updated_at_ms"
    | "valid_until_ms"
    | "delivered"
    | "answer_chars"
    | "receipt"
    | "bought"
    | "given_back"
    | "corrections"
  > {
  readonly created_at: bigint;
  readonly updated_at: bigint;
  readonly valid_until: bigint;
  readonly delivered: bigint;
  readonly answer_chars: bigint | null;
  readonly receipt_id: string | null;
  readonly settled_at: bigint | null;
  readonly label: ReceiptLabel | null;
  readonly request_sha256: string | null;
  readonly response_sha256: string | null;
  readonly node: string | null;
  readonly on_chain: LandingState | null;
  readonly looks: bigint | null;
  readonly checked_at: bigint | null;
  readonly doubted: bigint | null;
  readonly key_id: string | null;
  readonly plan: string | null;
  readonly credit: bigint | null;
}
interface StoredCall extends Omit<CallStory, "id" | "at_ms" | "times" | "answer_chars" | "refunded_at_ms"> {
  readonly id: bigint;
  readonly times: bigint;
  readonly answer_chars: bigint | null;
  readonly refunded_at: bigint | null;
}
interface StoredVoucher extends Omit<VoucherStory, "id" | "at_ms" | "answer_chars"> {
  readonly id: bigint;
  readonly answer_chars: bigint | null;
}
interface StoredMoveLine extends Omit<ChannelStory["moves"][number], "created_at_ms"> {
  readonly created_at: bigint;
}

const toMs = (us: bigint): number => Math.floor(Number(us) / 1000);
// Lengths are of 8 bytes in one engine and of 4 in the other.
const toNumber = (value: bigint | number | null): number | null => (value === null ? null : Number(value));

const toPayment = (row: StoredPayment): Omit<PaymentStory, "given_back" | "corrections"> => ({
  payment_id: row.payment_id,
  state: row.state,
  product: row.product,
  network: row.network,
  asset: row.asset,
  payer: row.payer,
  pay_to: row.pay_to,
  amount: row.amount,
  facilitator: row.facilitator,
  door: row.door,
  reason: row.reason,
  transaction: row.transaction,
  hint_transaction: row.hint_transaction,
  created_at_ms: toMs(row.created_at),
  updated_at_ms: toMs(row.updated_at),
  valid_until_ms: Number(row.valid_until),
  delivered: Number(row.delivered) === 1,
  answer_chars: toNumber(row.answer_chars),
  receipt: toReceipt(row),
  bought: row.key_id === null ? null : { key_id: row.key_id, plan: row.plan ?? "", credit: row.credit ?? 0n },
});

const toReceipt = ({ receipt_id, settled_at, label, ...row }: StoredPayment): ReceiptStory | null =>
  receipt_id === null || settled_at === null || label === null
    ? null
    : {
        receipt_id,
        settled_at_ms: toMs(settled_at),
        label,
        request_sha256: row.request_sha256,
        response_sha256: row.response_sha256,
        node: row.node,
        on_chain: row.on_chain,
        looks: toNumber(row.looks) ?? 0,
        checked_at_ms: toNumber(row.checked_at),
        doubted: Number(row.doubted ?? 0n) === 1,
      };

const toCall = ({ id, times, answer_chars, refunded_at, ...row }: StoredCall): CallStory => ({
  ...row,
  id: Number(id),
  at_ms: toMs(id),
  times: Number(times),
  answer_chars: toNumber(answer_chars),
  refunded_at_ms: refunded_at === null ? null : toMs(refunded_at),
});

const toVoucher = ({ id, answer_chars, ...row }: StoredVoucher): VoucherStory => ({
  ...row,
  id: Number(id),
  at_ms: toMs(id),
  answer_chars: toNumber(answer_chars),
});
