/** One movement on a balance, or the calls of a pass in one minute. Amounts in atomic USDC, times in ms. */
export interface StatementLine {
  /** Ledger time, microseconds. */
  readonly id: number;
  readonly at_ms: number;
  readonly kind: "grant" | "call" | "refund" | "expiry";
  /** Public id of the key: of the child, for what a child called. */
  readonly key: string;
  readonly product: string | null;
  readonly access: "debit" | "pass" | null;
  /** Number of calls on this line: those of a pass are added up by the minute. 0 for a line that is not a call. */
  readonly times: number;
  /** Above 0: the balance went up. */
  readonly change: bigint;
  /** The balance after this line. */
  readonly balance: bigint;
  /** A call that was given back since. */
  readonly refunded: boolean;
  /** Grants only: the plan, what was paid for it, and by which payment. */
  readonly plan: string | null;
  readonly paid: bigint | null;
  readonly payment_id: string | null;
}

export interface StatementPage {
  readonly opening: bigint;
  readonly closing: bigint;
  /** Newest first. */
  readonly lines: readonly StatementLine[];
  /** What to ask for next, as `before`; null on the last page. */
  readonly next_before: number | null;
}

export interface StatementOf {
  readonly key_id: number;
  /** The account drawn on; null when there never was one. */
  readonly account: string | null;
  /** A child key draws on its parent's account. */
  readonly is_child: boolean;
}

/** A line as either engine gives it. */
export interface StatementRow {
  id: bigint;
  kind: StatementLine["kind"];
  key: string;
  product: string | null;
  access: "debit" | "pass" | null;
  times: bigint;
  change: bigint;
  refunded: bigint;
  plan: string | null;
  paid: bigint | null;
  payment_id: string | null;
}

/** Reads balances back from the last one. `rows`: one more than `limit` when there is another page. */
export function readPage(
  rows: readonly StatementRow[],
  { closing, limit }: { readonly closing: bigint; readonly limit: number },
): StatementPage {
  const newest = [...rows].sort((a, b) => Number(b.id - a.id));
  let balance = closing;
  const lines = newest.slice(0, limit).map((row): StatementLine => {
    const after = balance;
    balance -= row.change;
    const id = Number(row.id);
    const { times, refunded, ...rest } = row;
    const at_ms = Math.floor(id / 1000);
    return { ...rest, id, at_ms, times: Number(times), balance: after, refunded: refunded === 1n };
  });
  return { opening: balance, closing, lines, next_before: newest.length > limit ? (lines.at(-1)?.id ?? null) : null };
}
