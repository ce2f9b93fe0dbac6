import { expect, test } from "bun:test";
import { readCondition } from "./condition.ts";
import { type FreeSample, rehearse } from "./rehearse.ts";

const samples = [10, 30, 31, null, 5, 40].map((value, index) => ({ at_ms: index, data: { value } }));
const OVER = readCondition({ field: "value", op: ">", value: 20 });

const nextOf =
  (of: readonly FreeSample[]) =>
  (after_ms: number): FreeSample | null =>
    of.find(({ at_ms }) => at_ms > after_ms) ?? null;

test("a state makes an event when it begins to hold, and at each sample where it is to be repeated", async () => {
  expect(await rehearse({ condition: OVER, repeat: false }, nextOf(samples))).toEqual({
    samples: 6,
    from_ms: 0,
    to_ms: 5,
    told_ms: [1, 5],
    unknown: 1,
  });
  expect((await rehearse({ condition: OVER, repeat: true }, nextOf(samples))).told_ms).toEqual([1, 2, 5]);
});

test("a change makes an event each time; without a condition each sample does", async () => {
  const crossed = readCondition({ field: "value", op: "crossed", value: 20, direction: "down" });
  expect((await rehearse({ condition: crossed, repeat: false }, nextOf(samples))).told_ms).toEqual([4]);
  expect((await rehearse({ condition: null, repeat: false }, nextOf(samples))).told_ms).toHaveLength(6);
});

test("of no samples nothing is said", async () => {
  const nothing = { samples: 0, from_ms: 0, to_ms: 0, told_ms: [], unknown: 0 };
  expect(await rehearse({ condition: OVER, repeat: false }, nextOf([]))).toEqual(nothing);
});

test("everybody else is served between two samples", async () => {
  let [turns, is_over] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!is_over) setImmediate(turn);
  };
  setImmediate(turn);
  const slow = (after_ms: number): FreeSample | null => {
    // What it takes to read a sample; no clock decides anything here.
    const until_ms = performance.now() + 2;
    while (performance.now() < until_ms);
    return nextOf(samples)(after_ms);
  };
  await rehearse({ condition: OVER, repeat: false }, slow);
  is_over = true;
  expect(turns).toBeGreaterThanOrEqual(samples.length / 2);
});
