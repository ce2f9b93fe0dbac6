import { describe, expect, jest, test } from "bun:test";
import { Cron } from "croner";
import { isPreviewJob } from "./previews.ts";
import { createScheduler, type JobTimers, patternOf } from "./scheduler.ts";

test.each([
  [15_000, "*/15 * * * * *"],
  [7_000, "*/6 * * * * *"],
  [60_000, "0 */1 * * * *"],
  [15 * 60_000, "0 */15 * * * *"],
  [6 * 3_600_000, "0 0 */6 * * *"],
  [86_400_000, "0 0 0 * * *"],
])("a cadence of %d ms runs at %s", (every_ms, pattern) => {
  expect(patternOf(every_ms)).toBe(pattern);
  const cron = new Cron(pattern, { utcOffset: 0, paused: true });
  const [first, second] = cron.nextRuns(2);
  expect((second?.getTime() ?? 0) - (first?.getTime() ?? 0)).toBeLessThanOrEqual(every_ms);
});

const job = (id: string, run: () => Promise<void>) => ({ id, schedule: { every_ms: 3_600_000 }, at_start: true, run });

test("a start may leave jobs out", async () => {
  const ran: string[] = [];
  const note = (id: string) => job(id, async () => void ran.push(id));
  const scheduler = createScheduler({
    now_ms: () => 0,
    seed: "seed",
    log: () => undefined,
    jobs: [note("bars"), note("preview-x")],
  });
  await scheduler.runAtStart((id) => !isPreviewJob(id));
  expect(ran).toEqual(["bars"]);
});

test("what asks products begins when the last of the others has stored what they read", async () => {
  const ran: string[] = [];
  const slow = Promise.withResolvers<void>();
  const asking = { ...job("editions", async () => void ran.push("editions")), reads_stored: true };
  const filling = job("settlements", () => slow.promise.then(() => void ran.push("settlements")));
  const bars = job("bars", async () => void ran.push("bars"));
  const jobs = [asking, filling, bars];
  const scheduler = createScheduler({ now_ms: () => 0, seed: "seed", log: () => undefined, jobs });
  const started = scheduler.runAtStart();
  await Promise.resolve();
  slow.resolve();
  await started;
  expect(ran).toEqual(["bars", "settlements", "editions"]);
});

test("a job that fails is reported and stops nobody", async () => {
  const logged: unknown[] = [];
  const ran: string[] = [];
  const scheduler = createScheduler({
    now_ms: () => 0,
    seed: "seed",
    log: (event) => logged.push(event),
    jobs: [
      job("bad", async () => {
        throw new Error("broken");
      }),
      job("good", async () => {
        ran.push("good");
      }),
    ],
  });
  await scheduler.runAtStart();
  expect(ran).toEqual(["good"]);
  const place = { file: import.meta.path, line: expect.any(Number), stack: expect.stringContaining("Error: broken") };
  expect(logged).toEqual([{ event: "job_failed", job: "bad", error: "broken", ...place }]);
  expect(scheduler.status().find((entry) => entry.id === "bad")).toMatchObject({ failures: 1, last_error: "broken" });
});

test("a job never runs twice at once", async () => {
  let running = 0;
  let most = 0;
  const released = Promise.withResolvers<void>();
  const scheduler = createScheduler({
    now_ms: () => 0,
    seed: "seed",
    log: () => undefined,
    jobs: [
      job("slow", async () => {
        running += 1;
        most = Math.max(most, running);
        await released.promise;
        running -= 1;
      }),
    ],
  });
  const first = scheduler.runAtStart();
  const second = scheduler.runAtStart();
  released.resolve();
  await Promise.all([first, second]);
  expect(most).toBe(1);
});

test("a job whose run is not over when it is due again is left out, and goes on afterwards", async () => {
  jest.useFakeTimers({ now: Date.parse("2026-10-01T23:59:30Z") });
  try {
    const ran: string[] = [];
    const held = Promise.withResolvers<void>();
    const scheduler = createScheduler({
      now_ms: () => 0,
      seed: "seed",
      log: () => undefined,
      jobs: [
        {
          id: "quarterly",
          schedule: { cron: "*/15 * * * *" },
          at_start: false,
          run: async () => {
            ran.push(new Date().toISOString().slice(0, 16));
            if (ran.length === 2) await held.promise;
          },
        },
      ],
    });
    scheduler.start();
    const live = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        jest.advanceTimersByTime(60_000);
        for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      }
    };
    await live(46);
    expect(ran).toEqual(["2026-10-02T00:00", "2026-10-02T00:15"]);
    held.resolve();
    await live(30);
    expect(ran.slice(2)).toEqual(["2026-10-02T01:00", "2026-10-02T01:15"]);
    expect(scheduler.status()[0]).toMatchObject({ runs: 4, next_run: "2026-10-02T01:30:00.000Z" });
    await scheduler.stop();
    await live(30);
    expect(ran).toHaveLength(4);
  } finally {
    jest.useRealTimers();
  }
});

describe("a job that retries", () => {
  /** Timers whose pauses end when the test says so. */
  const createHeldTimers = () => {
    const pauses: { readonly ms: number; readonly end: () => void }[] = [];
    const marks: (() => Promise<void>)[] = [];
    const timers: JobTimers = {
      start: (_, fire) => {
        marks.push(fire);
        return { next: () => null, stop: () => undefined };
      },
      pause: (ms) => new Promise((end) => pauses.push({ ms, end })),
    };
    const settle = () => Bun.sleep(0);
    return {
      timers,
      pauses,
      async endPause() {
        pauses.at(-1)?.end();
        await settle();
      },
      /** The mark and its jitter. */
      async mark() {
        const fired = marks[0]?.();
        pauses.at(-1)?.end();
        await fired;
        await settle();
      },
    };
  };
  const failing = (failures: number) => {
    const runs: string[] = [];
    const run = async () => {
      runs.push(runs.length < failures ? "failed" : "fine");
      if (runs.at(-1) === "failed") throw new Error("no answer");
    };
    return { runs, jobs: [{ ...job("sample", run), retries: true }] };
  };

  test("is run again soon, each time a little later, until it succeeds", async () => {
    const held = createHeldTimers();
    const { runs, jobs } = failing(7);
    const scheduler = createScheduler({
      now_ms: () => 0,
      seed: "seed",
      log: () => undefined,
      jobs,
      timers: held.timers,
    });
    await scheduler.runAtStart();
    for (let times = 0; times < 8; times += 1) await held.endPause();
    expect(runs).toEqual([...Array.from({ length: 7 }, () => "failed"), "fine"]);
    expect(held.pauses.map(({ ms }) => ms / 1000)).toEqual([30, 60, 120, 240, 480, 600, 600]);
  });

  test("is left to its next mark when that comes first, and to the node's end", async () => {
    const held = createHeldTimers();
    const { runs, jobs } = failing(1);
    const scheduler = createScheduler({
      now_ms: () => 0,
      seed: "seed",
      log: () => undefined,
      jobs,
      timers: held.timers,
    });
    scheduler.start();
    await held.mark();
    const [, retry] = held.pauses;
    await held.mark();
    expect(runs).toEqual(["failed", "fine"]);
    retry?.end();
    await Bun.sleep(0);
    expect(runs).toHaveLength(2);
    const other = failing(9);
    const stopped = createScheduler({
      now_ms: () => 0,
      seed: "s",
      log: () => undefined,
      jobs: other.jobs,
      timers: held.timers,
    });
    await stopped.runAtStart();
    await stopped.stop();
    await held.endPause();
    expect(other.runs).toHaveLength(1);
  });
});

test("a job of the start whose turn comes after the node was stopped does not begin", async () => {
  const turn = Promise.withResolvers<void>();
  const runs: string[] = [];
  const run = async () => void runs.push("ran");
  const scheduler = createScheduler({
    jobs: [{ id: "feeds", schedule: { every_ms: 60_000 }, at_start: true, run }],
    seed: "s",
    log: () => undefined,
    now_ms: () => 0,
    turn: () => turn.promise,
  });
  const started = scheduler.runAtStart();
  await scheduler.stop();
  turn.resolve();
  await started;
  expect(runs).toEqual([]);
});
