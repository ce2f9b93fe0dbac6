import { expect, test } from "bun:test";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { LATE_MS, runStart, START_PARALLEL, STORED_WITHIN_MS, type StartJob } from "./start-queue.ts";

/** Runs jobs that end when the test says so, and notes the order in which they began. */
function startQueue(jobs: readonly StartJob[]) {
  const timers = createManualTimers();
  const began: string[] = [];
  const ends = new Map<string, (is_well: boolean) => void>();
  const state = { stopped: false, done: false };
  const whole = runStart({
    jobs,
    timers,
    isStopped: () => state.stopped,
    run({ id }) {
      began.push(id);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      ends.set(id, resolve);
      return promise;
    },
  }).then(() => {
    state.done = true;
  });
  const end = async (id: string, is_well = true): Promise<void> => {
    ends.get(id)?.(is_well);
    await timers.advance(0);
  };
  return { timers, began, end, state, whole };
}

const many = (count: number, of: Partial<StartJob> & { readonly id: string }): StartJob[] =>
  Array.from({ length: count }, (_, n) => ({ ...of, id: `${of.id}${n}` }));

test("what is worth most begins first, so many at a time", async () => {
  const { began, end } = startQueue([
    ...many(START_PARALLEL, { id: "preview", start_rank: 5 }),
    ...many(START_PARALLEL, { id: "list", start_rank: 1 }),
  ]);
  expect(began).toEqual(many(START_PARALLEL, { id: "list" }).map(({ id }) => id));
  await end("list3");
  expect(began.at(-1)).toBe("preview0");
  expect(began).toHaveLength(START_PARALLEL + 1);
});

test("dead providers hold nobody up: one place each for a while, and what else asks them comes last", async () => {
  const { began, end, timers, state, whole } = startQueue([
    ...many(START_PARALLEL, { id: "dead", provider_ids: ["dead"] }),
    ...many(3, { id: "dead-again", provider_ids: ["dead"] }),
    { id: "either", provider_ids: ["dead", "alive"] },
    ...many(4, { id: "alive", provider_ids: ["alive"] }),
  ]);
  await timers.advance(LATE_MS);
  expect(began.slice(START_PARALLEL)).toEqual(["either", "alive0", "alive1", "alive2", "alive3", "dead-again0"]);
  for (const id of [...began]) await end(id, !id.startsWith("dead"));
  expect(began.slice(-2)).toEqual(["dead-again1", "dead-again2"]);
  expect(state.done).toBe(false);
  for (const id of began.slice(-2)) await end(id, false);
  await whole;
});

test("what asks products waits for what is stored, but not for ever, and never for the dead", async () => {
  const asking = { id: "asking", reads_stored: true, start_rank: 3 };
  const waits = startQueue([{ id: "bars" }, asking, { id: "other", start_rank: 4 }]);
  expect(waits.began).toEqual(["bars", "other"]);
  await waits.timers.advance(STORED_WITHIN_MS - 1);
  expect(waits.began).toHaveLength(2);
  await waits.timers.advance(1);
  expect(waits.began).toEqual(["bars", "other", "asking"]);

  const previews = startQueue([
    { id: "own", start_rank: 0 },
    { id: "bars", start_rank: 2 },
    { ...asking, id: "signals" },
    { ...asking, id: "home", start_rank: 4 },
    { ...asking, id: "page", start_rank: 5 },
  ]);
  expect(previews.began).toEqual(["own", "bars"]);
  await previews.end("bars");
  expect(previews.began).toEqual(["own", "bars", "signals"]);
  // Neither what hangs of the node's own, nor another preview, is waited for.
  await previews.end("signals");
  expect(previews.began).toEqual(["own", "bars", "signals", "home", "page"]);

  const fed = startQueue([{ id: "bars" }, asking]);
  await fed.end("bars");
  expect(fed.began).toEqual(["bars", "asking"]);

  const dead = startQueue([
    { id: "one", provider_ids: ["dead"] },
    ...many(9, { id: "bars", provider_ids: ["dead"] }),
    asking,
  ]);
  for (const id of [...dead.began]) await dead.end(id, false);
  expect(dead.began[START_PARALLEL]).toBe("asking");
});

test("a start that is stopped begins nothing more, and is over when what runs is", async () => {
  const { began, end, state, whole } = startQueue(many(START_PARALLEL + 2, { id: "job" }));
  state.stopped = true;
  for (const id of [...began]) await end(id);
  await whole;
  expect(began).toHaveLength(START_PARALLEL);
});
