import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { type AnyTable, column, defineTable } from "../catalog/table.ts";
import { openKeptDb } from "./kept-db.ts";
import { createTableStore } from "./table-store.ts";

const events = defineTable({
  name: "acme/events",
  storage: "kept",
  columns: {
    at_ms: column.integer(),
    address: column.text(),
    amount: column.bigint(),
    is_final: column.boolean(),
    price: column.nullable(column.real()),
    tags: column.json(Type.Array(Type.String())),
  },
  indexes: [["address", "at_ms"]],
  retention: { column: "at_ms", keep: "1d" },
});
const event = (at_ms: number, change: object = {}) => ({
  at_ms,
  address: "a",
  amount: 2n ** 60n + 1n,
  is_final: true,
  price: 1.5,
  tags: ["x"],
  ...change,
});

let folder: string;
let file: string;
const opened: { close(): void }[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "intel-node-tables-"));
  file = join(folder, "kept.db");
});
afterEach(() => {
  for (const db of opened.splice(0)) db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The stores of a node that was just started. */
function start(...tables: AnyTable[]) {
  const kept = openKeptDb(file);
  const disposable = new Database(join(folder, "market.db"));
  opened.push(kept, disposable);
  const store = createTableStore({ kept: kept.db, disposable });
  for (const table of tables) store.add("acme", table);
  return store;
}
const stop = () => {
  for (const db of opened.splice(0)) db.close();
};

describe("rows", () => {
  test("come back as they were written, two of one millisecond both", async () => {
    const table = start(events).open(events);
    await table.insert([event(5), event(5, { price: null, is_final: false, tags: [] })]);
    expect(await table.find()).toEqual([event(5), event(5, { price: null, is_final: false, tags: [] })]);
    expect(await table.count()).toBe(2);
  });

  test("are found by columns, bounds and lists, in the order asked for, a few at a time", async () => {
    const table = start(events).open(events);
    await table.insert([event(1), event(2, { address: "b" }), event(3), event(4, { price: null })]);
    const timesOf = async (query: Parameters<typeof table.find>[0]) =>
      (await table.find(query)).map(({ at_ms }) => at_ms);
    expect(await timesOf({ where: { address: "b" } })).toEqual([2]);
    expect(await timesOf({ where: { at_ms: { from: 2, below: 4 } } })).toEqual([2, 3]);
    expect(await timesOf({ where: { at_ms: { in: [4, 1] } }, order: ["-at_ms"] })).toEqual([4, 1]);
    expect(await timesOf({ where: { price: null } })).toEqual([4]);
    expect(await timesOf({ where: { at_ms: { in: [] } } })).toEqual([]);
    expect(await timesOf({ order: ["-at_ms"], limit: 2 })).toEqual([4, 3]);
    expect(await table.first({ where: { amount: 2n ** 60n + 1n }, order: ["-at_ms"] })).toMatchObject({ at_ms: 4 });
    expect(await table.first({ where: { address: "none" } })).toBe(null);
    expect(await table.count({ address: "a" })).toBe(3);
    expect(await table.remove({ at_ms: { to: 2 } })).toBe(2);
    expect(await timesOf({})).toEqual([3, 4]);
  });

  test.each([
    ["a text for a number", { at_ms: "5" }, "acme/events.at_ms: string is no integer"],
    ["half a millisecond", { at_ms: 1.5 }, "1.5 is no integer"],
    ["NaN", { price: Number.NaN }, "acme/events.price: NaN is no real"],
    ["null where none may be", { address: null }, "acme/events.address"],
    ["more than 64 bits", { amount: 2n ** 63n }, "acme/events.amount"],
    ["JSON of another form", { tags: [1] }, "acme/events.tags"],
    ["a column nobody declared", { colour: "red" }, 'has no column "colour"'],
  ])("%s is refused, and nothing of its list is stored", async (_, change, why) => {
    const table = start(events).open(events);
    await expect(table.insert([event(1), event(2, change)])).rejects.toThrow(why);
    expect(await table.count()).toBe(0);
  });

  test("what cannot be asked for is an error, never all rows", async () => {
    const table = start(events).open(events);
    await table.insert([event(1)]);
    await expect(table.remove({ colour: "red" } as object)).rejects.toThrow("cannot be asked for");
    await expect(table.find({ where: { tags: ["x"] } })).rejects.toThrow("cannot be asked for");
    await expect(table.find({ where: { at_ms: { above: 1 } } as object })).rejects.toThrow('"above" is no bound');
    await expect(table.find({ order: ["1; DROP TABLE x"] as never })).rejects.toThrow("no column");
  });

  test("older ones than a table keeps are dropped", async () => {
    const store = start(events);
    const day_ms = 86_400_000;
    await store.open(events).insert(Array.from({ length: 6_000 }, (_, at_ms) => event(at_ms)));
    await store.open(events).insert([event(day_ms)]);
    await store.prune(day_ms + 6_000);
    expect(await store.open(events).find()).toEqual([event(day_ms)]);
  });
});

describe("a key", () => {
  const prices = defineTable({
    name: "acme/prices",
    storage: "disposable",
    columns: { symbol: column.text(), day: column.text(), close: column.real() },
    key: ["symbol", "day"],
  });
  test("is had once; put replaces its row, insert is refused", async () => {
    const table = start(prices).open(prices);
    await table.put([{ symbol: "BTC", day: "2026-01-01", close: 1 }]);
    await table.put([{ symbol: "BTC", day: "2026-01-01", close: 2 }]);
    expect(await table.find()).toEqual([{ symbol: "BTC", day: "2026-01-01", close: 2 }]);
    await expect(table.insert([{ symbol: "BTC", day: "2026-01-01", close: 3 }])).rejects.toThrow("UNIQUE");
    await expect(
      start(events)
        .open(events)
        .put([event(1)]),
    ).rejects.toThrow("has no key");
  });
});

const grown = (migrations: readonly ((table: string) => readonly string[])[]) =>
  defineTable({
    ...events,
    columns: { ...events.columns, note: column.nullable(column.text()) },
    migrations,
  });

describe("a newer form", () => {
  const addNote = (table: string) => [`ALTER TABLE ${table} ADD COLUMN note TEXT`];

  test("is brought by its migrations, once, and the rows stay", async () => {
    await start(events)
      .open(events)
      .insert([event(1)]);
    for (let starts = 0; starts < 2; starts += 1) {
      stop();
      const newer = grown([addNote]);
      expect(await start(newer).open(newer).find()).toEqual([{ ...event(1), note: null }]);
    }
  });

  test.each([
    [
      "fails halfway",
      [(table: string) => [...addNote(table), "UPDATE elsewhere SET x = 1"]],
      "no such table: elsewhere",
    ],
    [
      "leaves another form than is declared",
      [(table: string) => [`ALTER TABLE ${table} ADD COLUMN wrong TEXT`]],
      "note",
    ],
    ["was forgotten", [], "changed without a migration"],
  ])("whose migration %s is refused, and the file stays as it was", async (_, migrations, why) => {
    await start(events)
      .open(events)
      .insert([event(1)]);
    stop();
    const newer = grown(migrations);
    expect(() => start(newer)).toThrow(why);
    stop();
    expect(await start(events).open(events).find()).toEqual([event(1)]);
  });

  test("is not opened by an older plugin", async () => {
    const newer = grown([addNote]);
    await start(newer)
      .open(newer)
      .insert([{ ...event(1), note: "n" }]);
    stop();
    expect(() => start(events)).toThrow("has version 2; this plugin knows 1");
    stop();
    expect(await start(newer).open(newer).count()).toBe(1);
  });

  test("of a disposable table is simply made anew", async () => {
    const old = defineTable({ ...events, storage: "disposable" });
    await start(old)
      .open(old)
      .insert([event(1)]);
    stop();
    const newer = defineTable({ ...grown([]), storage: "disposable" });
    expect(await start(newer).open(newer).count()).toBe(0);
  });
});

describe("kept.db", () => {
  test("is refused and left alone when it is damaged, foreign or newer", () => {
    writeFileSync(file, "no database at all, but long enough for one. ".repeat(100));
    const before = readFileSync(file);
    expect(() => openKeptDb(file)).toThrow(/what plugins sampled.* no money.*newest \*\.kept\.db of your backups/s);
    expect(readFileSync(file)).toEqual(before);
    rmSync(file);
    const foreign = new Database(file);
    foreign.run("CREATE TABLE theirs (x)");
    foreign.close();
    expect(() => openKeptDb(file)).toThrow("another program");
    rmSync(file);
    const kept = openKeptDb(file);
    kept.db.run("PRAGMA user_version = 2");
    kept.close();
    expect(() => openKeptDb(file)).toThrow("newer intel-node");
  });
});

test.each([
  ["a name of another plugin", { name: "other/events" }, "acme/"],
  ["a key that is no column", { key: ["nothing"] }, "nothing"],
  ["a key that can be null", { key: ["price"] }, "price"],
  ["retention by a text", { retention: { column: "address", keep: "1d" } }, "integer"],
  [
    "a column named like SQL",
    { columns: { 'a"b': column.text() }, indexes: [], retention: undefined },
    "name of a column",
  ],
])("%s is refused", (_, change, why) => {
  expect(() => start({ ...events, ...change } as AnyTable)).toThrow(why);
});

test("a table no plugin declares is not opened", () => {
  expect(() => start().open(events)).toThrow("in no plugin's list of tables");
});
