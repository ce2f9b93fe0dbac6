import { expect, test } from "bun:test";
import { createWorkCosts } from "./work-costs.ts";

const noteAll = (...took_ms: readonly number[]) => {
  const costs = createWorkCosts();
  for (const render_ms of took_ms) costs.note("/p", { render_ms, total_ms: render_ms + 2 });
  return costs;
};

test("the first answer is compiled as it is made, and does not count unless it is longer than any may be", () => {
  expect([noteAll(19).isHeavy("/p"), noteAll(19).totalOf("/p")]).toEqual([false, null]);
  expect([noteAll(20).isHeavy("/p"), noteAll(20).totalOf("/p")]).toEqual([true, 22]);
});

test("a product is heavy as soon as one answer took 4 ms, and until they take less than 3", () => {
  expect(noteAll(1, 3.9).isHeavy("/p")).toBe(false);
  expect(noteAll(1, 3.9, 4).isHeavy("/p")).toBe(true);
  expect(noteAll(1, 4, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5, 3.5).isHeavy("/p")).toBe(true);
  expect(noteAll(1, 4, 1, 1, 1).isHeavy("/p")).toBe(false);
});

test("what was never made is not known", () => {
  const costs = noteAll(1, 5);
  expect([costs.isHeavy("/other"), costs.totalOf("/other"), costs.totalOf("/p")]).toEqual([false, null, 7]);
});
