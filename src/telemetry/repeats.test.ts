import { expect, test } from "bun:test";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { createLog, type LogFields } from "./log.ts";
import { REPEATS_TOLD_EVERY_MS } from "./repeats.ts";

type Line = LogFields & { readonly event: string; readonly repeated?: number };

/** A log whose periods end when the test says so. */
function startLog(level: "info" | "debug" = "info") {
  const timers = createManualTimers();
  const lines: Line[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text));
  const log = createLog({ level, format: "json", secrets: [], write, timers });
  return { log, lines, timers, endPeriod: () => timers.advance(REPEATS_TOLD_EVERY_MS) };
}

const failedCall = (attempt: number, path = "/ticker", status?: number) => ({
  event: "upstream_call",
  provider: "binance",
  url: `https://api.example.com${path}?at=${attempt}`,
  ok: false,
  attempt,
  latency_ms: attempt * 7,
  error: "upstream_unavailable",
  message: `binance: no answer within ${attempt} s`,
  ...(status === undefined ? {} : { status }),
});

test("the first line of a cause is written at once, the others are one line a period", async () => {
  const { log, lines, endPeriod } = startLog();
  for (let i = 1; i <= 500; i += 1) log.info(failedCall(i, `/ticker/${i}`));
  expect(lines).toHaveLength(1);
  await endPeriod();
  expect(lines).toHaveLength(2);
  // The newest of them, whole, and how many were not written since when.
  expect(lines[1]).toMatchObject({ ...failedCall(500, "/ticker/500"), repeated: 499, since: expect.any(String) });
  for (let i = 1; i <= 3; i += 1) log.info(failedCall(i));
  await endPeriod();
  expect(lines.map(({ repeated }) => repeated)).toEqual([undefined, 499, 3]);
});

test("a cause that ended is forgotten: it is news when it comes back", async () => {
  const { log, lines, timers, endPeriod } = startLog();
  log.warn({ event: "traces_not_sent", why: "refused" });
  await endPeriod();
  expect(lines).toHaveLength(1);
  // Nothing is left to wait for.
  expect(timers.set()).toEqual([]);
  log.warn({ event: "traces_not_sent", why: "refused" });
  expect(lines).toHaveLength(2);
});

test("another cause is never counted with it", () => {
  const { log, lines } = startLog();
  const others = [
    failedCall(1),
    failedCall(1, "/ticker", 503),
    { ...failedCall(1), provider: "kraken" },
    { ...failedCall(1), error: "upstream_timeout" },
    { ...failedCall(1), url: "https://other.example.com/ticker" },
    { event: "job_failed", job: "a", error: "no route" },
    { event: "job_failed", job: "b", error: "no route" },
    { event: "product_failed", product: "/a", kind: "failed", error: "TypeError: x", file: "a.ts", line: 3 },
    { event: "product_failed", product: "/a", kind: "failed", error: "TypeError: x", file: "a.ts", line: 4 },
    { event: "upstream_breaker", provider: "binance", url: "https://api.example.com/a", state: "open" },
    { event: "upstream_breaker", provider: "binance", url: "https://api.example.com/a", state: "closed" },
    { event: "settlements_unknown", open: 1 },
    { event: "settlements_unknown", open: 2 },
    { event: "never_seen", hint: "3 keys" },
    { event: "never_seen", hint: "4 keys" },
  ];
  for (const line of others) log.info(line);
  for (const line of others) log.info(line);
  log.error(failedCall(1));
  expect(lines).toHaveLength(others.length + 1);
});

test("a failure that reads otherwise each time is one cause while what fails is the same", async () => {
  const { log, lines, endPeriod } = startLog();
  const failures = [
    { event: "product_failed", product: "/a", kind: "failed", error: "no data (one: timeout, two: unavailable)" },
    { event: "product_failed", product: "/a", kind: "failed", error: "no data (one: unavailable)" },
    { event: "job_failed", job: "b", error: "one: not called for 3 s" },
    { event: "job_failed", job: "b", error: "one: no such name" },
    { event: "upstream_breaker", provider: "one", url: "https://api.example.com/a", state: "open" },
    { event: "upstream_breaker", provider: "one", url: "https://api.example.com/b", state: "half_open" },
    { event: "landing_not_read", receipt: "rcp_1", network: "base", error: "no answer within 3 s" },
    { event: "landing_not_read", receipt: "rcp_2", network: "base", error: "no answer within 4 s" },
  ];
  for (const line of failures) log.info(line);
  expect(lines).toHaveLength(failures.length / 2);
  await endPeriod();
  expect(lines.slice(failures.length / 2).map(({ repeated }) => repeated)).toEqual([1, 1, 1, 1]);
});

test("money, keys, operators' deeds and single calls are lines of their own, however alike", async () => {
  const { log, lines, endPeriod } = startLog();
  const each = [
    { event: "sale", product: "/price", amount: 10_000n },
    { event: "settle", network: "base", outcome: "settled" },
    { event: "admin_action", operation: "keys", ok: true, client: "127.0.0.1" },
    { event: "verify_refused", facilitator: "a", reason: "signature" },
    { event: "alert", alert: "disk", kind: "fresh", severity: "critical", title: "full" },
    { event: "state", status: "ok", reasons: [] },
    { event: "ledger_refuses", reason: "disk full" },
    { event: "failed_call", request_id: "req_1", code: "internal", cause: "x" },
    { event: "no_such_event_yet", payment: "pay_1" },
    { event: "no_such_event_yet", key: "key_1" },
  ];
  for (const line of each) for (let i = 0; i < 3; i += 1) log.warn(line);
  await endPeriod();
  expect(lines).toHaveLength(3 * each.length);
  expect(lines.some((line) => "repeated" in line)).toBe(false);
});

test("counted lines are written when the log is closed", () => {
  const { log, lines } = startLog();
  for (let i = 0; i < 4; i += 1) log.error({ event: "metrics_failed", error: new Error(`attempt ${i}`) });
  log.flush();
  log.flush();
  expect(lines.map(({ event, repeated, error }) => ({ event, repeated, error }))).toEqual([
    { event: "metrics_failed", repeated: undefined, error: "attempt 0" },
    { event: "metrics_failed", repeated: 3, error: "attempt 3" },
  ]);
});

test("at level debug every line is written, and so is every debug line", () => {
  const { log, lines } = startLog("debug");
  for (let i = 0; i < 3; i += 1) log.info(failedCall(1));
  for (let i = 0; i < 3; i += 1) log.debug({ event: "upstream_rows", provider: "a" });
  expect(lines).toHaveLength(6);
});

test("a line without its own text, and more causes than are kept, are written", () => {
  const { log, lines } = startLog();
  const own: Record<string, unknown> = {};
  own.self = own;
  for (let i = 0; i < 2; i += 1) log.info({ event: "circular", own });
  for (let i = 0; i < 5_000; i += 1) log.info({ event: "metrics_failed", path: `/${i}` });
  expect(lines).toHaveLength(5_002);
  log.info({ event: "metrics_failed", path: "/4999" });
  expect(lines).toHaveLength(5_002);
});
