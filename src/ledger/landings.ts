import type { IncomePeriod, IncomeRow } from "./list-income.ts";
import type { Promised } from "./promised.ts";

/** What the chain says about a settlement that a facilitator reported. */
export type LandingState = "pending" | "confirmed" | "missing";

/** A reported settlement that is to be looked up, with what the chain is asked by. */
export interface Landing {
  readonly receipt_id: string;
  readonly payment_id: string;
  readonly network: string;
  readonly facilitator: string;
  readonly state: LandingState;
  readonly looks: number;
  readonly chain_transaction: string;
  readonly amount: bigint;
  readonly pay_to: string;
  /** The signed payload as canonical JSON. */
  readonly payload: string;
  readonly created_at_ms: number;
  /** When it was reported. */
  readonly settled_at_ms: number;
  readonly doubted: boolean;
}

/** What a look found. */
export interface LandingLook {
  readonly state: LandingState;
  readonly checked_at_ms: number;
  /** When to look again; null is never. */
  readonly due_at_ms: number | null;
  /** The chain does not know it although it should by now. Stays so until it is confirmed. */
  readonly doubted?: boolean;
}

/** One facilitator on one network. */
export interface LandingCounts {
  readonly network: string;
  readonly facilitator: string;
  readonly pending: number;
  readonly confirmed: number;
  /** Booked, and not on the chain. */
  readonly missing: number;
  /** Reported as settled, and found never to have been before it was booked. */
  readonly disbelieved: number;
}

/** Reports of one facilitator on one network that the chain does not bear out. */
export interface LandingDoubts {
  readonly network: string;
  readonly facilitator: string;
  readonly count: number;
}

export interface MissingLanding {
  readonly receipt_id: string;
  readonly payment_id: string;
  readonly network: string;
  readonly facilitator: string;
  readonly chain_transaction: string;
  readonly amount: bigint;
  readonly checked_at_ms: number | null;
}

/** Whether settlements that were reported did land. Every receipt has one of these from its first moment on. */
export interface LandingQueries {
  /** Those whose time has come, oldest first. */
  listDue(network: string, now_ms: number, limit: number): readonly Landing[];
  /** Of all time, or of settlements since the start of the hour of a time (ms). */
  counts(since_ms?: number): readonly LandingCounts[];
  /** Open doubts about settlements since the start of the hour of a time (ms). */
  doubts(since_ms: number): readonly LandingDoubts[];
  /** Newest first. */
  listMissing(limit: number): readonly MissingLanding[];
  /** Payments whose settlement is not known. */
  countUnknown(): number;
  /** What came in through networks in a period of ledger time. */
  listIncome(period: IncomePeriod): readonly IncomeRow[];
}

/** What was found out about them. Each promise resolves when the change is on disk. */
export interface LandingCommands {
  /** Stores the result of a look. A confirmed payment stays confirmed, whatever an endpoint says later. */
  note(receipt_id: string, look: LandingLook): Promise<void>;
  /** Only puts the next look off: nothing was seen. */
  postpone(receipt_id: string, due_at_ms: number): Promise<void>;
  /** The chain itself showed that this payment was taken. */
  confirmPayment(payment_id: string, checked_at_ms: number): Promise<void>;
  /** Counts a report of a settlement that the chain contradicts and that was never booked. */
  countDisbelieved(report: { network: string; facilitator: string; at_ms: number }): Promise<void>;
}

export type Landings = LandingCommands & Promised<LandingQueries>;

export interface DueRow extends Omit<Landing, "looks" | "created_at_ms" | "settled_at_ms" | "doubted"> {
  looks: bigint;
  doubted: bigint;
  created_at: bigint;
  settled_at: bigint;
}

export interface CountRow {
  network: string;
  facilitator: string;
  pending: bigint;
  confirmed: bigint;
  missing: bigint;
  disbelieved: bigint;
}

export interface MissingRow extends Omit<MissingLanding, "checked_at_ms"> {
  checked_at: bigint | null;
}

/** What either engine gives. */
export interface LandingRows {
  readonly due: DueRow;
  readonly counts: CountRow;
  readonly missing: MissingRow;
}

const HOUR_MS = 3_600_000;

export const ALL_TIME = -1;

export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);

export const fromCounts = (row: CountRow): LandingCounts => ({
  network: row.network,
  facilitator: row.facilitator,
  pending: Number(row.pending),
  confirmed: Number(row.confirmed),
  missing: Number(row.missing),
  disbelieved: Number(row.disbelieved),
});

export const fromDueRow = ({ looks, created_at, settled_at, doubted, ...rest }: DueRow): Landing => ({
  ...rest,
  looks: Number(looks),
  created_at_ms: Math.floor(Number(created_at) / 1000),
  doubted: doubted === 1n,
  settled_at_ms: Math.floor(Number(settled_at) / 1000),
});
