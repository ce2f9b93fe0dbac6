import type { BookedSale, Kept, NewPayment, PaymentRow, SettledPayment } from "./payment-row.ts";
import type { UpkeepCommands, UpkeepQueries } from "./payment-upkeep.ts";
import type { Promised } from "./promised.ts";

export type PaymentStart =
  | {
      readonly started: true;
      readonly id: string;
      /** Payments that other nodes have in flight for the same payer and request. */
      readonly older?: readonly string[];
      /** False when, of what was written when it began, no payment of this payer for this request can matter. */
      readonly has_earlier?: boolean;
    }
  | { readonly started: false; readonly payment: PaymentRow };

export interface BeginOptions {
  /** Only payments that are open or were never handed over matter to it, and no sale its buyer got. */
  readonly may_repeat?: boolean;
}

/** What is known of a settlement whose outcome is not. */
export interface UnknownSettlement {
  readonly transaction?: string | undefined;
  readonly facilitator?: string | undefined;
}

/** What is read of payments. */
export interface PaymentQueries extends UpkeepQueries {
  /** As far as it is written: `find` sees what waits to be, too. */
  findByReplayKey(replay_key: string): PaymentRow | null;
  get(id: string): PaymentRow | null;
  /** By the hash of payer and identifier. */
  findByIdentifier(identifier: string): PaymentRow | null;
  /** Payments of a payer whose outcome is not known and that can still be taken. */
  countOpen(payer: string): number;
  /**
   * The payment of this payer for this request that may already have paid for it: one whose outcome is open, except
   * those that can no longer be taken and were passed over by a later sale; else what was sold last.
   */
  findEarlier(payer: string, fingerprint: string, not_id: string): PaymentRow | null;
}

/** The durable half of the payment state machine. Each promise resolves only when the change is on disk. */
export interface PaymentCommands extends UpkeepCommands {
  /**
   * Takes a payment in by its replay key. Ended attempts (rejected, abandoned, settle_failed) restart. The caller makes
   * sure that one replay key is begun once at a time. Does not wait for the disk: the row is there at the latest with
   * `keepAnswer`, because until then there is nothing to lose.
   * @throws NodeError ledger_unavailable while the ledger refuses writes.
   */
  begin(payment: NewPayment, more?: BeginOptions): Promise<PaymentStart>;
  /** By its replay key; sees what was begun or dropped and waits to be written. */
  find(replay_key: string): Promise<PaymentRow | null>;
  /** Ends an attempt in which nothing was charged. Nobody need wait; never rejects. */
  drop(id: string, replay_key: string, end: { state: "rejected" | "abandoned"; reason: string }): Promise<void>;
  /** Ends a payment whose settlement was tried. */
  end(id: string, state: "abandoned" | "settle_failed", reason: string): Promise<void>;
  /**
   * For a payment in flight without a call, as a failed disk leaves it: before `settling` nothing was charged, and
   * it becomes `abandoned`; from then on the chain decides, and it becomes `unknown`. One that has moved on does not
   * change.
   * @returns the row afterwards; null when there is no such payment.
   */
  wake(id: string): Promise<PaymentRow | null>;
  /**
   * Stores the answer before money moves, so that it survives whatever happens next.
   * @throws NodeError identifier_conflict when another payment has the identifier.
   */
  keepAnswer(id: string, answer: string, kept?: Kept): Promise<void>;
  markUnknown(id: string, reason: string, known?: UnknownSettlement): Promise<void>;
  /**
   * One commit: settled, the transfer, the receipt, and what was bought.
   * @returns null when this chain transaction paid for another payment: then it is `unknown`.
   */
  settle(id: string, settled: SettledPayment): Promise<BookedSale | null>;
  markDelivered(id: string): Promise<void>;
  markUndelivered(id: string): Promise<void>;
}

export type PaymentBooks = PaymentCommands & Promised<PaymentQueries>;

/** Payments as callers see them. */
export interface Payments extends Omit<PaymentBooks, "begin"> {
  /** As the books do it; who began learns whether he has to look for earlier payments. */
  begin(payment: NewPayment, more?: BeginOptions): Promise<Started | Exclude<PaymentStart, { started: true }>>;
}

export interface Started extends Extract<PaymentStart, { started: true }> {
  /**
   * Whether an earlier payment of this payer for this request may have paid for it already, as of now: only then need
   * `findEarlier` be asked.
   */
  readonly mayHaveEarlier: () => boolean;
}

/** Commands of one thread, and what a flush does first. */
export interface OwnPaymentCommands extends PaymentCommands {
  /** Queues the rows of payments that do not have one yet. */
  writeBegun(): void;
}
