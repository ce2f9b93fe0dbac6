import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finishPutBack, listPutBackSteps, putBack, setAside, setLogAside, stampOf } from "./put-back.ts";

const STAMP = stampOf(Date.parse("2026-11-28T09:30:00.123Z"));
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder with files that hold their own first names. */
function newFolder(...names: readonly string[]): { readonly folder: string; readonly ledger: string } {
  const folder = mkdtempSync(join(tmpdir(), "put-back-"));
  folders.push(folder);
  for (const name of names) writeFileSync(join(folder, name), name);
  return { folder, ledger: join(folder, "ledger.db") };
}

const contentOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));

const ALL = ["ledger.db", "ledger.db-wal", "ledger.db-shm", `ledger.db.before-handover-${STAMP}`] as const;
const DONE = {
  "ledger.db": `ledger.db.before-handover-${STAMP}`,
  [`ledger.db.undone-${STAMP}`]: "ledger.db",
  [`ledger.db.undone-${STAMP}-wal`]: "ledger.db-wal",
  [`ledger.db.undone-${STAMP}-shm`]: "ledger.db-shm",
};

describe("putting a copy back", () => {
  test("gives it the ledger's name, and keeps ledger and log under the time of the copy", () => {
    expect(STAMP).toBe("20261128T093000123Z");
    const { folder, ledger } = newFolder(...ALL);
    putBack(ledger, STAMP);
    expect(contentOf(folder)).toEqual(DONE);
  });

  test("that was cut off before any step is finished by the next process that takes the folder", () => {
    const steps = listPutBackSteps("", "").length;
    for (let done = 1; done <= steps; done++) {
      const { folder, ledger } = newFolder(...ALL);
      for (const step of listPutBackSteps(ledger, STAMP).slice(0, done)) step();
      // Never is there a ledger beside the log of another one.
      const present = contentOf(folder);
      if (present["ledger.db"] !== undefined) expect(present["ledger.db-wal"]).toBeUndefined();
      finishPutBack(ledger);
      finishPutBack(ledger);
      expect(contentOf(folder)).toEqual(DONE);
    }
  });

  test("writes over nothing", () => {
    const { folder, ledger } = newFolder(...ALL, `ledger.db.undone-${STAMP}`);
    const before = contentOf(folder);
    expect(() => putBack(ledger, STAMP)).toThrow("exists");
    expect(contentOf(folder)).toEqual(before);
  });
});

test.each([
  ["a ledger in its place", ALL],
  ["a copy that was never to be put back", ALL.slice(3)],
  [
    "a ledger that was set aside long ago",
    [`ledger.db.undone-${STAMP}`, "ledger.db.before-handover-20260101T000000000Z"],
  ],
])("%s is left as it is", (_, names) => {
  const { folder, ledger } = newFolder(...names);
  const before = contentOf(folder);
  finishPutBack(ledger);
  expect(contentOf(folder)).toEqual(before);
});

describe("setting aside", () => {
  test("takes the log along, and writes over nothing", () => {
    const { folder, ledger } = newFolder("ledger.db", "ledger.db-wal");
    setAside(ledger, `${ledger}.moved`);
    expect(contentOf(folder)).toEqual({ "ledger.db.moved": "ledger.db", "ledger.db.moved-wal": "ledger.db-wal" });
    writeFileSync(ledger, "another");
    expect(() => setAside(ledger, `${ledger}.moved`)).toThrow("exists");
    expect(readFileSync(ledger, "utf8")).toBe("another");
  });

  test("of a log alone keeps it from the ledger that is to come; a ledger's own log stays", () => {
    const { folder, ledger } = newFolder("ledger.db-wal");
    setLogAside(ledger, STAMP);
    expect(readdirSync(folder)).toEqual([`ledger.db.left-${STAMP}-wal`]);
    writeFileSync(ledger, "a ledger");
    expect(() => setLogAside(ledger, STAMP)).toThrow("part of it");
  });
});
