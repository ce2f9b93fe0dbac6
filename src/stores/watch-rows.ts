import type { Database } from "bun:sqlite";
import { type Memory, NO_MEMORY } from "../watches/judge.ts";
import type {
  Intent,
  Watch,
  WatchEnd,
  WatchEvent,
  WatchName,
  WatchOrder,
  WatchRows,
  WatchState,
} from "../watches/types.ts";
import { createWriteGroup } from "./group-writes.ts";

/** Older files get it too, and older versions of the node do not mind it. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS watches (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    definition TEXT NOT NULL,
    budget INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'ended')),
    ended TEXT,
    ended_ms INTEGER,
    next_ms INTEGER,
    evaluations INTEGER NOT NULL DEFAULT 0,
    told INTEGER NOT NULL DEFAULT 0,
    spent INTEGER NOT NULL DEFAULT 0,
    failed_in_a_row INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    last_ms INTEGER,
    memory TEXT NOT NULL,
    intent TEXT,
    last_seq INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS watches_by_mark ON watches (next_ms) WHERE state = 'active';
  CREATE INDEX IF NOT EXISTS watches_by_key ON watches (key, created_ms);
  CREATE INDEX IF NOT EXISTS watches_unfinished ON watches (id) WHERE intent IS NOT NULL;
  CREATE TABLE IF NOT EXISTS watch_events (
    watch TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (watch, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS watch_events_by_age ON watch_events (at_ms);
  CREATE TABLE IF NOT EXISTS watch_names (
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    watch TEXT NOT NULL,
    PRIMARY KEY (key, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS watch_names_by_watch ON watch_names (watch);
  CREATE TRIGGER IF NOT EXISTS watches_go AFTER DELETE ON watches BEGIN
    DELETE FROM watch_events WHERE watch = old.id;
    DELETE FROM watch_names WHERE watch = old.id;
  END;
`;

interface Row {
  readonly id: string;
  readonly key: string;
  readonly definition: string;
  readonly budget: number;
  readonly created_ms: number;
  readonly until_ms: number;
  readonly state: WatchState;
  readonly ended: WatchEnd | null;
  readonly next_ms: number | null;
  readonly evaluations: number;
  readonly told: number;
  readonly spent: number;
  readonly failed_in_a_row: number;
  readonly last_error: string | null;
  readonly last_ms: number | null;
  readonly memory: string;
  readonly intent: string | null;
}

type Definition = Pick<Watch, "product" | "params" | "view" | "condition" | "repeat" | "cadence" | "label">;

/** Of one watch: what nobody fetched is dropped, the oldest first. */
const EVENTS_MAX = 200;
const ERROR_CHARS_MAX = 500;

const toWatch = ({ definition, budget, spent, memory, intent, ...row }: Row): Watch => ({
  ...row,
  ...(JSON.parse(definition) as Definition),
  budget: BigInt(budget),
  spent: BigInt(spent),
  memory: JSON.parse(memory) as Memory,
  intent: intent === null ? null : (JSON.parse(intent) as Intent),
});

/** Watches, and what was told of them; in kept.db, so that they are backed up with what else cannot be had again. */
export function createWatchRows(db: Database): WatchRows {
  db.run(SCHEMA);
  const sql = prepare(db);
  const tell = (id: string, event: Omit<WatchEvent, "seq"> | null): void => {
    if (event === null) return;
    const seq = sql.next_seq.get({ id })?.last_seq ?? 1;
    sql.insert_event.run({ id, seq, at_ms: event.at_ms, body: event.body });
    sql.drop_events.run({ id, seq: seq - EVENTS_MAX });
  };
  return {
    together: createWriteGroup(db),
    add: db.transaction((order: WatchOrder, { next_ms, name }: { next_ms: number; name: WatchName | null }) => {
      const { id, key, budget, created_ms, until_ms, ...definition } = order;
      const { product, params, view, condition, repeat, cadence, label } = definition;
      const text = JSON.stringify({ product, params, view, condition, repeat, cadence, label });
      const memory = JSON.stringify(NO_MEMORY);
      sql.insert.run({ id, key, definition: text, budget, created_ms, until_ms, next_ms, memory });
      if (name !== null) sql.insert_name.run({ key, name: name.name, fingerprint: name.fingerprint, watch: id });
    }),
    get: (id) => {
      const row = sql.get.get({ id });
      return row && toWatch(row);
    },
    named: (key, name) => sql.named.get({ key, name }),
    ofKey: (key, { limit, before }) => {
      const { created_ms, id } = before ?? { created_ms: Number.MAX_SAFE_INTEGER, id: "" };
      return sql.of_key.all({ key, created_ms, id, limit }).map(toWatch);
    },
    newest: (limit) => sql.newest.all({ limit }).map(toWatch),
    countLiving: (keys) => sql.count_living.get({ keys: JSON.stringify(keys) })?.count ?? 0,
    dropEnded: (keys, kept) => void sql.drop_ended.run({ keys: JSON.stringify(keys), kept }),
    due: (now_ms, limit) => sql.due.all({ now_ms, limit }).map(({ id }) => id),
    nextMark: () => sql.next_mark.get()?.next_ms ?? null,
    unfinished: () => sql.unfinished.all().map(({ id }) => id),
    writeIntent: (id, intent) => void sql.write_intent.run({ id, intent: JSON.stringify(intent) }),
    finish: db.transaction((id: string, intent: Intent, event: Omit<WatchEvent, "seq"> | null) => {
      const { amount, tells, at_ms, next_ms, memory } = intent;
      const done = { id, amount: BigInt(amount), told: tells ? 1 : 0, at_ms, next_ms, memory: JSON.stringify(memory) };
      sql.finish.run(done);
      tell(id, event);
    }),
    fail: db.transaction((id: string, { message, at_ms, next_ms, event }) => {
      sql.fail.run({ id, message: message.slice(0, ERROR_CHARS_MAX), at_ms, next_ms });
      tell(id, event);
    }),
    dropIntent: (id) => void sql.drop_intent.run({ id }),
    pause: (id) => void sql.pause.run({ id }),
    resume: (id, next_ms) => void sql.resume.run({ id, next_ms }),
    end: db.transaction((id: string, why: WatchEnd, event: Omit<WatchEvent, "seq"> | null) => {
      const { changes } = sql.end.run({ id, why, ended_ms: event?.at_ms ?? 0 });
      if (changes > 0) tell(id, event);
    }),
    events: (id, after, limit) => sql.events.all({ id, after, limit }),
    prune: db.transaction((before_ms: number) => {
      sql.prune_events.run({ before_ms });
      sql.prune_watches.run({ before_ms });
    }),
    totals: () => sql.totals.get() ?? { active: 0, paused: 0, told: 0 },
  };
}

const COLUMNS =
  "id, key, definition, budget, created_ms, until_ms, state, ended, next_ms, evaluations, told, spent, " +
  "failed_in_a_row, last_error, last_ms, memory, intent";

const prepare = (db: Database) => ({
  insert: db.query(
    `INSERT INTO watches (id, key, definition, budget, created_ms, until_ms, state, next_ms, memory)
     VALUES ($id, $key, $definition, $budget, $created_ms, $until_ms, 'active', $next_ms, $memory)`,
  ),
  get: db.query<Row, { id: string }>(`SELECT ${COLUMNS} FROM watches WHERE id = $id`),
  insert_name: db.query(
    "INSERT INTO watch_names (key, name, fingerprint, watch) VALUES ($key, $name, $fingerprint, $watch)",
  ),
  named: db.query<{ watch: string; fingerprint: string }, { key: string; name: string }>(
    "SELECT watch, fingerprint FROM watch_names WHERE key = $key AND name = $name",
  ),
  of_key: db.query<Row, { key: string; created_ms: number; id: string; limit: number }>(
    `SELECT ${COLUMNS} FROM watches WHERE key = $key AND (created_ms, id) < ($created_ms, $id)
     ORDER BY created_ms DESC, id DESC LIMIT $limit`,
  ),
  newest: db.query<Row, { limit: number }>(
    `SELECT ${COLUMNS} FROM watches ORDER BY state = 'ended', created_ms DESC, id DESC LIMIT $limit`,
  ),
  count_living: db.query<{ count: number }, { keys: string }>(
    "SELECT count(*) AS count FROM watches WHERE key IN (SELECT value FROM json_each($keys)) AND state <> 'ended'",
  ),
  drop_ended: db.query(
    `DELETE FROM watches WHERE id IN (SELECT id FROM watches WHERE key IN (SELECT value FROM json_each($keys))
       AND state = 'ended' AND intent IS NULL ORDER BY ended_ms DESC, id DESC LIMIT -1 OFFSET $kept)`,
  ),
  due: db.query<{ id: string }, { now_ms: number; limit: number }>(
    "SELECT id FROM watches WHERE state = 'active' AND next_ms <= $now_ms ORDER BY next_ms LIMIT $limit",
  ),
  next_mark: db.query<{ next_ms: number | null }, []>(
    "SELECT min(next_ms) AS next_ms FROM watches WHERE state = 'active'",
  ),
  unfinished: db.query<{ id: string }, []>("SELECT id FROM watches WHERE intent IS NOT NULL"),
  write_intent: db.query("UPDATE watches SET intent = $intent WHERE id = $id"),
  finish: db.query(
    `UPDATE watches SET evaluations = evaluations + 1, told = told + $told, spent = spent + $amount, last_ms = $at_ms,
       next_ms = $next_ms, memory = $memory, intent = NULL, failed_in_a_row = 0, last_error = NULL WHERE id = $id`,
  ),
  fail: db.query(
    `UPDATE watches SET failed_in_a_row = failed_in_a_row + 1, last_error = $message, last_ms = $at_ms,
       next_ms = $next_ms, intent = NULL WHERE id = $id`,
  ),
  drop_intent: db.query("UPDATE watches SET intent = NULL WHERE id = $id"),
  pause: db.query("UPDATE watches SET state = 'paused' WHERE id = $id AND state = 'active'"),
  resume: db.query("UPDATE watches SET state = 'active', next_ms = $next_ms WHERE id = $id AND state <> 'ended'"),
  end: db.query(
    `UPDATE watches SET state = 'ended', ended = $why, ended_ms = $ended_ms, next_ms = NULL
     WHERE id = $id AND state <> 'ended'`,
  ),
  next_seq: db.query<{ last_seq: number }, { id: string }>(
    "UPDATE watches SET last_seq = last_seq + 1 WHERE id = $id RETURNING last_seq",
  ),
  insert_event: db.query("INSERT INTO watch_events (watch, seq, at_ms, body) VALUES ($id, $seq, $at_ms, $body)"),
  drop_events: db.query("DELETE FROM watch_events WHERE watch = $id AND seq <= $seq"),
  events: db.query<WatchEvent, { id: string; after: number; limit: number }>(
    "SELECT seq, at_ms, body FROM watch_events WHERE watch = $id AND seq > $after ORDER BY seq LIMIT $limit",
  ),
  prune_events: db.query("DELETE FROM watch_events WHERE at_ms < $before_ms"),
  prune_watches: db.query("DELETE FROM watches WHERE state = 'ended' AND ended_ms < $before_ms"),
  totals: db.query<{ active: number; paused: number; told: number }, []>(
    `SELECT coalesce(sum(state = 'active'), 0) AS active, coalesce(sum(state = 'paused'), 0) AS paused,
       coalesce(sum(told), 0) AS told FROM watches`,
  ),
});
