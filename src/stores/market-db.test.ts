import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { type MarketDb, type MarketDbEvent, openMarketDb } from "./market-db.ts";

const folders: string[] = [];
const open_dbs: MarketDb[] = [];
afterEach(() => {
  for (const db of open_dbs.splice(0)) db.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "market-db-"));
  folders.push(folder);
  return folder;
}

function openDb(file = ":memory:", events: MarketDbEvent[] = []): MarketDb {
  const db = openMarketDb(file, { clock: createStillClock(), log: (event) => events.push(event) });
  open_dbs.push(db);
  return db;
}

const at = (...times: number[]) => times.map((at_ms) => ({ at_ms, value: { n: at_ms } }));
const timesOf = (rows: readonly { at_ms: number }[]) => rows.map(({ at_ms }) => at_ms);

describe("history", () => {
  test("observations come back oldest first, between both bounds, the newest when limited", async () => {
    const { history } = openDb();
    await history.write("a/x", at(30, 10, 50, 20, 40));
    await history.write("a/y", at(25));
    expect(await history.read("a/x")).toEqual(at(10, 20, 30, 40, 50));
    expect(timesOf(await history.read("a/x", { since_ms: 20, until_ms: 40 }))).toEqual([20, 30, 40]);
    expect(timesOf(await history.read("a/x", { limit: 2 }))).toEqual([40, 50]);
    expect(timesOf(await history.read("a/x", { until_ms: 30, limit: 2 }))).toEqual([20, 30]);
    expect(await history.read("a/x", { limit: 0 })).toEqual([]);
    expect(await history.read("none")).toEqual([]);
  });

  test("an observation at the same time replaces the earlier one", async () => {
    const { history } = openDb();
    await history.write("s", [{ at_ms: 1, value: "old" }]);
    await history.write("s", [{ at_ms: 1, value: "new" }]);
    expect(await history.read("s")).toEqual([{ at_ms: 1, value: "new" }]);
  });

  test("pruning forgets what is older than the bound, in that series only", async () => {
    const { history } = openDb();
    await history.write("a", at(1, 2, 3));
    await history.write("b", at(1));
    await history.prune("a", 2);
    expect(timesOf(await history.read("a"))).toEqual([2, 3]);
    expect(timesOf(await history.read("b"))).toEqual([1]);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])(
    "the value %p is refused, and nothing of its batch is stored",
    async (n) => {
      const { history } = openDb();
      await expect(history.write("s", [...at(1), { at_ms: 2, value: { n } }])).rejects.toThrow();
      expect(await history.read("s")).toEqual([]);
    },
  );

  test("a time that is not a whole number is refused", async () => {
    await expect(openDb().history.write("s", at(1.5))).rejects.toThrow(RangeError);
  });
});

describe("snapshots", () => {
  const row = (as_of_ms: number, change: object = {}) => ({
    product: "p",
    params_key: "{}",
    as_of_ms,
    taken_at_ms: as_of_ms + 1,
    body: `"${as_of_ms}"`,
    ...change,
  });

  test("the newest snapshot that is not too new is found, for its product and parameters only", () => {
    const db = openDb();
    for (const as_of_ms of [10, 30, 20]) db.saveSnapshot(row(as_of_ms));
    db.saveSnapshot(row(25, { params_key: '{"a":1}' }));
    db.saveSnapshot(row(26, { product: "q" }));
    expect(db.newestSnapshot("p", "{}", 29)).toEqual({ as_of_ms: 20, taken_at_ms: 21, body: '"20"' });
    expect(db.newestSnapshot("p", "{}", 30)?.as_of_ms).toBe(30);
    expect(db.newestSnapshot("p", "{}", 9)).toBe(null);
    expect(db.newestSnapshot("none", "{}", 99)).toBe(null);
  });

  test("a snapshot of the same moment replaces the earlier one", () => {
    const db = openDb();
    db.saveSnapshot(row(10));
    db.saveSnapshot(row(10, { taken_at_ms: 99, body: '"again"' }));
    expect(db.newestSnapshot("p", "{}", 10)).toEqual({ as_of_ms: 10, taken_at_ms: 99, body: '"again"' });
  });

  test("pruning keeps the newest of a product and leaves other products alone", () => {
    const db = openDb();
    for (const as_of_ms of [1, 2, 3, 4]) db.saveSnapshot(row(as_of_ms));
    db.saveSnapshot(row(1, { product: "q" }));
    db.pruneSnapshots("p", 2);
    expect(db.newestSnapshot("p", "{}", 2)).toBe(null);
    expect(db.newestSnapshot("p", "{}", 3)?.as_of_ms).toBe(3);
    expect(db.newestSnapshot("q", "{}", 9)?.as_of_ms).toBe(1);
  });
});

describe("the past of a request", () => {
  const row = (as_of_ms: number, params_key = "{}") =>
    ({ product: "p", params_key, as_of_ms, taken_at_ms: as_of_ms + 1, body: `"${as_of_ms}"` }) as const;
  const listed = (db: ReturnType<typeof openDb>, params_key = "{}"): readonly number[] => {
    const found: number[] = [];
    for (let from_ms = 0; ; ) {
      const next = db.oldestSnapshot("p", params_key, { from_ms, to_ms: 99 });
      if (next === null) return found;
      found.push(next.as_of_ms);
      from_ms = next.as_of_ms + 1;
    }
  };

  test("is listed from the oldest on, within its span", () => {
    const db = openDb();
    for (const as_of_ms of [30, 10, 20]) db.saveSnapshot(row(as_of_ms));
    db.saveSnapshot(row(15, '{"a":1}'));
    expect(listed(db)).toEqual([10, 20, 30]);
    expect(db.oldestSnapshot("p", "{}", { from_ms: 11, to_ms: 20 })?.as_of_ms).toBe(20);
    expect(db.oldestSnapshot("p", "{}", { from_ms: 10.5, to_ms: 19.5 })).toBe(null);
  });

  test("keeps the first of each step besides the newest ones, however often it is pruned", () => {
    const db = openDb();
    for (let as_of_ms = 1; as_of_ms <= 40; as_of_ms += 1) {
      db.saveSnapshot(row(as_of_ms));
      if (as_of_ms % 5 === 0) db.saveSnapshot(row(as_of_ms, '{"a":1}'));
      db.pruneSnapshots("p", 3, { params_key: "{}", from_ms: 10, step_ms: 10 });
    }
    // Of the newest three one is of other parameters.
    expect(listed(db)).toEqual([10, 20, 30, 39, 40]);
    expect(listed(db, '{"a":1}')).toEqual([40]);
  });
});

describe("the file", () => {
  const name = "market.db";

  test("is made with its folder and keeps its content when it is opened again", async () => {
    const file = join(createFolder(), "data", name);
    const events: MarketDbEvent[] = [];
    const db = openMarketDb(file, { clock: createStillClock(), log: (event) => events.push(event) });
    await db.history.write("s", at(1));
    db.close();
    expect(await openDb(file, events).history.read("s")).toEqual(at(1));
    expect(events).toEqual([]);
  });

  test("can be open twice at once", async () => {
    const file = join(createFolder(), name);
    const [first, second] = [openDb(file), openDb(file)];
    await first.history.write("s", at(1));
    await second.history.write("s", at(2));
    expect(timesOf(await first.history.read("s"))).toEqual([1, 2]);
  });

  test("uses WAL and the stated schema version", () => {
    const file = join(createFolder(), name);
    openDb(file);
    const other = new Database(file, { readonly: true });
    expect(other.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(other.query("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    other.close();
  });

  /** A folder with an unusable market.db; returns its file. */
  const spoil = async (write: (file: string) => unknown): Promise<string> => {
    const file = join(createFolder(), name);
    await write(file);
    return file;
  };
  const damagePages = async (file: string) => {
    const db = openMarketDb(file, { clock: createStillClock() });
    const value = "x".repeat(2_000);
    await db.history.write(
      "s",
      Array.from({ length: 200 }, (_, at_ms) => ({ at_ms, value })),
    );
    db.close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 8_192, bytes.length - 4_096);
    writeFileSync(file, bytes);
  };
  const createForeign = (statement: string) => (file: string) => {
    const db = new Database(file, { create: true });
    db.run("CREATE TABLE theirs (x)");
    db.run(statement);
    db.close();
  };
  const unusable: [string, (file: string) => unknown, string][] = [
    ["that is no database", (file) => writeFileSync(file, "not a database, just some text. ".repeat(100)), "database"],
    ["with damaged pages", damagePages, ""],
    ["of another program", createForeign("INSERT INTO theirs VALUES (1)"), "belongs to another program"],
    ["of a later version", createLater, "schema version is 2"],
  ];
  test.each(unusable)("%s is moved away whole and a new one is made", async (_name, write, reason) => {
    const file = await spoil(write);
    const before = readFileSync(file);
    const events: MarketDbEvent[] = [];
    const db = openDb(file, events);
    expect(events).toMatchObject([{ event: "market_db_replaced", kept_as: `${file}.broken-20260301T120000Z` }]);
    expect(events[0]?.reason).toContain(reason);
    expect(readFileSync(`${file}.broken-20260301T120000Z`)).toEqual(before);
    await db.history.write("s", at(1));
    expect(await db.history.read("s")).toEqual(at(1));
  });

  test("two broken files of the same second are both kept", async () => {
    const file = await spoil((path) => writeFileSync(path, "first".repeat(1_000)));
    openDb(file).close();
    open_dbs.pop();
    writeFileSync(file, "second".repeat(1_000));
    openDb(file);
    const kept = readdirSync(join(file, "..")).filter((entry) => /broken-20260301T120000Z(-2)?$/.test(entry));
    expect(kept.length).toBe(2);
  });

  test("a WAL left behind by a deleted file does not flow into the new one", async () => {
    const file = join(createFolder(), name);
    const writer = openMarketDb(file, { clock: createStillClock() });
    await writer.history.write("s", at(1, 2, 3));
    const wal = readFileSync(`${file}-wal`);
    expect(wal.length).toBeGreaterThan(0);
    writer.close();
    rmSync(file);
    writeFileSync(`${file}-wal`, wal);
    const events: MarketDbEvent[] = [];
    expect(await openDb(file, events).history.read("s")).toEqual([]);
    expect(events.map(({ reason }) => reason)).toEqual(["only its WAL was left"]);
  });

  test("an unusable file is replaced also when nobody listens", async () => {
    const file = await spoil((path) => writeFileSync(path, "no database".repeat(1_000)));
    const db = openMarketDb(file, { clock: createStillClock() });
    open_dbs.push(db);
    expect(await db.history.read("s")).toEqual([]);
    expect(readdirSync(join(file, ".."))).toContain(`${name}.broken-20260301T120000Z`);
  });

  test("a path that cannot be opened is an error, not a reason to move anything", () => {
    const folder = createFolder();
    const path = join(folder, "in-the-way");
    mkdirSync(path);
    expect(() => openMarketDb(path, { clock: createStillClock() })).toThrow();
    expect(readdirSync(folder)).toEqual(["in-the-way"]);
  });
});

function createLater(file: string): void {
  openMarketDb(file, { clock: createStillClock() }).close();
  const db = new Database(file);
  db.run("PRAGMA user_version = 2");
  db.close();
}
