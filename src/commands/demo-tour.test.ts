import { expect, test } from "bun:test";
import { waitForQuiet } from "./demo-tour.ts";

const at = (time: string): number => Date.parse(`2026-11-24T${time}Z`);

test("upstreams break when no job of an hour runs: neither in its first minutes nor shortly before the next", () => {
  const waits = ["12:00:00", "12:02:10", "12:03:59", "12:04:00", "12:30:00", "12:54:00", "12:54:01", "12:59:59"];
  expect(waits.map((time) => [time, waitForQuiet(at(time))])).toEqual([
    ["12:00:00", 240],
    ["12:02:10", 110],
    ["12:03:59", 1],
    ["12:04:00", 0],
    ["12:30:00", 0],
    ["12:54:00", 0],
    ["12:54:01", 359 + 240],
    ["12:59:59", 1 + 240],
  ]);
});
