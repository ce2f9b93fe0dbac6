import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGasBudget } from "./gas-budget.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const folder = mkdtempSync(join(tmpdir(), "gas-budget-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let now_ms = 0;
let file = "";
let files = 0;
beforeEach(() => {
  now_ms = 1_800_000_000_000;
  files += 1;
  file = join(folder, `gas-${files}.json`);
});
const open = (cap = 100n) => openGasBudget({ file, cap, clock: { now: () => now_ms } });

describe("in any hour no more is spent than the cap", () => {
  test("what goes over it is not booked, what fits is", async () => {
    const budget = open();
    expect(await budget.reserve(60n)).not.toBeNull();
    expect(await budget.reserve(41n)).toBeNull();
    expect(budget.left()).toBe(40n);
    expect(await budget.reserve(40n)).not.toBeNull();
    expect(budget.left()).toBe(0n);
  });

  test("also of many at once", async () => {
    const budget = open();
    const booked = await Promise.all(Array.from({ length: 50 }, () => budget.reserve(9n)));
    expect(booked.filter((one) => one !== null)).toHaveLength(11);
  });

  test("also over a restart at any moment: it is on disk before it is spent", async () => {
    const budget = open();
    await budget.reserve(70n);
    expect(open().left()).toBe(30n);
  });

  test("also by one who starts with a lower cap", async () => {
    await open().reserve(70n);
    expect(open(50n).left()).toBe(0n);
  });

  test("an hour later it is free again, minute by minute", async () => {
    const budget = open();
    await budget.reserve(30n);
    now_ms += 30 * MINUTE_MS;
    await budget.reserve(70n);
    expect(budget.left()).toBe(0n);
    now_ms += 30 * MINUTE_MS;
    expect(budget.left()).toBe(30n);
    now_ms += 30 * MINUTE_MS;
    expect(budget.left()).toBe(100n);
  });
});

describe("a clock that was wrong", () => {
  test("by being ahead neither lifts the cap nor holds it for longer than an hour", async () => {
    now_ms += 40 * 24 * HOUR_MS;
    const budget = open();
    await budget.reserve(80n);
    now_ms -= 40 * 24 * HOUR_MS;
    expect(budget.left()).toBe(20n);
    expect(open().left()).toBe(20n);
    now_ms += HOUR_MS;
    expect(budget.left()).toBe(100n);
  });
});

describe("what it did cost in the end", () => {
  test("gives the rest back, once", async () => {
    const budget = open();
    const spending = await budget.reserve(90n);
    spending?.correct(10n);
    expect(budget.left()).toBe(90n);
    spending?.correct(10n);
    spending?.correct(50n);
    expect(budget.left()).toBe(90n);
  });

  test("comes too late after an hour, and changes nothing then", async () => {
    const budget = open();
    const spending = await budget.reserve(90n);
    now_ms += HOUR_MS;
    expect(budget.left()).toBe(100n);
    spending?.correct(0n);
    expect(budget.left()).toBe(100n);
  });
});

describe("a part of the cap", () => {
  const part = { name: "payer one", divisor: 10n };
  const other = { name: "payer two", divisor: 10n };

  test("is used up only by its holder", async () => {
    const budget = open();
    await budget.reserve(9n, part);
    expect(budget.isUsedUp(part)).toBe(false);
    await budget.reserve(9n, part);
    expect([budget.isUsedUp(part), budget.isUsedUp(other)]).toEqual([true, false]);
    expect(budget.left()).toBe(82n);
    now_ms += HOUR_MS;
    expect(budget.isUsedUp(part)).toBe(false);
  });

  test("is given back with what it cost less", async () => {
    const budget = open();
    const spending = await budget.reserve(50n, part);
    spending?.correct(0n);
    expect([budget.isUsedUp(part), budget.left()]).toEqual([false, 100n]);
  });
});

describe("the file", () => {
  test("is readable by its owner only, holds an hour at most and leaves nothing beside it", async () => {
    const budget = open(1_000_000n);
    for (let minute = 0; minute < 200; minute++) {
      await budget.reserve(1n);
      now_ms += MINUTE_MS;
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8")).minutes).length).toBeLessThanOrEqual(60);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test.each(["", "{}", "not json", '{"version":2,"minutes":{}}', '{"version":1,"minutes":{"1":-5}}'])(
    "that cannot be read (%j) stops the start, with what to do",
    (text) => {
      writeFileSync(file, text);
      expect(() => open()).toThrow("delete it to count from nothing");
    },
  );

  test("that cannot be written keeps the money where it is", async () => {
    const budget = openGasBudget({ file: join(folder, "nowhere", "gas.json"), cap: 9n, clock: { now: () => now_ms } });
    await expect(budget.reserve(1n)).rejects.toThrow();
  });
});
