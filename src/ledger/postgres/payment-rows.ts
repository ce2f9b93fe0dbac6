import { assertInvariant } from "../../core/errors.ts";
import type { EndState } from "../decide/payments.ts";
import type { NewPayment, PaymentState } from "../payment-row.ts";
import type { ReceiptLabel } from "../receipts.ts";

/** The rows that commands of payments depend on. */
export interface WantedPayments {
  readonly ids: Set<string>;
  readonly replay_keys: Set<string>;
  readonly identifiers: Set<string>;
  /** Payments that are to be settled, and the transactions of the chain that are said to have paid for them. */
  readonly settling: Set<string>;
  readonly transactions: Set<string>;
  /** Payers and the requests they begin to pay for. */
  readonly begun: [payer: string, fingerprint: string][];
}

export const createWantedPayments = (): WantedPayments => ({
  ids: new Set(),
  replay_keys: new Set(),
  identifiers: new Set(),
  settling: new Set(),
  transactions: new Set(),
  begun: [],
});

/** As `lock_payments` takes them; null when no row is wanted. */
export function renderWantedPayments(wanted: WantedPayments): object | null {
  const { ids, replay_keys, identifiers, settling, transactions, begun } = wanted;
  if (ids.size + replay_keys.size + settling.size === 0) return null;
  return {
    ids: [...ids],
    replay_keys: [...replay_keys],
    identifiers: [...identifiers],
    settling: [...settling],
    transactions: [...transactions],
    begun,
  };
}

/** What `lock_payments` answers. */
export interface StoredPayments {
  readonly rows: readonly StoredPayment[] | null;
  readonly paid_for: readonly { chain: string; network: string; payment_id: string }[] | null;
  readonly older: readonly { payer: string; fingerprint: string; id: string }[] | null;
}

interface StoredPayment {
  readonly id: string;
  readonly replay_key: string;
  readonly state: PaymentState;
  readonly network: string;
  readonly amount: string;
  readonly purchase: string | null;
  readonly identifier: string | null;
  readonly receipt_id: string | null;
  /** Whether another node works on it that is there. */
  readonly is_elsewhere: boolean;
}

export interface LockedPayment extends Omit<StoredPayment, "amount"> {
  readonly amount: bigint;
}

/** A payment that is moved to a state, with what is known of it. */
export interface PaymentMoved {
  readonly id: string;
  readonly to: EndState;
  readonly reason?: string | undefined;
  readonly facilitator?: string | undefined;
  readonly hint?: string | undefined;
  /** The clock, microseconds. */
  readonly at: number;
}

interface PaymentKept {
  readonly id: string;
  readonly answer: string;
  readonly identifier: string | null;
  readonly proof: string | null;
  readonly purchase: string | null;
  readonly facilitator: string | null;
  readonly door: string | null;
  /** What is charged, and what was signed for it, where these are two. */
  readonly charged: { readonly amount: bigint; readonly authorized: bigint } | null;
  readonly at: number;
}

interface PaymentSettled {
  readonly id: string;
  readonly chain: string;
  readonly delivered: 0 | 1;
  readonly facilitator: string | null;
  readonly purchase: string | null;
  readonly receipt_id: string;
  readonly transfer_id: number;
  readonly label: ReceiptLabel;
  /** Ledger time, microseconds. */
  readonly settled_at: number;
  /** The clock, microseconds. */
  readonly at: number;
}

/** The payments of a batch, locked in the database, as the commands decided so far leave them. */
export interface PaymentRows {
  get(id: string): LockedPayment | null;
  byReplayKey(replay_key: string): LockedPayment | null;
  byIdentifier(identifier: string): LockedPayment | null;
  /** Another payment that a transaction of the chain paid for. */
  paidFor(payment: Pick<LockedPayment, "id" | "network">, chain: string): string | null;
  /** Payments that other nodes have in flight for a payer and a request. */
  older(payer: string, fingerprint: string): readonly string[];
  begin(id: string, payment: NewPayment, at: number): void;
  restart(id: string, payment: NewPayment, at: number): void;
  move(moved: PaymentMoved): void;
  /** Takes the buyer's own name from a payment that came to nothing. */
  freeIdentifier(id: string): void;
  keep(kept: PaymentKept): void;
  settle(settled: PaymentSettled): void;
  deliver(id: string, delivered: 0 | 1): void;
  /** As `write_payments` takes them. */
  readonly changes: readonly object[];
}

const transactionOf = (network: string, chain: string): string => `${network} ${chain}`;

/** @param stored undefined when no row was asked for. */
export function createPaymentRows(stored: StoredPayments | undefined): PaymentRows {
  const payments = new Map(
    (stored?.rows ?? []).map((row): [string, LockedPayment] => [row.id, { ...row, amount: BigInt(row.amount) }]),
  );
  const paid = new Map(
    (stored?.paid_for ?? []).map(({ network, chain, payment_id }) => [transactionOf(network, chain), payment_id]),
  );
  const changes: object[] = [];
  const change = (id: string, changed: Partial<LockedPayment>): LockedPayment => {
    const known = payments.get(id);
    assertInvariant(known !== undefined, `payment ${id} exists`);
    const after = { ...known, ...changed };
    payments.set(id, after);
    return after;
  };
  const find = (isIt: (payment: LockedPayment) => boolean): LockedPayment | null => {
    for (const payment of payments.values()) if (isIt(payment)) return payment;
    return null;
  };
  return {
    get: (id) => payments.get(id) ?? null,
    byReplayKey: (replay_key) => find((payment) => payment.replay_key === replay_key),
    byIdentifier: (identifier) => find((payment) => payment.identifier === identifier),
    paidFor({ id, network }, chain) {
      const other = paid.get(transactionOf(network, chain));
      return other === undefined || other === id ? null : other;
    },
    older: (payer, fingerprint) =>
      (stored?.older ?? [])
        .filter((other) => other.payer === payer && other.fingerprint === fingerprint)
        .map(({ id }) => id),
    begin(id, payment, at) {
      const { replay_key, network, amount } = payment;
      const nothing = { purchase: null, identifier: null, receipt_id: null, is_elsewhere: false };
      payments.set(id, { id, replay_key, state: "received", network, amount, ...nothing });
      changes.push({ op: "begin", ...payment, id, at });
    },
    restart(id, payment, at) {
      const { amount } = payment;
      change(id, { state: "received", amount, purchase: null, identifier: null, is_elsewhere: false });
      changes.push({ op: "restart", ...payment, id, at });
    },
    move(moved) {
      change(moved.id, { state: moved.to });
      changes.push({ op: "move", ...moved });
    },
    freeIdentifier(id) {
      change(id, { identifier: null });
      changes.push({ op: "free", id });
    },
    keep(kept) {
      const { charged, ...stored } = kept;
      const { id, identifier, purchase } = stored;
      change(id, { state: "settling", identifier, purchase, ...(charged ? { amount: charged.amount } : {}) });
      changes.push({ op: "keep", ...stored, ...charged });
    },
    settle(settled) {
      const { id, chain, purchase, receipt_id } = settled;
      const { network } = change(id, { state: "settled", purchase, receipt_id });
      paid.set(transactionOf(network, chain), id);
      changes.push({ op: "settle", ...settled });
    },
    deliver: (id, delivered) => void changes.push({ op: "deliver", id, delivered }),
    changes,
  };
}
