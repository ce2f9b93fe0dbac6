import type { Database } from "bun:sqlite";

/** A task of the A2A door, as text. */
interface TaskRow {
  readonly id: string;
  readonly client: string;
  readonly paid: boolean;
  readonly at_ms: number;
  readonly body: string;
}

/** Tasks are a convenience of the door that made them: what was paid for is in the ledger. */
export interface TaskRows {
  get(id: string): string | null;
  /** Makes or replaces one. Unpaid tasks have to go first, and before that the oldest of who has too many. */
  put(row: TaskRow): void;
  /** Drops what was not changed since. */
  prune(before_ms: number): void;
}

export interface TaskLimits {
  readonly rows: number;
  readonly chars: number;
  /** Unpaid tasks of one client. */
  readonly per_client: number;
}

const LIMITS: TaskLimits = { rows: 20_000, chars: 200_000_000, per_client: 500 };

/** Older files get it too, and older versions of the node do not mind it. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY,
    client TEXT NOT NULL,
    paid INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    chars INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS tasks_by_worth ON tasks (paid, at_ms);
  CREATE INDEX IF NOT EXISTS tasks_by_client ON tasks (client, paid, at_ms);
`;

export function createTaskRows(db: Database, limits: TaskLimits = LIMITS): TaskRows {
  db.run(SCHEMA);
  const select = db.query<{ body: string }, [string]>("SELECT body FROM tasks WHERE id = ?");
  const insert = db.query<unknown, [string, string, number, number, number, string]>(
    `INSERT INTO tasks (id, client, paid, at_ms, chars, body) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE
     SET paid = excluded.paid, at_ms = excluded.at_ms, chars = excluded.chars, body = excluded.body`,
  );
  const size = db.query<{ chars: number }, [string]>("SELECT chars FROM tasks WHERE id = ?");
  const sum = db.query<{ rows: number; chars: number }, []>(
    "SELECT count(*) AS rows, coalesce(sum(chars), 0) AS chars FROM tasks",
  );
  const crowd = db.query<{ id: string }, [string, number]>(
    "SELECT id FROM tasks WHERE client = ? AND paid = 0 ORDER BY at_ms DESC LIMIT -1 OFFSET ?",
  );
  const least = db.query<{ id: string }, [string]>("SELECT id FROM tasks WHERE id <> ? ORDER BY paid, at_ms LIMIT 1");
  const remove = db.query<unknown, [string]>("DELETE FROM tasks WHERE id = ?");
  const prune = db.query<unknown, [number]>("DELETE FROM tasks WHERE at_ms < ?");
  let total = sum.get() ?? { rows: 0, chars: 0 };

  const drop = (id: string): void => {
    total = { rows: total.rows - 1, chars: total.chars - (size.get(id)?.chars ?? 0) };
    remove.run(id);
  };
  const put = db.transaction(({ id, client, paid, at_ms, body }: TaskRow) => {
    const before = size.get(id)?.chars;
    insert.run(id, client, paid ? 1 : 0, at_ms, body.length, body);
    total = {
      rows: total.rows + (before === undefined ? 1 : 0),
      chars: total.chars + body.length - (before ?? 0),
    };
    if (!paid) for (const row of crowd.all(client, limits.per_client)) drop(row.id);
    while (total.rows > limits.rows || total.chars > limits.chars) {
      const row = least.get(id);
      if (!row) break;
      drop(row.id);
    }
  });
  return {
    get: (id) => select.get(id)?.body ?? null,
    put(row) {
      try {
        put.immediate(row);
      } catch (error) {
        total = sum.get() ?? total;
        throw error;
      }
    },
    prune(before_ms) {
      prune.run(Math.floor(before_ms));
      total = sum.get() ?? total;
    },
  };
}
