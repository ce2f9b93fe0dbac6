import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createHistory, SERIES_SCHEMA } from "../../stores/history.ts";
import { type SimulatedWindowOptions, withSimulatedWindows } from "./simulated-windows.ts";

const KEY = "market/bars-1h/BTC";
const window = (close: number) => ({ at_ms: close, value: { bars: [[close - 1, 1, 2, 1, 2, 3]] } });

function open(writes: Partial<SimulatedWindowOptions> = {}) {
  const db = new Database(":memory:");
  db.run(SERIES_SCHEMA);
  const stored = createHistory(db);
  let reads = 0;
  const read: typeof stored.read = (...given) => {
    reads += 1;
    return stored.read(...given);
  };
  const counted = { ...stored, read };
  // Tests read only what jobs have stored, so the simulated world is not used.
  const history = withSimulatedWindows(counted, {} as never, { until: () => 0, ...writes });
  return { stored, history, countReads: () => reads };
}

test("the newest window is read from the store only once for all readers", async () => {
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

test("a window that an earlier process stored at a later time stays visible", async () => {
  const { stored, history } = open();
  await stored.write(KEY, [window(5_000)]);
  await history.write(KEY, [window(2_000)]);
  expect(await history.read(KEY, { until_ms: 9_000, limit: 1 })).toEqual([window(5_000)]);
  expect(await history.read(KEY, { until_ms: 3_000, limit: 1 })).toEqual([window(2_000)]);
});

test("pruned windows are gone", async () => {
  const { history } = open();
  await history.write("market/bars-1h/NONE", [window(1_000)]);
  await history.prune("market/bars-1h/NONE", 2_000);
  expect(await history.read("market/bars-1h/NONE", { limit: 1 })).toEqual([]);
});

test("windows in quick succession are readable at once, and written with the next one", async () => {
  let elapsed = 0;
  const { stored, history } = open({ write_every_ms: 1_000, elapsed_ms: () => elapsed });
  for (const close of [1_000, 2_000, 3_000, 4_000]) {
    await history.write(KEY, [window(close)]);
    await history.prune(KEY, close - 2_000);
    expect(await history.read(KEY, { limit: 1 })).toEqual([window(close)]);
  }
  expect(await stored.read(KEY)).toEqual([window(1_000)]);
  elapsed = 1_000;
  await history.write(KEY, [window(5_000)]);
  await history.prune(KEY, 3_000);
  expect(await stored.read(KEY)).toEqual([window(3_000), window(4_000), window(5_000)]);
});

test("a read of several windows includes those not yet written", async () => {
  const { history } = open({ write_every_ms: 1_000, elapsed_ms: () => 0 });
  for (const close of [1_000, 2_000, 3_000]) await history.write(KEY, [window(close)]);
  expect(await history.read(KEY)).toEqual([window(1_000), window(2_000), window(3_000)]);
  expect(await history.read(KEY, { until_ms: 2_500, limit: 1 })).toEqual([window(2_000)]);
});
