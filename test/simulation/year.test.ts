import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { noteSkipped } from "../helpers/debian-package.ts";
import { EFFORT } from "../helpers/effort.ts";
import { type LivedYear, liveYear } from "./year/live-year.ts";
import type { Told } from "./year/year-world.ts";

/**
 * A year of a shop, or some days of one, with twelve incidents. A lived day of all built-in products and their jobs
 * takes 150 s of a processor, so this shop sells three small products of the test's own, and what lives the year is
 * what answers for money: payments, keys, books, alerts, state, retention, comparison with the chain.
 */
const DAYS = EFFORT === "quick" ? 4 : 365;
const PAYMENTS = 50;
const CALLS = 450;
/** Told for each day and each node, whatever happens. */
const ORDINARY: readonly string[] = ["daily", "first-sale"];

let year: LivedYear;
beforeAll(async () => {
  const began_ms = performance.now();
  year = await liveYear({
    days: DAYS,
    payments: PAYMENTS,
    calls: CALLS,
    onDay(day, { payments, calls }) {
      if (EFFORT === "quick" || day % 10 !== 0) return;
      const { user, system } = process.cpuUsage();
      const cpu_s = Math.round((user + system) / 1e6);
      const took_s = Math.round((performance.now() - began_ms) / 1_000);
      console.info(`day ${day}: ${payments} payments, ${calls} calls, ${took_s} s, ${cpu_s} s of processor`);
    },
  });
  if (year.no_disk !== null) noteSkipped("a full disk in a simulated year", year.no_disk);
  if (EFFORT !== "quick") console.info(year.books, year.chain, year.files, year.book_bytes, year.log_bytes);
});

const toldOf = (event: string, type: string): readonly Told[] =>
  year.told.filter((one) => one.type === type && one.alerts.some((id) => id.split(":")[0] === event));

describe("at the end of the year", () => {
  test("the books are equal to the chain's to the unit", () => {
    const { books, chain, explained, tally } = year;
    // What the books of a backup lack is in the wallet, and the operator wrote down what it is.
    expect(books.received.amount + explained).toBe(chain.amount);
    expect(books.never_landed).toEqual({ count: 3, amount: tally.lied });
    expect(books.settled).toEqual({ count: tally.payments, amount: tally.paid });
    expect(year.audit).toMatchObject({ ok: true, findings: [] });
  });

  test("each call by key was charged once, at its price, and the rest of the credit is there", () => {
    const { books, balance, tally } = year;
    expect(balance).toBe(tally.credit - tally.called);
    expect(books.unearned).toBe(balance);
    expect(books.sold).toBe(tally.paid - tally.credit + tally.called);
    expect(books.given).toBe(0n);
  });

  test("so much was sold as was to be sold, and no refusal was charged", () => {
    const { faults, tally } = year;
    expect(faults).toEqual([]);
    expect(tally.payments).toBeGreaterThanOrEqual(DAYS * PAYMENTS - 2 * PAYMENTS);
    expect(tally.payments + tally.calls).toBeGreaterThanOrEqual(DAYS * (PAYMENTS + CALLS) - PAYMENTS - CALLS);
  });
});

describe("each of twelve incidents", () => {
  test("was lived", () => {
    expect(year.incidents).toHaveLength(12);
  });

  test("is told once within its time, and its end once", () => {
    const seen = year.incidents.flatMap(({ name, told_within_ms, began_ms }) =>
      Object.entries(told_within_ms)
        .filter(([event]) => year.no_disk === null || (event !== "ledger" && event !== "disk"))
        .map(([event, within_ms]) => {
          const [opened, ...more] = toldOf(event, "alert.opened");
          const late_ms = (opened?.at_ms ?? Number.POSITIVE_INFINITY) - began_ms - within_ms;
          return { name, event, again: more.length, is_in_time: late_ms <= 0 };
        }),
    );
    expect(seen.filter(({ again, is_in_time }) => again > 0 || !is_in_time)).toEqual([]);
    expect(seen.length).toBeGreaterThanOrEqual(year.no_disk === null ? 9 : 7);
    for (const { event } of seen) expect([event, toldOf(event, "alert.closed").length <= 1]).toEqual([event, true]);
  });

  test("and nothing else is told but each day's sum and the first sale, once each", () => {
    const known = new Set([...ORDINARY, ...year.incidents.flatMap((one) => Object.keys(one.told_within_ms))]);
    const others = year.told.filter(({ alerts }) => alerts.some((id) => !known.has(id.split(":")[0] ?? "")));
    expect(others).toEqual([]);
    expect(toldOf("first-sale", "alert.told")).toHaveLength(1);
    const days = toldOf("daily", "alert.told").flatMap(({ alerts }) => alerts);
    expect(days.length).toBeGreaterThanOrEqual(DAYS);
    expect(new Set(days).size).toBe(days.length);
    expect(year.told.filter(({ type }) => type === "alert.reminded")).toEqual([]);
  });
});

/** What the operator's page states: bytes of books and of log, a call by key and a single payment. */
function readStated(access: string): { readonly books: number; readonly log: number } {
  const page = readFileSync(join(import.meta.dir, "../../docs/operator/growth.md"), "utf8");
  const row = page.split("\n").find((line) => line.startsWith(`| ${access} |`)) ?? "";
  const [books = 0, , log = 0] = row
    .split("|")
    .slice(2, 5)
    .map((cell) => Number(cell.replace(",", "")));
  return { books, log };
}

describe("the files", () => {
  /** What a new ledger is before anything was sold, and what alerts and documents of a year write. */
  const EMPTY_BYTES = 500_000;
  const LOG_OF_A_DAY = 20_000;

  test("have grown as the operator's page states, and not beyond", () => {
    const { tally, book_bytes, log_bytes } = year;
    const [call, payment] = [readStated("call by key"), readStated("single payment")];
    expect(call.books * payment.books).toBeGreaterThan(0);
    const stated = call.books * tally.calls + payment.books * tally.payments;
    expect(book_bytes).toBeLessThanOrEqual(stated + EMPTY_BYTES);
    if (EFFORT !== "quick") expect(book_bytes).toBeGreaterThan(stated / 2);
    const log_stated = call.log * (tally.calls + tally.refused) + payment.log * tally.payments;
    expect(log_bytes).toBeLessThanOrEqual(log_stated + LOG_OF_A_DAY * (DAYS + 2));
  });

  test("that are not the books stay small", () => {
    const { "ledger.db": books = 0, "ledger.db-wal": log = 0, "inputs.db": inputs = 0, ...rest } = year.files;
    // What a full disk is met with: 16 MiB, by docs/operator/growth.md.
    const { "disk-reserve": reserve = 0, ...others } = rest;
    expect(reserve).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(books).toBeGreaterThan(0);
    expect(log).toBeLessThanOrEqual(64 * 1024 * 1024);
    expect(inputs).toBeLessThanOrEqual(512 * 1024 * 1024);
    expect(Object.entries(others).filter(([, bytes]) => bytes > 5_000_000)).toEqual([]);
  });
});
