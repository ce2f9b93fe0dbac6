import {
  CHANNEL_COLUMNS,
  type ChannelRow,
  type ChannelTotals,
  MOVE_COLUMNS,
  type MoveRow,
  type StoredStep,
} from "./channel-rows.ts";

export interface ChannelQueries {
  get(id: string): ChannelRow | null;
  /** What a voucher of this cumulative amount paid for. */
  findStep(channel: string, signed: bigint): StoredStep | null;
  /** The step with this number, if it is of this channel. */
  step(channel: string, id: number): StoredStep | null;
  /** The deposit or refund with this number. */
  move(id: number): MoveRow | null;
  /** Those whose outcome is open, oldest first. */
  openMoves(limit: number): readonly MoveRow[];
  /** Channels with something to claim: those whose payer withdraws first, then the longest unused. */
  unclaimed(limit: number): readonly ChannelRow[];
  /** Channels that were used since then, ms, or whose payer withdraws: what has to be watched. */
  watched(since_ms: number, limit: number): readonly ChannelRow[];
  /** Channels unused since then, ms, in which payers left so much or more, the longest unused first. */
  idle(before_ms: number, least: bigint, limit: number): readonly ChannelRow[];
  totals(): readonly ChannelTotals[];
}

const WITHDRAWING = "CASE WHEN withdraw_at > 0 THEN 0 ELSE 1 END";

const STEP = `SELECT s.id, s.amount, coalesce(s.allowed, s.amount) AS allowed, s.signed, s.product, s.fingerprint,
    s.voucher_sha256, s.identifier, s.proof, a.body, m.amount AS deposited, m.chain_transaction
  FROM channel_steps s LEFT JOIN answers a ON a.id = s.answer_id LEFT JOIN channel_moves m ON m.id = s.move_id`;

/** `$n` are numbered in both engines. */
export const CHANNEL_SQL = {
  get: `SELECT ${CHANNEL_COLUMNS} FROM channels WHERE id = $1`,
  step: `${STEP} WHERE s.channel = $1 AND s.signed = $2`,
  step_by_id: `${STEP} WHERE s.channel = $1 AND s.id = $2`,
  /** What is stored as the answer of a deposit or refund. */
  move_answer: `SELECT a.body FROM channel_moves m JOIN answers a ON a.id = m.answer_id WHERE m.id = $1`,
  move: `SELECT ${MOVE_COLUMNS} FROM channel_moves WHERE id = $1 AND channel IS NOT NULL`,
  open_moves: `SELECT ${MOVE_COLUMNS} FROM channel_moves WHERE state = 'sending' OR state = 'unknown'
    ORDER BY created_at LIMIT $1`,
  unclaimed: `SELECT ${CHANNEL_COLUMNS} FROM channels WHERE charged - lost > claimed AND open_move IS NULL
    ORDER BY ${WITHDRAWING}, used_at LIMIT $1`,
  watched: `SELECT ${CHANNEL_COLUMNS} FROM channels
    WHERE used_at >= $1 OR withdraw_at > 0 OR charged - lost > claimed ORDER BY ${WITHDRAWING}, synced_at LIMIT $2`,
  idle: `SELECT ${CHANNEL_COLUMNS} FROM channels
    WHERE used_at < $1 AND deposited - refunded - charged + lost >= $2 AND open_move IS NULL AND withdraw_at = 0
      AND lost = 0 AND signature IS NOT NULL ORDER BY used_at LIMIT $3`,
  totals: `SELECT c.network, count(*) AS channels,
      CAST(sum(c.deposited - c.refunded - c.charged + c.lost) AS BIGINT) AS owed,
      CAST(sum(c.charged - c.base - c.lost) AS BIGINT) AS earned,
      CAST(sum(c.charged - c.lost - c.claimed) AS BIGINT) AS unclaimed,
      CAST(-coalesce((SELECT posted FROM accounts WHERE id = 'claimed:' || c.network), 0) AS BIGINT) AS unswept,
      CAST(-coalesce((SELECT posted FROM accounts WHERE id = 'wallet:' || c.network), 0) AS BIGINT) AS swept,
      CAST(sum(c.lost) AS BIGINT) AS lost, sum(CASE WHEN c.withdraw_at > 0 THEN 1 ELSE 0 END) AS withdrawing
    FROM channels c GROUP BY c.network ORDER BY c.network`,
} as const;

export interface StoredTotals extends Omit<ChannelTotals, "channels" | "withdrawing"> {
  readonly channels: bigint;
  readonly withdrawing: bigint;
}

export const toTotals = ({ channels, withdrawing, ...row }: StoredTotals): ChannelTotals => ({
  ...row,
  channels: Number(channels),
  withdrawing: Number(withdrawing),
});
