import { expect, test } from "bun:test";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import type { SpendTogether } from "../../core/shared-budget.ts";
import { createBudget, type SpentOnModel } from "../../models/budget.ts";
import { PICODOLLARS_PER_USD } from "../../models/model-settings.ts";
import { findModelConditions, isModelUnseen } from "./model-conditions.ts";

const USD = PICODOLLARS_PER_USD;
const LIMITS = { guests: 10 * USD, daily: 10 * USD, of_model: { dear: 2 * USD }, of_product: { "/llm": USD } };

function createWorld(spendTogether?: SpendTogether) {
  const clock = createStillClock();
  const rows = new Map<string, SpentOnModel>();
  const store = {
    read: (day: string) => [...rows.values()].filter((row) => row.day === day),
    write: (row: SpentOnModel) => void rows.set(`${row.day} ${row.what} ${row.model}`, row),
  };
  const open = () => createBudget({ clock, store, limits: LIMITS, onShare: () => undefined, spendTogether });
  const idsOf = (budget: ReturnType<typeof open>) =>
    findModelConditions({ models: { status: () => [], budgets: budget.status } }).map(({ id }) => id);
  return { clock, open, idsOf };
}

test("each budget is reported on its own: of all, of a model, of a product", () => {
  const { clock, open, idsOf } = createWorld();
  const budget = open();
  budget.reserve({ what: "/llm", model: "dear", worst: 0.8 * USD });
  expect(idsOf(budget)).toEqual(["model-budget:/llm"]);
  expect(budget.reserve({ what: "/llm", model: "dear", worst: 0.3 * USD })).toBeNull();
  expect(idsOf(budget)).toEqual(["model-budget:/llm", "model-spent:/llm"]);
  budget.reserve({ what: "/x", model: "dear", worst: USD });
  expect(idsOf(budget)).toEqual(["model-budget:model dear", "model-budget:/llm", "model-spent:/llm"]);
  clock.advance(86_400_000);
  expect(idsOf(budget)).toEqual([]);
});

test("a call that is too dear for what is left of a fresh day does not spend it", () => {
  const { open, idsOf } = createWorld();
  const budget = open();
  expect(budget.reserve({ what: "/x", model: "dear", worst: 3 * USD })).toBeNull();
  expect(idsOf(budget)).toEqual([]);
});

test("after a start it is not known whether the rest is too little; a larger limit is known to be enough", () => {
  const { open, idsOf } = createWorld();
  open().reserve({ what: "/llm", model: "dear", worst: 0.9 * USD });
  const budget = open();
  const isUnseen = () => isModelUnseen("model-spent:/llm", { status: () => [], budgets: budget.status });
  expect(isUnseen()).toBe(true);
  budget.configure({ ...LIMITS, of_product: { "/llm": 1.1 * USD } });
  expect(isUnseen()).toBe(false);
  expect(idsOf(budget)).toEqual(["model-budget:/llm"]);
  budget.configure({ ...LIMITS, of_product: {} });
  expect(idsOf(budget)).toEqual([]);
});

test("what other nodes spent of the same money counts", async () => {
  const spent_by_others = 9.5 * USD;
  const { open, idsOf } = createWorld(async (parts) => {
    const spent = parts.map(({ name }) => ({ name, spent: spent_by_others }));
    const over = parts.find(({ amount, limit }) => spent_by_others + amount > limit);
    return { over: over?.name ?? null, spent };
  });
  const budget = open();
  expect(await budget.reserveTogether({ what: "/x", model: "other", worst: USD })).toBeNull();
  expect(idsOf(budget)).toEqual(["model-budget:all", "model-spent:all"]);
});
