import { beforeAll, describe, expect, test } from "bun:test";
import { EFFORT, repeat } from "../helpers/effort.ts";
import { TEST_SEED } from "../helpers/seed.ts";
import { liveSoak, type Soak, type SoakHour, TURN_HOURS } from "./live-soak.ts";

/**
 * Days of a node by its own clock while a fifth of the sources fails, another fifth each hour, and everything is bought
 * once an hour. Three days of all products in long runs; a turn through all sources, of three domains, otherwise.
 */
const HOURS = repeat({ quick: TURN_HOURS, full: TURN_HOURS, long: 72 });
const DOMAINS = EFFORT === "long" ? {} : { domains: ["fx", "commodities", "macro"] };
/** Of the heap after a collection, from the end of the first day to the end of the last: what is kept is bounded. */
const HEAP_GROWTH_MAX = 0.25;
/** Made of records, of which a new node has the first after a day and some hours. */
const OF_RECORDS: readonly string[] = ["/win-rate-verified", "/thesis-engine", "/sinais", "/alpha-signal"];
const RECORDS_AFTER_HOURS = 30;

let soak: Soak;
beforeAll(async () => {
  soak = await liveSoak({ ...DOMAINS, hours: HOURS, seed: `${TEST_SEED}`, onHour: tell });
});

const refusedIn = ({ met }: SoakHour) => met.filter(({ status }) => status !== 200);
const tell = (lived: SoakHour): void => {
  if (EFFORT !== "long") return;
  const { hour, met, heap_mb, rss_mb, cpu_s, is_calm } = lived;
  const refused = refusedIn(lived);
  const kind = is_calm ? "calm" : "a fifth fails";
  const sold = met.length - refused.length;
  console.info(
    `hour ${hour}, ${kind}: ${sold} sold, heap ${heap_mb} MB, resident ${rss_mb} MB, ${cpu_s} s of processor`,
  );
  for (const { path, why } of refused) console.info(`  ${path} ${why}`);
};

/** Whether there can be any of it by then. */
const canBeSold = ({ hour }: SoakHour, path: string): boolean =>
  !OF_RECORDS.includes(path) || hour >= RECORDS_AFTER_HOURS;

describe("while a fifth of the sources fails in turns", () => {
  test("each source fails once a turn, and in an hour a fifth of them does", () => {
    const turn = soak.hours.slice(0, TURN_HOURS);
    const failed = turn.flatMap(({ failing }) => [...failing.keys()]);
    expect(failed.length).toBe(soak.sources);
    expect(new Set(failed).size).toBe(soak.sources);
    for (const { failing, is_calm } of turn) {
      expect(Math.abs(failing.size - (is_calm ? 0 : soak.sources / 5))).toBeLessThan(1);
    }
  });

  test("faults are felt: some products are refused, and what is refused says so and costs nothing", () => {
    const refused = soak.hours.filter(({ is_calm }) => !is_calm).flatMap(refusedIn);
    if (EFFORT === "long") expect(new Set(refused.map(({ path }) => path)).size).toBeGreaterThan(10);
    expect(refused.filter(({ status }) => status !== 503 && status !== 504)).toEqual([]);
    expect(refused.filter(({ why }) => why.startsWith("charged"))).toEqual([]);
  });

  test("no product is stuck: an hour after its sources are back every one is sold that can be", () => {
    const calm = soak.hours.filter(({ is_calm }) => is_calm);
    expect(calm.length).toBe(Math.floor(HOURS / TURN_HOURS));
    const stuck = calm.flatMap((lived) =>
      refusedIn(lived)
        .filter(({ path }) => canBeSold(lived, path))
        .map(({ path, why }) => `hour ${lived.hour}: ${path} ${why}`),
    );
    expect(stuck).toEqual([]);
    expect(soak.products).toBeGreaterThan(EFFORT === "long" ? 60 : 5);
  });

  test("the books are exact: the key paid the price of each answer it got, and the audit finds nothing", () => {
    for (const { hour, met, paid_atomic } of soak.hours) {
      const due_atomic = met.reduce((sum, { charged_atomic }) => sum + charged_atomic, 0n);
      expect([hour, paid_atomic]).toEqual([hour, due_atomic]);
    }
    expect(soak.audit.findings).toEqual([]);
    expect(soak.audit.ok).toBe(true);
  });

  test.skipIf(EFFORT !== "long")("memory is bounded: two more days hold little more than the first", () => {
    const after = (hours: number) => soak.hours.slice(hours - TURN_HOURS, hours).map(({ heap_mb }) => heap_mb);
    expect(Math.min(...after(72)) / Math.min(...after(24)) - 1).toBeLessThan(HEAP_GROWTH_MAX);
  });
});
