import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { createWatchRows } from "../../src/stores/watch-rows.ts";
import { createWatchEngine, type Due, type Purse, priceIdle } from "../../src/watches/engine.ts";
import type { WatchRows } from "../../src/watches/types.ts";
import { repeat } from "../helpers/effort.ts";

/**
 * A watch whose node dies at any step of an evaluation, again and again: nothing is charged twice, nothing is told
 * that was not charged, and each turn is told once.
 */
const PRICE = 10_000n;
const IDLE = priceIdle(PRICE, 0.1);
const HOUR_MS = 3_600_000;
const START_MS = Date.parse("2026-03-01T12:00:00Z");
const USUAL = {
  id: "tide",
  path: "/tide",
  price_atomic: 5n * PRICE,
  metering: null,
  definition: { tiers: { param: "detail", prices: { short: "0.01" } } },
  params: { fromBody: (params: object) => ({ params, key: "{}", missing: [] }) },
};
/** Sold for less where less is asked for, as the watch here does. */
const SHORT = { detail: "short" };
const product = {
  ...USUAL,
  tiers: new Map([["short", { ...USUAL, price_atomic: PRICE }]]),
} as unknown as CatalogProduct;

class Died extends Error {}

/** Numbers from a seed, each below a bound. */
function createDice(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Life {
  /** The step after which it dies; none where it is above all steps. */
  readonly dies_after: number;
}

function createWorld() {
  const db = new Database(":memory:", { strict: true });
  const rows = createWatchRows(db);
  const charged = new Map<string, Due>();
  const opened: bigint[] = [];
  let now_ms = START_MS;
  let level = 0;
  rows.add(
    {
      id: "wat_1",
      key: "key_1",
      product: "/tide",
      params: SHORT,
      view: "",
      repeat: false,
      label: null,
      condition: { field: "level", op: "changed" },
      cadence: { every_ms: HOUR_MS },
      budget: 1_000_000_000n,
      created_ms: now_ms,
      until_ms: now_ms + 10_000 * HOUR_MS,
    },
    { next_ms: now_ms, name: null },
  );

  /** One process: from its start until it dies or has nothing more to do. */
  async function run({ dies_after }: Life): Promise<void> {
    let steps = 0;
    let is_dead = false;
    const step = (): void => {
      if (is_dead || steps >= dies_after) {
        is_dead = true;
        throw new Died("the process has ended");
      }
      steps += 1;
    };
    const mortal = new Proxy(rows, {
      get: (target, name: keyof WatchRows) => {
        const method = target[name] as (...given: unknown[]) => unknown;
        return (...given: unknown[]) => {
          step();
          return method.apply(target, given);
        };
      },
    });
    const engine = createWatchEngine({
      rows: mortal,
      now_ms: () => now_ms,
      find: () => product,
      openPurse: async (_, { price_atomic }) => {
        opened.push(price_atomic);
        const charge: Purse["charge"] = async ({ name }, due) => {
          step();
          if (!charged.has(name)) charged.set(name, due);
          // It may die with the charge in the books and nothing told.
          step();
          return name;
        };
        return {
          mode: "balance",
          charge,
          async buy(evaluation, decide) {
            step();
            return charge(evaluation, await decide(JSON.stringify({ data: { level } }), PRICE));
          },
        };
      },
      findCharged: async (_, name) => (charged.has(name) ? name : null),
      show: (answer) => answer,
      idle_share: 0.1,
      log: () => undefined,
    });
    await engine.pass().catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
    });
  }

  return {
    rows,
    charged,
    opened,
    run,
    passHour(next: number): void {
      now_ms += HOUR_MS;
      level = next;
    },
  };
}

/** More than an evaluation has. */
const NEVER = 1_000;
const SEEDS = repeat({ quick: 60, full: 1_000, long: 10_000 });
const HOURS = 30;

describe("a node that dies at any step", () => {
  test.each(Array.from({ length: SEEDS }, (_, seed) => seed))("seed %d", async (seed) => {
    const dice = createDice(seed);
    const { rows, charged, run, passHour } = createWorld();
    await run({ dies_after: NEVER });
    let level = 0;
    const turns: number[] = [];
    for (let hour = 0; hour < HOURS; hour += 1) {
      if (dice(3) === 0) {
        level += 1;
        turns.push(level);
      }
      passHour(level);
      const deaths = dice(4);
      for (let death = 0; death < deaths; death += 1) await run({ dies_after: dice(12) });
      await run({ dies_after: NEVER });
    }
    const watch = rows.get("wat_1");
    const told = rows.events("wat_1", 0, 1_000).map(({ body }) => JSON.parse(body));
    expect(told.map(({ answer }) => answer.data.level)).toEqual(turns);
    expect(new Set(told.map(({ receipt_id }) => receipt_id)).size).toBe(turns.length);
    // One evaluation an hour and the first, each charged once, at the price of what it was.
    expect(charged.size).toBe(HOURS + 1);
    const sum = [...charged.values()].reduce((all, { amount }) => all + amount, 0n);
    expect(sum).toBe(BigInt(turns.length) * PRICE + BigInt(HOURS + 1 - turns.length) * IDLE);
    expect([watch?.spent, watch?.evaluations, watch?.told]).toEqual([sum, HOURS + 1, turns.length]);
    expect(watch?.intent).toBeNull();
  });
});

test("an evaluation that was charged is told though its watch was cancelled meanwhile", async () => {
  const { rows, charged, run, passHour } = createWorld();
  await run({ dies_after: NEVER });
  passHour(1);
  for (let step = 1; charged.size < 2; step += 1) await run({ dies_after: step });
  rows.end("wat_1", "cancelled", null);
  await run({ dies_after: NEVER });
  expect(rows.events("wat_1", 0, 10).map(({ body }) => JSON.parse(body).kind)).toEqual(["told"]);
  expect(rows.get("wat_1")?.spent).toBe(IDLE + PRICE);
});

test("one that was not charged is told no more once its watch is cancelled", async () => {
  const { rows, charged, run, passHour } = createWorld();
  await run({ dies_after: NEVER });
  passHour(1);
  for (let step = 1; rows.get("wat_1")?.intent == null; step += 1) await run({ dies_after: step });
  rows.end("wat_1", "cancelled", null);
  await run({ dies_after: NEVER });
  expect(charged.size).toBe(1);
  expect(rows.get("wat_1")?.intent).toBeNull();
});

test("a purse is opened for the price of what is asked for, after a crash too", async () => {
  const { rows, opened, run, passHour } = createWorld();
  await run({ dies_after: NEVER });
  passHour(1);
  for (let step = 1; rows.get("wat_1")?.intent == null; step += 1) await run({ dies_after: step });
  await run({ dies_after: NEVER });
  expect(rows.get("wat_1")?.intent).toBeNull();
  expect(new Set(opened)).toEqual(new Set([PRICE]));
});
