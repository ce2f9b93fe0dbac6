import type { Promised } from "./promised.ts";

/** Money that came to a wallet without a sale, as the operator explained it. */
export interface Explanation {
  readonly network: string;
  readonly transaction: string;
  /** Its name on the operator's side, such as a page of his own books. */
  readonly reference: string;
  readonly reason: string;
}

export interface ExplainedTransfer extends Explanation {
  readonly at_ms: number;
}

/** The newest that a comparison knows. */
export const EXPLAINED_MAX = 100_000;

export interface ExplainedQueries {
  /** Newest first. */
  list(limit: number): readonly ExplainedTransfer[];
  get(network: string, transaction: string): ExplainedTransfer | null;
}

export interface ExplainedCommands {
  /** Writes down what a transfer is, once; no money moves. @returns false when it was explained before. */
  explain(explanation: Explanation): Promise<boolean>;
}

export type Explained = ExplainedCommands & Promised<ExplainedQueries>;

/** As either engine gives it. */
export interface StoredExplanation extends Explanation {
  readonly at: bigint;
}

export const toExplained = ({ at, ...row }: StoredExplanation): ExplainedTransfer => ({
  ...row,
  at_ms: Number(at / 1000n),
});

const SELECT = `SELECT network, chain_transaction AS "transaction", reference, reason, at FROM explained_transfers`;

/** `$n` are numbered in both engines. */
export const EXPLAINED_SQL = {
  list: `${SELECT} ORDER BY at DESC LIMIT $1`,
  one: `${SELECT} WHERE network = $1 AND chain_transaction = $2`,
} as const;
