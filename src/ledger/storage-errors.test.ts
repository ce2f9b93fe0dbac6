import { expect, test } from "bun:test";
import { isCertainlyUndone, renderStorageFault, storageFaultOf } from "./storage-errors.ts";

const errorOf = (code: string): Error => Object.assign(new Error("what SQLite says"), { code });

test.each([
  ["SQLITE_BUSY", "busy"],
  ["SQLITE_FULL", "failing"],
  ["SQLITE_IOERR_FSYNC", "failing"],
  ["SQLITE_READONLY_DBMOVED", "failing"],
  ["SQLITE_CORRUPT", "damaged"],
  ["SQLITE_NOTADB", "damaged"],
  ["SQLITE_IOERR_SHORT_READ", "damaged"],
  ["SQLITE_CONSTRAINT_CHECK", null],
  ["SQLITE_ERROR", null],
  ["ENOSPC", null],
] as const)("%s means that the file is %p", (code, fault) => {
  expect(storageFaultOf(errorOf(code))).toBe(fault);
});

test("an error that is not the database's never blames the disk", () => {
  for (const thrown of [new Error("plain"), "text", null, { code: "SQLITE_FULL" }]) {
    expect(storageFaultOf(thrown)).toBeNull();
  }
});

test("a commit whose sync failed may be there all the same, one whose write failed is not", () => {
  expect(isCertainlyUndone(errorOf("SQLITE_IOERR_WRITE"))).toBeTrue();
  expect(isCertainlyUndone(errorOf("SQLITE_FULL"))).toBeTrue();
  expect(isCertainlyUndone(errorOf("SQLITE_IOERR_FSYNC"))).toBeFalse();
  expect(isCertainlyUndone(errorOf("SQLITE_IOERR_SHMSIZE"))).toBeFalse();
});

test("the operator reads what is wrong, and never more than a line of it", () => {
  expect(renderStorageFault(errorOf("SQLITE_FULL"))).toBe("the disk that holds the ledger is full");
  expect(renderStorageFault(errorOf("SQLITE_IOERR_FSYNC"))).toContain("SQLITE_IOERR_FSYNC");
  expect(renderStorageFault(errorOf("SQLITE_READONLY"))).toContain("read-only");
  expect(renderStorageFault(new Error("x".repeat(5_000))).length).toBeLessThan(300);
});
