import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InvariantError, NodeError } from "../../core/errors.ts";
import type { Writer } from "../writer.ts";
import { createWriter } from "./writer.ts";

const open: { folder: string; db: Database; writer: Writer }[] = [];
afterEach(() => {
  for (const { folder, db, writer } of open.splice(0)) {
    writer.stop();
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A writer over a file that can be made to look full. */
function openWriter(retry_ms = 5) {
  const folder = mkdtempSync(join(tmpdir(), "writer-"));
  const file = join(folder, "rows.db");
  const db = new Database(file, { create: true, safeIntegers: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA busy_timeout = 0");
  db.run("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT");
  const writer = createWriter(db, { retry_ms });
  open.push({ folder, db, writer });
  const insert = db.query("INSERT INTO rows (body) VALUES (?)");
  return {
    file,
    db,
    writer,
    add: (bytes: number) => writer.write(() => void insert.run("x".repeat(bytes))),
    count: () => Number((db.query("SELECT count(*) AS n FROM rows").get() as { n: bigint }).n),
    fill: () => db.run("PRAGMA max_page_count = 1"),
    empty: () => db.run("PRAGMA max_page_count = 1000000"),
  };
}

const refusalOf = async (promise: Promise<unknown>): Promise<NodeError> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof NodeError)) throw new Error(`no refusal but ${error}`);
  return error;
};

const untilFree = (writer: Writer): Promise<void> =>
  new Promise((resolve) => {
    writer.onTrouble((reason) => {
      if (reason === null) resolve();
    });
  });

test("a full disk refuses new work, says so, and keeps no part of it", async () => {
  const { add, count, fill, writer } = openWriter();
  await add(10);
  fill();
  const [first, second] = await Promise.all([refusalOf(add(50_000)), refusalOf(add(50_000))]);
  expect(first).toMatchObject({ code: "ledger_unavailable", options: { retry_after_s: 30 } });
  expect(first.options.charge_unknown).toBeUndefined();
  expect(second.code).toBe("ledger_unavailable");
  expect(writer.trouble).toBe("the disk that holds the ledger is full");
  expect(writer.halted).toBeNull();
  expect(count()).toBe(1);
});

test("writing resumes automatically when there is room again", async () => {
  const { add, count, fill, empty, writer } = openWriter();
  const told: (string | null)[] = [];
  writer.onTrouble((reason) => told.push(reason));
  fill();
  await refusalOf(add(50_000));
  empty();
  await untilFree(writer);
  expect(writer.trouble).toBeNull();
  await add(50_000);
  expect(count()).toBe(1);
  expect(told).toEqual(["the disk that holds the ledger is full", null]);
});

test("while the disk fails, nothing is run", async () => {
  const { add, fill, writer } = openWriter(60_000);
  fill();
  await refusalOf(add(50_000));
  let runs = 0;
  await refusalOf(
    writer.write(() => {
      runs += 1;
    }),
  );
  let failed = 0;
  writer.writeLater(
    () => {
      runs += 1;
    },
    () => {
      failed += 1;
    },
  );
  writer.flushNow();
  expect(() => writer.assertTaking()).toThrow("cannot take new payments now");
  expect({ runs, failed }).toEqual({ runs: 0, failed: 1 });
});

test("another process that holds the file costs a refusal, not trouble", async () => {
  const { add, file, writer } = openWriter();
  const other = new Database(file);
  other.run("BEGIN IMMEDIATE");
  expect((await refusalOf(add(10))).code).toBe("ledger_unavailable");
  expect(writer.trouble).toBeNull();
  other.run("ROLLBACK");
  other.close();
  await add(10);
});

test("a bad job fails alone, also beside a full disk's refusals", async () => {
  const { add, count, writer } = openWriter();
  const bad = writer.write(() => {
    throw new NodeError("not_found", "No such key.");
  });
  const [refusal] = await Promise.all([refusalOf(bad), add(10), add(10)]);
  expect(refusal.code).toBe("not_found");
  expect(count()).toBe(2);
});

test("a broken invariant stops the writer for good, its neighbours in the queue included", async () => {
  const { add, count, writer } = openWriter();
  const reasons: string[] = [];
  writer.onHalt((reason) => reasons.push(reason));
  const broken = writer.write(() => {
    throw new InvariantError("I1");
  });
  await Promise.all([refusalOf(broken), refusalOf(add(10))]);
  expect(writer).toMatchObject({ halted: "I1", trouble: "I1" });
  expect(reasons).toEqual(["I1"]);
  expect(count()).toBe(0);
});

test("a file that turns out to be damaged stops the writer for good", async () => {
  const { add, db, file, writer } = openWriter();
  for (let row = 0; row < 20; row++) await add(3_000);
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.run("PRAGMA shrink_memory");
  truncateSync(file, 8_192);
  const reads = writer.write(() => db.query("SELECT sum(length(body)) FROM rows").get());
  expect((await refusalOf(reads)).code).toBe("ledger_unavailable");
  expect(writer.halted).toContain("the ledger file is damaged");
});

test("what is done as one is done alone when one part of it fails, and never past other work", async () => {
  const { db, writer, count } = openWriter();
  const insert = db.query("INSERT INTO rows (body) VALUES (?)");
  const runs: (readonly string[])[] = [];
  const joint = {
    run(parts: readonly string[]): readonly number[] {
      runs.push(parts);
      for (const part of parts) {
        if (part === "bad") throw new NodeError("not_found", "no such row");
        insert.run(part);
      }
      return parts.map(({ length }) => length);
    },
  };
  const good = await Promise.all([
    writer.writeJoint(joint, "a"),
    writer.writeJoint(joint, "bb"),
    writer.write(count),
    writer.writeJoint(joint, "ccc"),
  ]);
  expect(good).toEqual([1, 2, 2, 3]);
  expect(runs).toEqual([["a", "bb"], ["ccc"]]);
  const one_bad = [writer.writeJoint(joint, "d"), refusalOf(writer.writeJoint(joint, "bad")), writer.write(count)];
  const [first, refusal, rows] = await Promise.all(one_bad);
  expect([first, rows]).toEqual([1, 4]);
  expect((refusal as NodeError).code).toBe("not_found");
});
