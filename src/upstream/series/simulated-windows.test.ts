import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createHistory, SERIES_SCHEMA } from "../../stores/history.ts";
import { withSimulatedWindows } from "./simulated-windows.ts";

const KEY = "market/bars-1h/BTC";
const window = (close: number) => ({ at_ms: close, value: { bars: [[close - 1, 1, 2, 1, 2, 3]] } });

function open() {
  const db = new Database(":memory:");
  db.run(SERIES_SCHEMA);
  const stored = createHistory(db);
  let reads = 0;
  const read: typeof stored.read = (...given) => {
    reads += 1;
    return stored.read(...given);
  };
  const counted = { ...stored, read };
  // No test reads what no job has stored: the simulated world is not looked at.
  const history = withSimulatedWindows(counted, {} as never, () => 0);
  return { stored, history, countReads: () => reads };
}

test("the newest window is read from the store no more than once, whoever asks", async () => {
  const { history, countReads } = open();
  await history.write(KEY, [window(1_000)]);
  const before = countReads();
  for (const until_ms of [1_000, 1_500, 9_000]) {
    expect(await history.read(KEY, { until_ms, limit: 1 })).toEqual([window(1_000)]);
  }
  await history.write(KEY, [window(2_000)]);
  expect(await history.read(KEY, { limit: 1 })).toEqual([window(2_000)]);
  expect(countReads()).toBe(before);
});

test("an earlier moment and several windows are read from the store", async () => {
  const { history } = open();
  await history.write(KEY, [window(1_000)]);
  await history.write(KEY, [window(2_000)]);
  expect(await history.read(KEY, { until_ms: 1_999, limit: 1 })).toEqual([window(1_000)]);
  expect(await history.read(KEY)).toEqual([window(1_000), window(2_000)]);
  await history.write(KEY, [window(1_000)]);
  expect(await history.read(KEY, { limit: 1 })).toEqual([window(2_000)]);
});

test("what an earlier process stored later is not hidden by what is written now", async () => {
  const { stored, history } = open();
  await stored.write(KEY, [window(5_000)]);
  await history.write(KEY, [window(2_000)]);
  expect(await history.read(KEY, { until_ms: 9_000, limit: 1 })).toEqual([window(5_000)]);
  expect(await history.read(KEY, { until_ms: 3_000, limit: 1 })).toEqual([window(2_000)]);
});

test("what was pruned is gone", async () => {
  const { history } = open();
  await history.write("market/bars-1h/NONE", [window(1_000)]);
  await history.prune("market/bars-1h/NONE", 2_000);
  expect(await history.read("market/bars-1h/NONE", { limit: 1 })).toEqual([]);
});
