import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWriteGroup } from "./group-writes.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "group-writes-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function createWorld(name: string) {
  const file = join(folder, name);
  const db = new Database(file, { create: true, strict: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("CREATE TABLE notes (n INTEGER PRIMARY KEY) STRICT");
  const other = new Database(file, { readonly: true });
  return {
    together: createWriteGroup(db),
    write: (n: number): void => void db.query("INSERT INTO notes VALUES ($n)").run({ n }),
    /** What another connection sees: only what was committed. */
    read: () =>
      other
        .query<{ n: number }, []>("SELECT n FROM notes ORDER BY n")
        .all()
        .map(({ n }) => n),
    close(): void {
      other.close();
      db.close();
    },
  };
}

test("writes of one moment are one commit, there when their promises resolve", async () => {
  const { together, write, read, close } = createWorld("one.db");
  const seen: (readonly number[])[] = [];
  const put = async (n: number): Promise<void> => {
    await together(() => {
      write(n);
      seen.push(read());
    });
    seen.push(read());
  };
  await Promise.all([put(1), put(2), put(3)]);
  expect(seen).toEqual([[], [], [], [1, 2, 3], [1, 2, 3], [1, 2, 3]]);
  await put(4);
  expect(seen.slice(6)).toEqual([
    [1, 2, 3],
    [1, 2, 3, 4],
  ]);
  close();
});

test("one that fails fails alone, and leaves nothing behind", async () => {
  const { together, write, read, close } = createWorld("two.db");
  await together(() => write(2));
  const results = await Promise.allSettled([
    together(() => write(1)),
    together(() => {
      write(4);
      write(2);
    }),
    together(() => write(3)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(read()).toEqual([1, 2, 3]);
  close();
});

test("what is asked for while a commit is made is in the next one", async () => {
  const { together, write, read, close } = createWorld("three.db");
  let inner: Promise<void> | undefined;
  await together(() => {
    write(1);
    inner = together(() => write(2));
  });
  expect(read()).toEqual([1]);
  await inner;
  expect(read()).toEqual([1, 2]);
  close();
});
