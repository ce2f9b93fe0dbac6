import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createTaskRows } from "./task-rows.ts";

const LIMITS = { rows: 5, chars: 100, per_client: 3 };
const create = () => createTaskRows(new Database(":memory:"), LIMITS);
const row = (id: string, more: Partial<{ client: string; paid: boolean; at_ms: number; body: string }> = {}) => ({
  id,
  client: "a",
  paid: false,
  at_ms: Number(id),
  body: id,
  ...more,
});
const present = (rows: ReturnType<typeof create>, ids: readonly number[]) =>
  ids.filter((id) => rows.get(String(id)) !== null);

test("a task is replaced by its newer self", () => {
  const rows = create();
  rows.put(row("1"));
  rows.put(row("1", { body: "new", at_ms: 5 }));
  expect(rows.get("1")).toBe("new");
  expect(rows.get("2")).toBeNull();
  rows.prune(5);
  expect(rows.get("1")).toBe("new");
  rows.prune(6);
  expect(rows.get("1")).toBeNull();
});

test("who makes too many loses his own oldest, and nobody else's", () => {
  const rows = create();
  rows.put(row("1", { client: "b" }));
  for (const id of [2, 3, 4, 5, 6]) rows.put(row(String(id)));
  expect(present(rows, [1, 2, 3, 4, 5, 6])).toEqual([1, 4, 5, 6]);
});

test("when there are too many, unpaid ones go first, and the oldest of them", () => {
  const rows = create();
  for (const id of [1, 2, 3]) rows.put(row(String(id), { paid: true }));
  for (const id of [4, 5, 6, 7]) rows.put(row(String(id), { client: String(id) }));
  expect(present(rows, [1, 2, 3, 4, 5, 6, 7])).toEqual([1, 2, 3, 6, 7]);
});

test("paid ones go when nothing else can, and the newest never does", () => {
  const rows = create();
  for (const id of [1, 2, 3, 4, 5, 6, 7]) rows.put(row(String(id), { paid: true }));
  expect(present(rows, [1, 2, 3, 4, 5, 6, 7])).toEqual([3, 4, 5, 6, 7]);
  rows.put(row("8", { paid: true, body: "a".repeat(500) }));
  expect(present(rows, [3, 4, 5, 6, 7, 8])).toEqual([8]);
});

test("the size of all together is limited, also of tasks that grow", () => {
  const rows = create();
  for (const id of [1, 2, 3]) rows.put(row(String(id), { body: "a".repeat(30), client: String(id) }));
  rows.put(row("3", { body: "a".repeat(60), client: "3" }));
  expect(present(rows, [1, 2, 3])).toEqual([2, 3]);
  for (let n = 0; n < 50; n++) rows.put(row("3", { body: "a".repeat(n), client: "3" }));
  expect(present(rows, [2, 3])).toEqual([2, 3]);
});

test("what was there at start counts", () => {
  const db = new Database(":memory:");
  const before = createTaskRows(db, LIMITS);
  for (const id of [1, 2, 3, 4, 5]) before.put(row(String(id), { client: String(id) }));
  const after = createTaskRows(db, LIMITS);
  after.put(row("6", { client: "6" }));
  expect(present(after, [1, 2, 3, 4, 5, 6])).toEqual([2, 3, 4, 5, 6]);
});
