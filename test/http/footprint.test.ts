import { heapStats } from "bun:jsc";
import { afterAll, expect, test } from "bun:test";
import { EFFORT } from "../helpers/effort.ts";
import { createDayWorld, type DayWorld } from "../simulation/day-node.ts";

/**
 * What a node holds after hours of selling is what it held once it was warm: counted by kind, not in bytes, which say
 * more about when the collector last ran. Each of these once leaked in some program on this runtime: a timer or a
 * signal per call, a statement prepared anew, an answer whose body nobody reads.
 */
const HOUR_MS = 3_600_000;
const START_MS = Date.parse("2026-10-01T23:50:00Z");
const WARM_HOURS = 3;
const MORE_HOURS = 4;
/** By kind: how many more there may be. What is under way when it is looked at is a handful. */
const SLACK = {
  Timeout: 20,
  Immediate: 5,
  AbortSignal: 20,
  AbortController: 20,
  Worker: 0,
  SQLDatabase: 0,
  Response: 20,
  Request: 20,
  ReadableStream: 20,
  Headers: 40,
  SQLStatement: 20,
  Promise: 400,
  Map: 100,
  Set: 100,
};
/** Of all cells there are: kept answers and rows are bounded, and nearly all there by then. */
const CELLS_GROWTH_MAX = 0.1;

let world: DayWorld | undefined;
afterAll(() => world?.close());

/** What is left when everything that can go has gone. */
async function countObjects() {
  for (let turn = 0; turn < 3; turn += 1) {
    Bun.gc(true);
    await Bun.sleep(20);
  }
  const { objectCount, objectTypeCounts } = heapStats();
  return { all: objectCount, of: (kind: string): number => objectTypeCounts[kind] ?? 0 };
}

test.skipIf(EFFORT !== "long")(
  "hours by clock leave no timer, signal, statement, body or other object behind",
  async () => {
    world = await createDayWorld(START_MS);
    const life = await world.start();
    const { products } = (await (await life.get("/get-pricing")).json()) as {
      readonly products: readonly { readonly path: string }[];
    };
    let now_ms = START_MS;
    const live = async (hours: number) => {
      for (let hour = 0; hour < hours; hour += 1) {
        now_ms += HOUR_MS;
        await life.timers.liveTo(now_ms);
        for (const { path } of products) {
          for (const address of [path, `${path}?preview=1`]) await (await life.get(address)).arrayBuffer();
        }
      }
    };
    await live(WARM_HOURS);
    const warm = await countObjects();
    await live(MORE_HOURS);
    const late = await countObjects();
    const grown = Object.keys(SLACK).map((kind) => ({ kind, more: late.of(kind) - warm.of(kind) }));
    const over = grown.filter(({ kind, more }) => more > SLACK[kind as keyof typeof SLACK]);
    expect(over).toEqual([]);
    expect(warm.of("SQLStatement")).toBeGreaterThan(0);
    expect(warm.of("Timeout")).toBeGreaterThan(0);
    expect(late.all / warm.all - 1).toBeLessThan(CELLS_GROWTH_MAX);
    await life.stop();
  },
);
