import { expect, test } from "bun:test";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { createClockTimers } from "./clock-timers.ts";
import { createScheduler, type ScheduledJob } from "./scheduler.ts";

const START_MS = Date.parse("2026-11-01T00:00:30Z");

/** A clock that only moves when it is moved. */
function createStoppedClock() {
  let now_ms = START_MS;
  return {
    now: () => now_ms,
    set: (to_ms: number) => {
      now_ms = to_ms;
    },
    advance: (ms: number) => {
      now_ms += ms;
    },
  };
}

function createWorld(jobs: (note: (id: string) => void) => readonly ScheduledJob[]) {
  const clock = createStoppedClock();
  const elapsed = createManualTimers();
  const timers = createClockTimers(clock, elapsed);
  const ran: string[] = [];
  const note = (id: string) => ran.push(`${id} ${new Date(clock.now()).toISOString().slice(5, 16)}`);
  const scheduler = createScheduler({ now_ms: () => 0, jobs: jobs(note), seed: "seed", log: () => undefined, timers });
  scheduler.start();
  return { clock, elapsed, timers, ran, scheduler };
}

const cron = (id: string, pattern: string, run: () => Promise<void>): ScheduledJob => ({
  id,
  schedule: { cron: pattern },
  at_start: false,
  run,
});

test("every mark on the way is lived once, in order, and the clock ends where it was sent", async () => {
  const { clock, timers, ran, scheduler } = createWorld((note) => [
    cron("hourly", "0 * * * *", async () => note("hourly")),
    cron("early", "50 * * * *", async () => note("early")),
  ]);
  await timers.liveTo(START_MS + 2.5 * 3_600_000);
  expect(ran).toEqual(["early 11-01T00:50", "hourly 11-01T01:00", "early 11-01T01:50", "hourly 11-01T02:00"]);
  expect(clock.now()).toBe(START_MS + 2.5 * 3_600_000);
  await timers.liveTo(START_MS);
  expect([ran.length, clock.now()]).toEqual([4, START_MS + 2.5 * 3_600_000]);
  await scheduler.stop();
});

test("time goes on only when a run has ended", async () => {
  let over = 0;
  const { clock, timers, scheduler } = createWorld((note) => [
    cron("slow", "0 * * * *", async () => {
      const begun_ms = clock.now();
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (clock.now() === begun_ms) over += 1;
      note("slow");
    }),
    cron("often", "* * * * *", async () => undefined),
  ]);
  await Promise.all([timers.liveTo(START_MS + 3_600_000), timers.liveTo(START_MS + 2 * 3_600_000)]);
  expect(over).toBe(2);
  await scheduler.stop();
});

test("a mark on the way is lived, also when the pause that spreads nodes goes beyond the end", async () => {
  const { timers, ran, scheduler } = createWorld((note) => [
    cron("hourly", "0 * * * *", async () => note("hourly")),
    cron("early", "50 * * * *", async () => note("early")),
  ]);
  await timers.liveTo(Date.parse("2026-11-01T01:00:00Z"));
  expect(ran).toEqual(["early 11-01T00:50", "hourly 11-01T01:00"]);
  // It was brought forward, not doubled.
  await timers.liveTo(Date.parse("2026-11-01T01:30:00Z"));
  expect(ran).toHaveLength(2);
  await scheduler.stop();
});

test("a failed run is tried again when its pause is over, not where the clock was sent", async () => {
  const { timers, ran, scheduler } = createWorld((note) => [
    {
      ...cron("hourly", "0 * * * *", async () => {
        note("hourly");
        throw new Error("no");
      }),
      retries: true,
    },
  ]);
  await timers.liveTo(Date.parse("2026-11-01T01:00:10Z"));
  expect(ran).toHaveLength(1);
  await timers.liveTo(Date.parse("2026-11-01T01:00:45Z"));
  expect(ran).toHaveLength(2);
  await scheduler.stop();
});

test("what was under way before has ended before time goes on: no mark on the way finds its job busy", async () => {
  const { timers, ran, scheduler } = createWorld((note) => [
    cron("slow", "0 * * * *", async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      note("slow");
    }),
  ]);
  const under_way = scheduler.runNow("slow");
  await timers.liveTo(Date.parse("2026-11-01T01:30:00Z"));
  await under_way;
  expect(ran).toEqual(["slow 11-01T00:00", "slow 11-01T01:00"]);
  await scheduler.stop();
});

test("of a job whose older runs leave nothing behind only the last ones are lived", async () => {
  const { timers, ran, scheduler } = createWorld((note) => [
    { ...cron("newest", "*/10 * * * *", async () => note("newest")), skipping: { runs_kept: 2 } },
    cron("hourly", "0 * * * *", async () => note("hourly")),
  ]);
  await timers.liveTo(START_MS + 2.6 * 3_600_000);
  expect(ran).toEqual(["hourly 11-01T01:00", "hourly 11-01T02:00", "newest 11-01T02:20", "newest 11-01T02:30"]);
  await scheduler.stop();
});

test("what a kept run reads was stored at the last mark before it, also by way of another job", async () => {
  const { timers, ran, scheduler } = createWorld((note) => [
    { ...cron("shown", "0 */3 * * *", async () => note("shown")), skipping: { runs_kept: 2, reads: true } },
    {
      ...cron("between", "30 */3 * * *", async () => note("between")),
      skipping: { runs_kept: 1, reads: true, feeds: true },
    },
    { ...cron("stored", "*/5 * * * *", async () => note("stored")), skipping: { runs_kept: 1, feeds: true } },
    { ...cron("own", "10 * * * *", async () => note("own")), skipping: { runs_kept: 1 } },
  ]);
  await timers.liveTo(Date.parse("2026-11-03T13:21:00Z"));
  expect(ran).toEqual([
    "stored 11-03T06:25",
    "between 11-03T06:30",
    "stored 11-03T08:55",
    "shown 11-03T09:00",
    "stored 11-03T09:25",
    "between 11-03T09:30",
    "stored 11-03T11:55",
    "shown 11-03T12:00",
    "stored 11-03T12:25",
    "between 11-03T12:30",
    "own 11-03T13:10",
    "stored 11-03T13:20",
  ]);
  // From there on every mark counts again.
  await timers.liveTo(Date.parse("2026-11-03T13:26:00Z"));
  expect(ran.slice(12)).toEqual(["stored 11-03T13:25"]);
  await scheduler.stop();
});

test("marks are due by the clock when nobody moves it; one that was missed is made up for once", async () => {
  const { clock, elapsed, ran, scheduler } = createWorld((note) => [
    cron("hourly", "0 * * * *", async () => note("hourly")),
  ]);
  const live = async (ms: number) => {
    clock.advance(ms);
    await elapsed.advance(1_000);
    // The pause after a mark is by the clock, too.
    clock.advance(20_000);
    await elapsed.advance(1_000);
  };
  await live(60_000);
  expect(ran).toEqual([]);
  await live(3_600_000);
  expect(ran).toHaveLength(1);
  await live(40 * 86_400_000);
  expect(ran).toHaveLength(2);
  await live(-86_400_000);
  expect(ran).toHaveLength(2);
  await live(3_600_000);
  expect(ran).toHaveLength(3);
  await scheduler.stop();
  await live(86_400_000);
  expect([ran.length, elapsed.set().length]).toEqual([3, 0]);
});
