import { Database } from "bun:sqlite";
import type { FetchContext } from "../../src/catalog/context.ts";
import type { AnyTable } from "../../src/catalog/table.ts";
import { createTableStore } from "../../src/stores/table-store.ts";

/** How SQLite goes about each statement that reading a table of some rows brings, a line for each step. */
export async function listPlans(
  { table, rows = [] }: { readonly table: AnyTable; readonly rows?: readonly Readonly<Record<string, unknown>>[] },
  read: (context: Pick<FetchContext, "table" | "inTurn">) => Promise<unknown>,
): Promise<readonly string[]> {
  const db = new Database(":memory:");
  const store = createTableStore({ kept: db, disposable: db });
  store.add(table.name.split("/")[0] ?? "", table);
  await store.open(table).insert(rows);
  const asked: string[] = [];
  const query = db.query.bind(db);
  db.query = ((sql: string) => {
    asked.push(sql);
    return query(sql);
  }) as typeof db.query;
  await read({ table: () => store.open(table), inTurn: async (piece) => piece() } as Pick<
    FetchContext,
    "table" | "inTurn"
  >);
  const steps = asked.flatMap((sql) => query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all());
  db.close();
  return steps.map(({ detail }) => detail);
}
