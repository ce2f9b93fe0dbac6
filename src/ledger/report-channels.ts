/** What became of channels' money: in the period, and for `owed`, what is still the payers' at its end. */
type ChannelMove = "deposited" | "earned" | "claimed" | "swept" | "returned" | "lost" | "owed";

/** `count`: transfers; of `owed`, channels that hold something. */
export interface ChannelReportRow {
  readonly network: string;
  readonly move: ChannelMove;
  readonly count: number;
  /** Atomic USDC. */
  readonly amount: bigint;
}

/** Transfers of a kind, by the network that one side of them names. */
const ofKind = (move: ChannelMove, kind: string, [side, place]: readonly ["source" | "target", string]): string =>
  `SELECT substr(${side}, ${place.length + 1}) AS network, '${move}' AS move, amount FROM transfers
   WHERE kind = '${kind}' AND ${side} LIKE '${place}%' AND id >= $from AND id < $until`;

/** In what SQLite and PostgreSQL both understand. `$from` and `$until`: microseconds. */
export const CHANNEL_REPORT = `SELECT network, move, count(*) AS count, CAST(sum(amount) AS BIGINT) AS amount FROM (
  ${ofKind("deposited", "deposit", ["source", "escrow:"])}
  UNION ALL ${ofKind("claimed", "claim", ["source", "claimed:"])}
  UNION ALL ${ofKind("swept", "sweep", ["source", "wallet:"])}
  UNION ALL ${ofKind("returned", "return", ["target", "escrow:"])}
  UNION ALL ${ofKind("lost", "loss", ["target", "escrow:"])}
  UNION ALL SELECT c.network, 'earned', t.amount FROM transfers t JOIN channels c ON 'channel:' || c.id = t.source
    WHERE t.kind = 'voucher' AND t.id >= $from AND t.id < $until
  UNION ALL SELECT network, 'owed', amount FROM (
    SELECT c.network, sum(p.amount) AS amount FROM postings p JOIN channels c ON 'channel:' || c.id = p.account_id
    WHERE p.transfer_id < $until GROUP BY c.id, c.network) AS balances WHERE amount <> 0
) AS moves GROUP BY network, move ORDER BY network, move`;
