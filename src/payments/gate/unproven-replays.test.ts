import { expect, test } from "bun:test";
import { createStillClock, START_MS } from "../../../test/helpers/still-clock.ts";
import { createUnprovenReplays } from "./unproven-replays.ts";

const SETTLED = { id: "pay_1", settled_at_ms: START_MS, client: "192.0.2.1" };

test("a settled payment's answer is fetched without proof five times within ten minutes, each a free call", () => {
  const clock = createStillClock();
  const counted: string[] = [];
  const replays = createUnprovenReplays({ clock, countFree: (client) => void counted.push(client) });
  clock.advance(599_999);
  for (let times = 0; times < 5; times += 1) replays.take(SETTLED);
  expect(() => replays.take(SETTLED)).toThrow("without proof");
  replays.take({ ...SETTLED, id: "pay_2" });
  expect(counted).toEqual(Array.from({ length: 6 }, () => SETTLED.client));
  clock.advance(1);
  expect(() => replays.take({ ...SETTLED, id: "pay_3" })).toThrow("without proof");
  expect(counted).toHaveLength(6);
});

test("a fetch that was not allowed as a free call is not counted as one of the five", () => {
  let is_limited = true;
  const countFree = () => {
    if (is_limited) throw new Error("limited");
  };
  const replays = createUnprovenReplays({ clock: createStillClock(), countFree });
  for (let times = 0; times < 9; times += 1) expect(() => replays.take(SETTLED)).toThrow("limited");
  is_limited = false;
  for (let times = 0; times < 5; times += 1) expect(() => replays.take(SETTLED)).not.toThrow();
});
