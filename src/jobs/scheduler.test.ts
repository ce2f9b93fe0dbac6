import { expect, jest, test } from "bun:test";
import { Cron } from "croner";
import { isPreviewJob } from "./previews.ts";
import { createScheduler, patternOf } from "./scheduler.ts";

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
  const scheduler = createScheduler({ seed: "seed", log: () => undefined, jobs: [note("bars"), note("preview-x")] });
  await scheduler.runAtStart((id) => !isPreviewJob(id));
  expect(ran).toEqual(["bars"]);
});

test("a job that fails is reported and stops nobody", async () => {
  const logged: unknown[] = [];
  const ran: string[] = [];
  const scheduler = createScheduler({
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
  expect(logged).toEqual([{ event: "job_failed", job: "bad", error: "broken" }]);
  expect(scheduler.status().find((entry) => entry.id === "bad")).toMatchObject({ failures: 1, last_error: "broken" });
});

test("a job never runs twice at once", async () => {
  let running = 0;
  let most = 0;
  const released = Promise.withResolvers<void>();
  const scheduler = createScheduler({
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

test("a job whose run is not over when its time comes round again is left out, and goes on afterwards", async () => {
  jest.useFakeTimers({ now: Date.parse("2026-10-01T23:59:30Z") });
  try {
    const ran: string[] = [];
    const held = Promise.withResolvers<void>();
    const scheduler = createScheduler({
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
