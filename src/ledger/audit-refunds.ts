/** Rules of what was sent back by hand, in the form of `audit-rules.ts`. */
export const REFUNDS = [
  {
    rule: "I5",
    what: "refund by hand that is not one transfer of its amount to the network of its sale",
    sql: `SELECT g.id FROM given_back g LEFT JOIN receipts r ON r.id = g.receipt_id LEFT JOIN transfers t ON t.id = g.id
          WHERE t.kind IS DISTINCT FROM 'correction' OR t.amount IS DISTINCT FROM g.amount
             OR t.source IS DISTINCT FROM 'revenue:refunds' OR t.target IS DISTINCT FROM 'chain:' || r.network
             OR t.reference IS DISTINCT FROM 'refund:' || g.reference`,
  },
  {
    rule: "I5",
    what: "transfer out of the refunds that is no refund by hand",
    sql: `SELECT t.id FROM transfers t LEFT JOIN given_back g ON g.id = t.id
          WHERE (t.source = 'revenue:refunds' OR t.target = 'revenue:refunds') AND g.id IS NULL`,
  },
  {
    rule: "I5",
    what: "sale of which more was sent back than was paid",
    sql: `SELECT r.id FROM receipts r JOIN (
            SELECT receipt_id, sum(amount) AS amount FROM given_back GROUP BY receipt_id) g ON g.receipt_id = r.id
          WHERE g.amount > r.amount`,
  },
] as const;
