/** One rule, in the form of `audit-rules.ts`. */
interface ChannelRule {
  readonly rule: "I12";
  readonly what: string;
  readonly sql: string;
}

const sumBy = (what: string): string => `(SELECT network, sum(${what}) AS amount FROM channels GROUP BY network) c`;

/** A place of the money of channels holds what the channels of its network say. */
const placeRule = (kind: "escrow" | "claimed", what: string, sum: string): ChannelRule => ({
  rule: "I12",
  what,
  sql: `SELECT coalesce(a.id, '${kind}:' || c.network) AS id
        FROM (SELECT id, substr(id, ${kind.length + 2}) AS network, posted FROM accounts WHERE kind = '${kind}') a
        FULL JOIN ${sumBy(sum)} ON c.network = a.network
        LEFT JOIN accounts w ON w.id = 'wallet:' || coalesce(c.network, a.network)
        WHERE -coalesce(a.posted, 0) <> coalesce(c.amount, 0)${kind === "claimed" ? " + coalesce(w.posted, 0)" : ""}`,
});

/**
 * I12: of each channel claimed <= charged <= signed, and charged <= its balance; what it owes its payer, what it
 * earned and where its money is are the sums of its transfers; each voucher was accepted once, and paid for one
 * answer.
 */
export const CHANNELS: readonly ChannelRule[] = [
  {
    rule: "I12",
    what: "channel that is charged or claimed beyond what was signed, or what it holds",
    sql: `SELECT id FROM channels WHERE NOT (base >= 0 AND lost >= 0 AND refunded >= 0 AND base <= claimed
            AND claimed <= charged - lost AND charged <= signed AND charged - lost <= deposited - refunded
            AND (signature IS NOT NULL OR signed = base))`,
  },
  {
    rule: "I12",
    what: "channel whose account is not what its payer still has in it",
    sql: `SELECT c.id FROM channels c LEFT JOIN accounts a ON a.id = 'channel:' || c.id
          WHERE coalesce(a.posted, 0) <> c.deposited - c.refunded - c.charged + c.lost`,
  },
  {
    rule: "I12",
    what: "account of a channel that is not there",
    sql: `SELECT a.id FROM accounts a LEFT JOIN channels c ON a.id = 'channel:' || c.id
          WHERE a.kind = 'channel' AND c.id IS NULL AND a.posted <> 0`,
  },
  {
    rule: "I12",
    what: "channel that earned something else than the sum of its steps",
    sql: `SELECT c.id FROM channels c LEFT JOIN
            (SELECT channel, sum(amount) AS amount, max(signed) AS signed FROM channel_steps GROUP BY channel) s
            ON s.channel = c.id
          WHERE coalesce(s.amount, 0) <> c.charged - c.base OR coalesce(s.signed, 0) > c.signed`,
  },
  {
    rule: "I12",
    what: "step that does not go on from the one before it, or whose channel is not there",
    // Charged before it: its voucher less what that allowed. Charged after it: that and its amount.
    sql: `SELECT s.id FROM (SELECT id, channel, amount, coalesce(allowed, amount) AS allowed,
              signed - coalesce(allowed, amount) AS before,
              lag(signed - coalesce(allowed, amount) + amount, 1, CAST(0 AS BIGINT))
                OVER (PARTITION BY channel ORDER BY id) AS charged
            FROM channel_steps) AS s LEFT JOIN channels c ON c.id = s.channel
          WHERE c.id IS NULL OR s.before < s.charged OR s.amount > s.allowed`,
  },
  {
    rule: "I12",
    what: "step without its transfer, or transfer without its step",
    sql: `SELECT coalesce(s.id, t.id) AS id FROM channel_steps s
            FULL JOIN (SELECT id, reference, source, amount FROM transfers WHERE kind = 'voucher') t ON t.id = s.id
          WHERE s.id IS NULL OR t.id IS NULL OR t.amount <> s.amount OR t.reference <> s.product
             OR t.source <> 'channel:' || s.channel`,
  },
  placeRule("escrow", "escrow that is not what channels hold unclaimed", "deposited - refunded - claimed"),
  placeRule("claimed", "claimed money that is not what was claimed less what was swept", "claimed - base"),
  {
    rule: "I12",
    what: "sweep that is not one transfer to the wallet",
    sql: `SELECT network AS id FROM (
            SELECT network, amount FROM channel_moves WHERE kind = 'sweep'
            UNION ALL SELECT substr(source, 8), -amount FROM transfers WHERE kind = 'sweep') AS both_sides
          GROUP BY network HAVING sum(amount) <> 0`,
  },
  {
    rule: "I12",
    what: "open move of a channel that does not name it, or names another",
    sql: `SELECT coalesce(c.id, m.channel) AS id FROM (SELECT id, open_move FROM channels WHERE open_move IS NOT NULL) c
            FULL JOIN (SELECT id, channel FROM channel_moves WHERE state IN ('sending', 'unknown')) m
            ON m.id = c.open_move AND m.channel = c.id
          WHERE c.id IS NULL OR m.id IS NULL`,
  },
];
