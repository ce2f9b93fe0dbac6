import { afterAll, describe, expect, setSystemTime, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { newWebhookSecret } from "../../src/core/sign-webhook.ts";
import { openKeptDb } from "../../src/stores/kept-db.ts";
import { createWatchHooks } from "../../src/stores/watch-hooks.ts";
import { createWatchRows } from "../../src/stores/watch-rows.ts";
import { createWebhooks, renderPlain } from "../../src/watches/webhooks.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** A kept.db of the version whose webhooks had neither a form nor headers: it opens, and its events are delivered. */
const AT_MS = Date.parse("2026-03-01T12:00:00Z");
const MINUTE_MS = 60_000;
const URL_OF_HOOK = "https://hook.example/";

/** As that version made them, to the letter. */
const TABLES = `
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
  CREATE TABLE IF NOT EXISTS watch_events (
    watch TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (watch, seq)
  ) STRICT, WITHOUT ROWID;
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
    is_parked INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS watch_hooks_by_wait ON watch_hooks (next_ms) WHERE next_ms IS NOT NULL;
  CREATE TRIGGER IF NOT EXISTS watch_hooks_wake AFTER INSERT ON watch_events BEGIN
    UPDATE watch_hooks SET next_ms = new.at_ms WHERE watch = new.watch AND next_ms IS NULL AND is_parked = 0;
  END;
  CREATE TRIGGER IF NOT EXISTS watch_hooks_go AFTER DELETE ON watches BEGIN
    DELETE FROM watch_hooks WHERE watch = old.id;
  END;
`;
const DEFINITION = JSON.stringify({
  product: "/tide",
  params: {},
  view: "",
  condition: null,
  repeat: false,
  cadence: { every_ms: MINUTE_MS },
  label: null,
});
const MEMORY = JSON.stringify({ last: {}, seen: {}, held: {}, whole: null });

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** How the webhook of a watch stood when the node was stopped, after three events. */
interface Left {
  readonly watch: string;
  readonly delivered_seq: number;
  readonly next_ms: number | null;
  readonly is_parked: number;
}
const LEFT: readonly Left[] = [
  { watch: "wat_idle", delivered_seq: 3, next_ms: null, is_parked: 0 },
  { watch: "wat_behind", delivered_seq: 1, next_ms: AT_MS - MINUTE_MS, is_parked: 0 },
  { watch: "wat_parked", delivered_seq: 2, next_ms: null, is_parked: 1 },
];

function writeEarlier(secret: string): string {
  const folder = mkdtempSync(join(tmpdir(), "kept-earlier-"));
  folders.push(folder);
  const file = join(folder, "kept.db");
  const { db, close } = openKeptDb(file);
  db.run(TABLES);
  for (const { watch, ...hook } of LEFT) {
    db.query(
      `INSERT INTO watches (id, key, definition, budget, created_ms, until_ms, state, next_ms, memory, last_seq)
       VALUES ($watch, 'key_1', $definition, 1, $at_ms, $until_ms, 'active', $at_ms, $memory, 3)`,
    ).run({ watch, definition: DEFINITION, at_ms: AT_MS, until_ms: 2 * AT_MS, memory: MEMORY });
    for (const seq of [1, 2, 3]) {
      const event = { watch, seq, at_ms: AT_MS - MINUTE_MS, body: JSON.stringify({ watch, n: seq }) };
      db.query("INSERT INTO watch_events VALUES ($watch, $seq, $at_ms, $body)").run(event);
    }
    db.query(
      `INSERT INTO watch_hooks (watch, url, secret, delivered_seq, attempts, next_ms, is_parked)
       VALUES ($watch, $url, $secret, $delivered_seq, 2, $next_ms, $is_parked)`,
    ).run({ watch, url: URL_OF_HOOK, secret, ...hook });
  }
  close();
  return file;
}

/** This version on such a file, with a receiver that takes everything. */
function openNow(file: string) {
  const kept = openKeptDb(file);
  const rows = createWatchRows(kept.db);
  const hooks = createWatchHooks(kept.db);
  const received: { readonly url: string; readonly headers: Record<string, string>; readonly body: string }[] = [];
  const webhooks = createWebhooks({
    rows: hooks,
    render: (form, event) => {
      expect(form).toBe("event");
      return renderPlain(event);
    },
    ask: async ({ url, headers = {}, body = "" }) => {
      received.push({ url, headers: { ...headers }, body: String(body) });
      return { ok: true, url, status: 200, headers: new Headers(), body: new Uint8Array(), tls: null, hops: [] };
    },
    now_ms: () => AT_MS,
    random: () => 0,
    log: (event) => {
      throw new Error(JSON.stringify(event));
    },
  });
  return { kept, rows, hooks, webhooks, received };
}

type Received = ReturnType<typeof openNow>["received"];
const idsOf = (received: Received) => received.map(({ headers }) => headers["webhook-id"]);

function newSecret(): string {
  const secret = newWebhookSecret();
  noteSecret(secret);
  return secret;
}

/** As receivers check it, at the time of the test. */
function isSigned({ headers, body }: Received[number], secret: string): boolean {
  setSystemTime(AT_MS);
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  } finally {
    setSystemTime();
  }
}

describe("webhooks of the version before", () => {
  test("go on from the event they had come to, signed by their secret, in the form they had", async () => {
    const secret = newSecret();
    const { kept, rows, webhooks, hooks, received } = openNow(writeEarlier(secret));
    await webhooks.pass();
    expect(idsOf(received)).toEqual(["wat_behind.2", "wat_behind.3"]);
    expect(hooks.hook("wat_idle")).toMatchObject({ form: "event", headers: {}, delivered_seq: 3 });
    // What is told from now on wakes the one that waited for nothing.
    for (const { watch } of LEFT) {
      const event = { at_ms: AT_MS, body: JSON.stringify({ watch, n: 4 }) };
      rows.fail(watch, { message: "", at_ms: AT_MS, next_ms: null, event });
    }
    await webhooks.pass();
    expect(idsOf(received).slice(2).toSorted()).toEqual(["wat_behind.4", "wat_idle.4"]);
    expect(received.every((one) => isSigned(one, secret))).toBe(true);
    expect(received.every(({ url }) => url === URL_OF_HOOK)).toBe(true);
    expect(received.map(({ body }) => (JSON.parse(body) as { readonly n: number }).n)).toEqual([2, 3, 4, 4]);
    // What was given up goes on when its holder says so.
    hooks.unpark("wat_parked", AT_MS);
    await webhooks.pass();
    expect(idsOf(received).slice(4)).toEqual(["wat_parked.3", "wat_parked.4"]);
    kept.close();
  });

  test("are as they were after every further start, and take a form of their own", async () => {
    const file = writeEarlier(newSecret());
    openNow(file).kept.close();
    const { kept, hooks } = openNow(file);
    const headers = { "X-A2A-Notification-Token": "word" };
    hooks.setHook("wat_idle", { url: URL_OF_HOOK, secret: newSecret(), form: "a2a-1.0", headers });
    kept.close();
    const again = openNow(file);
    expect(again.hooks.hook("wat_idle")).toMatchObject({ form: "a2a-1.0", headers });
    expect(again.hooks.hook("wat_behind")).toMatchObject({ form: "event", headers: {}, attempts: 2 });
    again.kept.close();
  });

  test("a node that died between the two columns goes on at its next start", async () => {
    const file = writeEarlier(newSecret());
    const half = openKeptDb(file);
    half.db.run("ALTER TABLE watch_hooks ADD COLUMN form TEXT NOT NULL DEFAULT 'event'");
    half.close();
    const { kept, webhooks, received } = openNow(file);
    await webhooks.pass();
    expect(idsOf(received)).toEqual(["wat_behind.2", "wat_behind.3"]);
    kept.close();
  });

  test("the version before still reads and writes the file: it may be put back", () => {
    const file = writeEarlier(newSecret());
    openNow(file).kept.close();
    const { db, close } = openKeptDb(file);
    db.run(TABLES);
    db.run(
      "INSERT INTO watch_hooks (watch, url, secret, delivered_seq) VALUES ('wat_new', 'https://a.example/', 's', 0)",
    );
    close();
    const { kept, hooks } = openNow(file);
    expect(hooks.hook("wat_new")).toMatchObject({ form: "event", headers: {} });
    kept.close();
  });
});
