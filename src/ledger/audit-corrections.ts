/** Rules of what the operator corrected by hand, in the form of `audit-rules.ts`. */
export const CORRECTIONS = [
  {
    rule: "I5",
    what: "correction that is not one transfer of its amount between the corrections and the network of its sale",
    sql: `SELECT c.id FROM corrections c LEFT JOIN receipts r ON r.id = c.receipt_id
            LEFT JOIN transfers t ON t.id = c.id
          WHERE c.amount <> 0 AND (t.kind IS DISTINCT FROM 'correction'
             OR t.amount IS DISTINCT FROM CASE WHEN c.amount > 0 THEN c.amount ELSE -c.amount END
             OR t.reference IS DISTINCT FROM 'correct:' || c.reference
             OR CASE WHEN c.amount > 0 THEN t.source ELSE t.target END IS DISTINCT FROM 'revenue:corrections'
             OR CASE WHEN c.amount > 0 THEN t.target ELSE t.source END IS DISTINCT FROM 'chain:' || r.network)`,
  },
  {
    rule: "I5",
    what: "transfer from or to the corrections that is no correction",
    sql: `SELECT t.id FROM transfers t LEFT JOIN corrections c ON c.id = t.id
          WHERE (t.source = 'revenue:corrections' OR t.target = 'revenue:corrections') AND c.id IS NULL`,
  },
  {
    rule: "I5",
    what: "correction after which something else came in than it says",
    sql: `SELECT c.id FROM corrections c JOIN receipts r ON r.id = c.receipt_id
          WHERE c.received > r.amount OR c.received <> r.amount - (
            SELECT sum(e.amount) FROM corrections e WHERE e.receipt_id = c.receipt_id AND e.id <= c.id)`,
  },
] as const;
