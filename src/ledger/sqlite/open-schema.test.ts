import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrateLedger } from "./migrate.ts";

const openNew = (): Database => {
  const db = new Database(":memory:", { safeIntegers: true, strict: true });
  migrateLedger(db, { file: ":memory:", readonly: false });
  return db;
};

// SQLite makes a table in memory for each of them, with each row that is written.
test.each(["transfers", "calls", "payments", "receipts", "landings", "landing_counts", "receipt_hours"])(
  "no rule of %s and its indexes is a list of more than two values",
  (table) => {
    const db = openNew();
    const sql = db.query<{ sql: string }, [string]>(
      "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('table', 'index') AND sql IS NOT NULL",
    );
    const lists = sql
      .all(table)
      .flatMap((one) => [...one.sql.matchAll(/IN \(([^)]*)\)/g)].map((found) => found[1] ?? ""));
    expect(lists.filter((list) => list.split(",").length > 2)).toEqual([]);
  },
);

test("the sale of an answer is found by its hash without reading another", () => {
  const plan = openNew().query<{ detail: string }, []>(
    `EXPLAIN QUERY PLAN SELECT * FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id
     WHERE response_sha256 = +? AND settled_at >= +? ORDER BY settled_at LIMIT 1`,
  );
  expect(plan.all().map(({ detail }) => detail)).toEqual([
    "SEARCH r USING INDEX receipts_by_answer (response_sha256=? AND settled_at>?)",
    expect.stringContaining("SEARCH l USING PRIMARY KEY"),
  ]);
});

test("what is in flight is found at a start without reading every payment", () => {
  const db = openNew();
  const plans = ["state = 'received' OR state = 'verified' OR state = 'producing'", "state = 'settling'"].map((which) =>
    db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN UPDATE payments SET state = 'x' WHERE ${which}`).get(),
  );
  expect(plans.map((plan) => plan?.detail)).toEqual([
    "SCAN payments USING INDEX payments_running",
    "SCAN payments USING INDEX payments_settling",
  ]);
});
