import type { Database } from "bun:sqlite";
import type { WatchEvent, WatchHook, WatchHookRows } from "../watches/types.ts";

/** Older files get it too, and older versions of the node do not mind it. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS watch_hooks (
    watch TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    earlier_secret TEXT,
    earlier_until_ms INTEGER NOT NULL DEFAULT 0,
    delivered_seq INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_ms INTEGER,
    last_error TEXT,
    is_parked INTEGER NOT NULL DEFAULT 0,
    form TEXT NOT NULL DEFAULT 'event',
    headers TEXT NOT NULL DEFAULT '{}'
  ) STRICT;
  CREATE INDEX IF NOT EXISTS watch_hooks_by_wait ON watch_hooks (next_ms) WHERE next_ms IS NOT NULL;
  CREATE TRIGGER IF NOT EXISTS watch_hooks_wake AFTER INSERT ON watch_events BEGIN
    UPDATE watch_hooks SET next_ms = new.at_ms WHERE watch = new.watch AND next_ms IS NULL AND is_parked = 0;
  END;
  CREATE TRIGGER IF NOT EXISTS watch_hooks_go AFTER DELETE ON watches BEGIN
    DELETE FROM watch_hooks WHERE watch = old.id;
  END;
`;

const ERROR_CHARS_MAX = 300;
const FAILING_MAX = 1_000;

/** Where events of watches are sent; beside the watches, so that an event and its delivery are one commit. */
export function createWatchHooks(db: Database): WatchHookRows {
  db.run(SCHEMA);
  addColumns(db);
  const sql = prepare(db);
  return {
    setHook: (watch, { url, secret, form = "event", headers = {} }) =>
      void sql.set.run({ watch, url, secret, form, headers: JSON.stringify(headers) }),
    dropHook: (watch) => void sql.drop.run({ watch }),
    hook(watch) {
      const row = sql.get.get({ watch });
      if (row === null) return null;
      const headers = JSON.parse(row.headers) as WatchHook["headers"];
      return { ...row, headers, is_parked: row.is_parked === 1 };
    },
    dueHooks: (now_ms, limit) => sql.due.all({ now_ms, limit }).map(({ watch }) => watch),
    nextWait: () => sql.next_wait.get()?.next_ms ?? null,
    nextEvent: (watch, after) => sql.next_event.get({ watch, after }),
    noteDelivered: (watch, seq) => void sql.delivered.run({ watch, seq }),
    noteIdle: (watch) => void sql.idle.run({ watch }),
    noteRefused: (watch, { error, next_ms }) =>
      void sql.refused.run({ watch, error: error.slice(0, ERROR_CHARS_MAX), next_ms }),
    unpark: (watch, now_ms) => void sql.unpark.run({ watch, now_ms }),
    replaceSecret: (watch, secret, earlier_until_ms) => void sql.replace.run({ watch, secret, earlier_until_ms }),
    hookTotals: () => sql.totals.get() ?? { hooks: 0, parked: 0 },
    troubles: () => ({ used: sql.used.get()?.used ?? 0, failing: sql.failing.all() }),
  };
}

const ADDED_COLUMNS = {
  form: "TEXT NOT NULL DEFAULT 'event'",
  headers: "TEXT NOT NULL DEFAULT '{}'",
} as const;

/** Files of before have no forms. All at once, each where it is missing: a node may have died after the first. */
function addColumns(db: Database): void {
  const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('watch_hooks')");
  db.transaction(() => {
    const there = new Set(columns.all().map(({ name }) => name));
    for (const [name, type] of Object.entries(ADDED_COLUMNS)) {
      if (!there.has(name)) db.run(`ALTER TABLE watch_hooks ADD COLUMN ${name} ${type}`);
    }
  }).immediate();
}

type Row = Omit<WatchHook, "is_parked" | "headers"> & { readonly is_parked: number; readonly headers: string };

const prepare = (db: Database) => ({
  set: db.query(
    `INSERT INTO watch_hooks (watch, url, secret, form, headers, delivered_seq) VALUES ($watch, $url, $secret, $form,
       $headers, coalesce((SELECT last_seq FROM watches WHERE id = $watch), 0))
     ON CONFLICT DO UPDATE SET url = excluded.url, secret = excluded.secret, form = excluded.form,
       headers = excluded.headers, earlier_secret = NULL, attempts = 0, is_parked = 0, last_error = NULL`,
  ),
  drop: db.query("DELETE FROM watch_hooks WHERE watch = $watch"),
  get: db.query<Row, { watch: string }>(
    `SELECT url, secret, earlier_secret, earlier_until_ms, delivered_seq, attempts, next_ms, last_error, is_parked,
       form, headers FROM watch_hooks WHERE watch = $watch`,
  ),
  due: db.query<{ watch: string }, { now_ms: number; limit: number }>(
    "SELECT watch FROM watch_hooks WHERE next_ms <= $now_ms ORDER BY next_ms LIMIT $limit",
  ),
  next_wait: db.query<{ next_ms: number | null }, []>(
    "SELECT min(next_ms) AS next_ms FROM watch_hooks WHERE next_ms IS NOT NULL",
  ),
  next_event: db.query<WatchEvent, { watch: string; after: number }>(
    "SELECT seq, at_ms, body FROM watch_events WHERE watch = $watch AND seq > $after ORDER BY seq LIMIT 1",
  ),
  delivered: db.query(
    "UPDATE watch_hooks SET delivered_seq = $seq, attempts = 0, last_error = NULL WHERE watch = $watch",
  ),
  // An event that came meanwhile is still to be sent.
  idle: db.query(
    `UPDATE watch_hooks SET next_ms = NULL WHERE watch = $watch AND NOT EXISTS
       (SELECT 1 FROM watch_events e WHERE e.watch = $watch AND e.seq > watch_hooks.delivered_seq)`,
  ),
  refused: db.query(
    `UPDATE watch_hooks SET attempts = attempts + 1, next_ms = $next_ms, last_error = $error,
       is_parked = $next_ms IS NULL WHERE watch = $watch`,
  ),
  unpark: db.query(
    "UPDATE watch_hooks SET is_parked = 0, attempts = 0, next_ms = $now_ms WHERE watch = $watch AND is_parked = 1",
  ),
  replace: db.query(
    `UPDATE watch_hooks SET earlier_secret = secret, secret = $secret, earlier_until_ms = $earlier_until_ms
     WHERE watch = $watch`,
  ),
  used: db.query<{ used: number }, []>(
    "SELECT count(*) AS used FROM watch_hooks WHERE delivered_seq > 0 OR attempts > 0",
  ),
  failing: db.query<{ url: string; last_error: string | null }, []>(
    `SELECT url, last_error FROM watch_hooks WHERE attempts > 1 OR is_parked = 1
     ORDER BY next_ms DESC LIMIT ${FAILING_MAX}`,
  ),
  totals: db.query<{ hooks: number; parked: number }, []>(
    "SELECT count(*) AS hooks, coalesce(sum(is_parked), 0) AS parked FROM watch_hooks",
  ),
});
