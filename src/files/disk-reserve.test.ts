import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freeReserve, keepReserve, RESERVE_BYTES, RESERVE_FILE } from "./disk-reserve.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "disk-reserve-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const reserve = (): string => join(folder, RESERVE_FILE);
/** A disk whose room is what is left beside the reserve. */
const disk = (beside: number) => ({ readFree: () => (existsSync(reserve()) ? beside : beside + RESERVE_BYTES) });
const PLENTY = { readFree: () => 1e12 };

describe("the reserve of the disk", () => {
  test("is made once where there is plenty of room, for this user alone", async () => {
    expect(await keepReserve(folder, PLENTY)).toBe(true);
    const { size, mode, mtimeMs } = statSync(reserve());
    expect([size, mode & 0o777]).toEqual([RESERVE_BYTES, 0o600]);
    expect(await keepReserve(folder, PLENTY)).toBe(true);
    expect(statSync(reserve()).mtimeMs).toBe(mtimeMs);
  });

  test("is not made where it would take a good part of what is free", async () => {
    expect(await keepReserve(folder, { readFree: () => 5 * RESERVE_BYTES })).toBe(false);
    expect(existsSync(reserve())).toBe(false);
  });

  test("makes room for a start on a full disk", async () => {
    await keepReserve(folder, PLENTY);
    expect(freeReserve(folder, disk(0))).toBe(true);
    expect(existsSync(reserve())).toBe(false);
  });

  test("stays where there is room", async () => {
    await keepReserve(folder, PLENTY);
    expect(freeReserve(folder, PLENTY)).toBe(false);
    expect(existsSync(reserve())).toBe(true);
  });

  test("without it a start on a full disk says what is the matter and what to do", () => {
    const start = () => freeReserve(folder, { readFree: () => 4_096 });
    expect(start).toThrow(`the disk that holds ${folder} is full: 4 KiB are free. Make room`);
  });

  test("one that was cut off while it was written is no reserve, and is written anew", async () => {
    writeFileSync(`${reserve()}.new`, "half");
    expect(await keepReserve(folder, PLENTY)).toBe(true);
    expect(statSync(reserve()).size).toBe(RESERVE_BYTES);
    expect(existsSync(`${reserve()}.new`)).toBe(false);
  });

  test("what was cut off takes no room on a full disk", () => {
    writeFileSync(`${reserve()}.new`, "half");
    const is_there = () => existsSync(`${reserve()}.new`);
    expect(freeReserve(folder, { readFree: () => (is_there() ? 0 : RESERVE_BYTES) })).toBe(true);
  });

  test("is written a piece at a time: other work comes between", async () => {
    let turns = 0;
    let is_over = false;
    const turn = () => {
      turns += 1;
      if (!is_over) setImmediate(turn);
    };
    setImmediate(turn);
    await keepReserve(folder, PLENTY);
    is_over = true;
    expect(turns).toBeGreaterThan(0);
  });
});
