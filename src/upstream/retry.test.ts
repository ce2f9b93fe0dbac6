import { expect, test } from "bun:test";
import { fc } from "../../test/helpers/properties.ts";
import { UpstreamError } from "../core/errors.ts";
import { getRetryWait, parseRetryAfter } from "./retry.ts";

const NOW_MS = Date.parse("2026-03-01T12:00:00Z");

test("Retry-After is read as seconds or as an HTTP date", () => {
  expect(parseRetryAfter("0", NOW_MS)).toBe(0);
  expect(parseRetryAfter(" 7 ", NOW_MS)).toBe(7_000);
  expect(parseRetryAfter("Sun, 01 Mar 2026 12:00:30 GMT", NOW_MS)).toBe(30_000);
});

test("a Retry-After in the past means no pause, and no pause is longer than 15 minutes", () => {
  expect(parseRetryAfter("Sun, 01 Mar 2026 11:00:00 GMT", NOW_MS)).toBe(0);
  expect(parseRetryAfter("86400", NOW_MS)).toBe(900_000);
  expect(parseRetryAfter("Mon, 02 Mar 2026 12:00:00 GMT", NOW_MS)).toBe(900_000);
});

test.each([null, "", "soon", "-5", "NaN"])("the Retry-After %p means nothing or no wait, never NaN", (header) => {
  expect(parseRetryAfter(header, NOW_MS) ?? 0).toBe(0);
});

test("backoff stays within its limits and within the remaining time", () => {
  const error = new UpstreamError("upstream_unavailable", "x", "x");
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 0, max: 10_000 }),
      (round, draw, remaining_ms) => {
        const wait_ms = getRetryWait({ round, error, remaining_ms, random: () => draw });
        if (wait_ms === null) return remaining_ms < 2_000;
        return wait_ms >= 0 && wait_ms <= Math.min(remaining_ms, 2_000, 200 * 2 ** (round - 1));
      },
    ),
  );
});

test("a stated pause is waited out in full, unless it is above 5 s or above the remaining time", () => {
  const wait = (retry_after_s: number, remaining_ms: number) =>
    getRetryWait({
      round: 1,
      error: new UpstreamError("upstream_rate_limited", "x", "x", { retry_after_s }),
      remaining_ms,
      random: () => 0,
    });
  expect(wait(3, 60_000)).toBe(3_010);
  expect(wait(5, 60_000)).toBe(5_010);
  expect(wait(6, 60_000)).toBe(null);
  expect(wait(3, 3_000)).toBe(null);
});
