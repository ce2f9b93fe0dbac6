import type { Promised } from "./promised.ts";

/** `operator-test` when the payer is the operator himself (a configured address, or the receiving wallet). */
export type ReceiptLabel = "organic" | "operator-test";

/** The public record of one settlement. Holds no parameter of the call. */
export interface ReceiptRow {
  readonly seq: number;
  readonly id: string;
  readonly network: string;
  readonly chain_transaction: string;
  readonly product: string;
  readonly asset: string;
  readonly amount: bigint;
  /** The most that the payer signed for, where he signed for at most an amount; null where he signed for the amount. */
  readonly authorized: bigint | null;
  readonly payer: string;
  readonly pay_to: string;
  readonly label: ReceiptLabel;
  readonly settled_at_ms: number;
  /** SHA-256 of the request and of the answer's stored bytes; null for what was sold before they were kept. */
  readonly request_sha256: string | null;
  readonly response_sha256: string | null;
  /** Which of several nodes sold it; null when there was one. */
  readonly node: string | null;
  /** Whether the chain has it; null when it was never asked. */
  readonly on_chain: OnChain | null;
}

/** The facts of a sale that x402's own receipt contains. */
export type OfficialFacts = Pick<
  ReceiptRow,
  "id" | "network" | "product" | "payer" | "chain_transaction" | "settled_at_ms"
>;

export type OnChain = "pending" | "confirmed" | "missing";

export interface ReceiptFilter {
  readonly limit: number;
  /** Receipts older than this sequence number. */
  readonly before_seq?: number | undefined;
  readonly label?: string | undefined;
  readonly network?: string | undefined;
  readonly product?: string | undefined;
  /** Receipts that are looked at: PAGE_LOOKS_MAX unless given. */
  readonly looks_max?: number;
}

/** What the payer of a receipt `r` signed for. */
export const SIGNED_FOR = "(SELECT p.authorized FROM payments p WHERE p.id = r.payment_id) AS authorized";

/** A part of the list. More may follow though it is short: what others asked for was looked past. */
export interface ReceiptPage {
  readonly rows: readonly ReceiptRow[];
  /** `before_seq` of the next part; null where nothing follows. */
  readonly next_before: number | null;
}

/** So many receipts are looked at for one page, so that a filter that meets few of them reads no whole table. */
export const PAGE_LOOKS_MAX = 10_000;

/** What was sold. */
export interface ReceiptQueries {
  get(id: string): ReceiptRow | null;
  /**
   * Whether money for a payment moved, or may have. Reads what is written, which is enough: a payment is on disk as
   * settling before a facilitator is asked to settle it.
   */
  mayBeCharged(replay_key: string): boolean;
  /** By what a signed receipt names: the newest receipt of a transaction. */
  findByTransaction(network: string, chain_transaction: string): ReceiptRow | null;
  /** By the SHA-256 of an answer's bytes: its earliest sale from a time (ms) on. */
  findByAnswer(response_sha256: string, from_ms: number): ReceiptRow | null;
  /** Newest first. */
  list(filter: Pick<ReceiptFilter, "limit" | "before_seq">): readonly ReceiptRow[];
  /** Newest first, of those that meet the filter. */
  page(filter: ReceiptFilter): ReceiptPage;
  /** Counts and sums, of receipts settled since the start of the hour of a time (ms) or of all. */
  totals(since_ms?: number): Readonly<Record<ReceiptLabel, { count: number; amount: bigint }>>;
  /** What one address paid, as receipts say; of one with more than 5,000 receipts only so many are counted. */
  totalsOf(payer: string): PayerTotals;
  /** Settlement time of the newest receipt per product, ms. */
  lastByProduct(): ReadonlyMap<string, number>;
}

export interface PayerTotals {
  readonly count: number;
  readonly amount: bigint;
  readonly products: number;
  readonly first_ms: number | null;
  readonly last_ms: number | null;
  readonly is_capped: boolean;
}

export const PAYER_RECEIPTS_MAX = 5_000;

export type Receipts = Promised<ReceiptQueries>;

export interface StoredReceipt {
  seq: bigint;
  id: string;
  network: string;
  chain_transaction: string;
  product: string;
  asset: string;
  amount: bigint;
  authorized: bigint | null;
  payer: string;
  pay_to: string;
  label: ReceiptLabel;
  settled_at: bigint;
  request_sha256: string | null;
  response_sha256: string | null;
  node: string | null;
  on_chain: OnChain | null;
}

export interface PayerRow {
  count: bigint;
  amount: bigint;
  products: bigint;
  first: bigint | null;
  last: bigint | null;
}

/** What either engine gives. */
export interface ReceiptRows {
  readonly receipt: StoredReceipt;
  readonly payer: PayerRow;
}

const toMs = (us: bigint | null | undefined): number | null =>
  us === null || us === undefined ? null : Math.floor(Number(us) / 1000);

export const fromReceiptRow = ({ seq, settled_at, ...rest }: StoredReceipt): ReceiptRow => ({
  ...rest,
  seq: Number(seq),
  settled_at_ms: Math.floor(Number(settled_at) / 1000),
});

export function toTotalsOf(row: PayerRow | null): PayerTotals {
  const count = Number(row?.count ?? 0n);
  return {
    count,
    amount: row?.amount ?? 0n,
    products: Number(row?.products ?? 0n),
    first_ms: toMs(row?.first),
    last_ms: toMs(row?.last),
    is_capped: count === PAYER_RECEIPTS_MAX,
  };
}

/** @param last_seq of the last receipt that was looked at; undefined where all were. */
export function toReceiptPage(
  stored: readonly StoredReceipt[],
  { limit, last_seq }: { readonly limit: number; readonly last_seq: bigint | undefined },
): ReceiptPage {
  const rows = stored.slice(0, limit).map(fromReceiptRow);
  const is_more = stored.length > limit;
  return { rows, next_before: is_more ? (rows.at(-1)?.seq ?? null) : last_seq === undefined ? null : Number(last_seq) };
}
