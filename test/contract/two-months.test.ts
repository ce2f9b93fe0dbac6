import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Cron } from "croner";
import { createCalendar, findExchange } from "../../src/calendars/calendar.ts";
import { addDays, daysBetween, weekdayOf } from "../../src/calendars/dates.ts";
import { toLocal } from "../../src/calendars/zone-time.ts";
import type { JobDefinition } from "../../src/catalog/plugin.ts";
import { NodeError } from "../../src/core/errors.ts";
import { editions as morning } from "../../src/plugins/ai/global-morning-brief/product.ts";
import { job as morningEditions } from "../../src/plugins/ai/jobs/morning-editions.ts";
import { readSettlements } from "../../src/plugins/brazil/b3/stored-days.ts";
import { editions as brief } from "../../src/plugins/brazil/br-brief/product.ts";
import { indexLevels, macroSeries, ptax } from "../../src/plugins/brazil/documents/stored.ts";
import { editions as marketBrief } from "../../src/plugins/brazil/job-br-market-brief/product.ts";
import { SGS_SERIES } from "../../src/plugins/brazil/macro/series.ts";
import { editions as report } from "../../src/plugins/brazil/relatorio/product.ts";
import { metalFixes } from "../../src/plugins/commodities/metals/metal-fixes.ts";
import { RELEASE_KINDS, releaseDates } from "../../src/plugins/macro/releases/release-dates.ts";
import { advisoryLevels, eventSlots, geoScores } from "../../src/plugins/macro/theatres/geo-series.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { DAILY_INSTRUMENTS, dailySeries } from "../../src/upstream/series/daily-series.ts";
import { closes } from "../../src/upstream/series/share-closes.ts";
import { createWholeNode, type Outcome, PRODUCTS, produce } from "../helpers/catalog-world.ts";
import { EFFORT } from "../helpers/effort.ts";
import type { SimulatedNode } from "../helpers/simulated-node.ts";

/**
 * The desks of the world outside crypto by the clock: every run of every job at its minute. Through the ends of summer
 * time in Sydney (begins), Frankfurt and New York, three Brazilian holidays, Thanksgiving and its half day.
 */
const [FIRST, DAYS] = ["2026-09-28", EFFORT === "quick" ? 0 : 62] as const;
const LAST = addDays(FIRST, DAYS);
const DESKS = new Set(["macro", "commodities", "equities", "brazil"]);
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
/** These look for work every few minutes; here they look once an hour. */
const OFTEN = new Set(["gdelt-events", "brazil-b3-backfill"]);
const ASKED_DAILY = ["/macro-calendar", "/event-playbook", "/geo-alpha", "/br-macro", "/br-curve", "/br-equity"];
/** Days the newest value may be behind: weekends, holidays, and what a publisher takes. */
const LAG_DAYS = { daily: 6, oil: 10, monthly: 75, quarterly: 200 } as const;

interface Watched {
  readonly name: string;
  readonly behind: number;
  readonly most: number;
}
interface Noon {
  readonly date: string;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly watched: readonly Watched[];
}

let node: SimulatedNode;
const failures: string[] = [];
const noons: Noon[] = [];

const patternOf = ({ id, schedule }: JobDefinition): string => (OFTEN.has(id) ? "33 * * * *" : schedule);

function listMarks(jobs: readonly JobDefinition[]): readonly { readonly at_ms: number; readonly job: JobDefinition }[] {
  const end_ms = Date.parse(LAST);
  const marks = jobs.flatMap((job) => {
    const cron = new Cron(patternOf(job), { utcOffset: 0, paused: true });
    const found: { at_ms: number; job: JobDefinition }[] = [];
    let next = cron.nextRun(new Date(Date.parse(FIRST) - 1));
    for (; next && next.getTime() < end_ms; next = cron.nextRun(next)) found.push({ at_ms: next.getTime(), job });
    return found;
  });
  return marks.toSorted((a, b) => a.at_ms - b.at_ms);
}

/** How many days behind each series is. */
async function watch(date: string): Promise<readonly Watched[]> {
  const context = node.createContext();
  const daily = DAILY_INSTRUMENTS.map(async ({ id }) => {
    const last = (await dailySeries.newest(context, { of: id }))?.value.at(-1)?.[0] ?? "1999-01-01";
    const most = ["WTI", "BRENT", "NATGAS"].includes(id) ? LAG_DAYS.oil : LAG_DAYS.daily;
    return { name: id, behind: daysBetween(last, date), most };
  });
  const monthly = SGS_SERIES.map(async ({ id, frequency }) => {
    const last = (await macroSeries.read(context, { of: id }))?.value.at(-1)?.[0] ?? "1999-01-01";
    return { name: id, behind: daysBetween(last, date), most: LAG_DAYS[frequency] };
  });
  const days = [
    { name: "ptax", last: (await ptax.read(context))?.value.at(-1)?.[0] },
    { name: "ibov", last: (await indexLevels.read(context))?.value.at(-1)?.[0] },
    { name: "b3", last: (await readSettlements(context, "30d")).at(-1)?.date },
  ];
  return [
    ...(await Promise.all([...daily, ...monthly])),
    ...days.map(({ name, last = "1999-01-01" }) => ({ name, behind: daysBetween(last, date), most: LAG_DAYS.daily })),
  ];
}

async function lookAt(date: string): Promise<void> {
  const outcomes = new Map<string, Outcome>();
  for (const product of PRODUCTS.filter(({ path }) => ASKED_DAILY.includes(path)))
    outcomes.set(product.path, await produce(node, product));
  noons.push({ date, outcomes, watched: await watch(date) });
}

/** Never back: a rate limit that was waited out moved the clock on. */
const moveTo = (at_ms: number): void => node.clock.set(Math.max(at_ms, node.clock.now()));

async function live(): Promise<void> {
  node = createWholeNode({ now_ms: Date.parse(FIRST) });
  const jobs = [...registry.filter(({ id }) => DESKS.has(id)).flatMap((plugin) => plugin.jobs), morningEditions];
  for (const job of jobs.filter(({ at_start }) => at_start)) await job.run(node.createContext());
  let looked: string = FIRST;
  for (const { at_ms, job } of listMarks(jobs)) {
    const noon_ms = Date.parse(looked) + 12 * HOUR_MS;
    if (at_ms >= noon_ms) {
      moveTo(noon_ms);
      await lookAt(looked);
      looked = addDays(looked, 1);
    }
    moveTo(at_ms);
    await job.run(node.createContext()).catch((error: unknown) => {
      // How long a run took here says nothing of the job: what it left undone is tried again, and judged below.
      if (!(error instanceof NodeError && error.code === "deadline_exceeded")) failures.push(`${job.id} ${error}`);
    });
  }
}

const XNYS = findExchange("XNYS");
const BVMF = findExchange("BVMF");
const dates = (days: number): readonly string[] => Array.from({ length: days }, (_, day) => addDays(FIRST, day));
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

describe.skipIf(DAYS === 0)("two months by the clock", () => {
  beforeAll(live);
  afterAll(() => node.close());

  test("no run fails, and every product asked at noon answers", () => {
    expect(failures).toEqual([]);
    const refused = noons.flatMap(({ date, outcomes }) =>
      [...outcomes].flatMap(([path, outcome]) => (outcome.ok ? [] : [`${date} ${path}: ${outcome.error.message}`])),
    );
    expect(refused).toEqual([]);
    expect(noons).toHaveLength(DAYS);
  });

  test("the fixes stand on the sessions of New York, at its own hours, once", async () => {
    if (!XNYS) throw new Error("no XNYS");
    const sessions = dates(DAYS).filter((date) => createCalendar(XNYS).isTradingDay(date));
    const context = node.createContext();
    const shares = await closes.read(context, { of: "AAPL", last: "90d" });
    expect(shares.map(({ at_ms }) => isoDay(at_ms))).toEqual([...sessions]);
    const weekdays = dates(DAYS).filter((date) => ![0, 6].includes(weekdayOf(date)));
    expect((await metalFixes.read(context, { of: "gold", last: "90d" })).map(({ at_ms }) => isoDay(at_ms))).toEqual([
      ...weekdays,
    ]);
  });

  test("each trading day of B3 is stored on its own evening, no holiday is", async () => {
    if (!BVMF) throw new Error("no BVMF");
    const days = dates(DAYS - 1).filter((date) => createCalendar(BVMF).isTradingDay(date));
    const stored = (await readSettlements(node.createContext(), "90d")).map(({ date }) => date);
    expect(stored.filter((date) => date >= FIRST && date < addDays(LAST, -1))).toEqual([...days]);
    for (const holiday of ["2026-10-12", "2026-11-02", "2026-11-20"]) expect(stored).not.toContain(holiday);
  });

  test("two editions a day, each at its hour of São Paulo or UTC", async () => {
    const context = node.createContext();
    for (const [editions, zone, hours] of [
      [report, "America/Sao_Paulo", ["08:15", "19:45"]],
      [marketBrief, "America/Sao_Paulo", ["08:20", "19:50"]],
      [brief, "America/Sao_Paulo", ["08:30", "20:00"]],
      [morning, "UTC", ["05:30", "11:30"]],
    ] as const) {
      const list = (await editions.list(context, "90d")).map(({ at_ms }) => toLocal(zone, at_ms));
      const inside = list.filter(({ date }) => date >= FIRST && date < addDays(LAST, -1));
      expect(inside.map(({ date, time }) => `${date} ${time}`)).toEqual(
        dates(DAYS - 1).flatMap((date) => hours.map((hour) => `${date} ${hour}`)),
      );
    }
  });

  test("every release appears once, with its number once it is out, and never moves afterwards", async () => {
    const days_of = new Map<string, Set<string>>();
    for (const { outcomes } of noons) {
      const calendar = outcomes.get("/macro-calendar");
      const events = calendar?.ok ? (calendar.sold.data.events as { [key: string]: string }[]) : [];
      for (const { kind, period, status, time_utc = "" } of events) {
        if (status !== "released" || !period || kind === "gdp") continue;
        const key = `${kind} ${period}`;
        days_of.set(key, (days_of.get(key) ?? new Set()).add(time_utc));
      }
    }
    expect([...days_of].filter(([, times]) => times.size > 1)).toEqual([]);
    for (const kind of ["cpi", "jobs", "ppi", "pce", "retail"])
      expect([...days_of.keys()].filter((key) => key.startsWith(`${kind} `)).length).toBeGreaterThanOrEqual(2);
    expect([...days_of.keys()].filter((key) => key.startsWith("claims ")).length).toBeGreaterThanOrEqual(8);
    for (const of of RELEASE_KINDS) {
      const releases = (await releaseDates.newest(node.createContext(), { of }))?.value ?? [];
      const gaps = releases.slice(1).map(([at_ms], index) => at_ms - (releases[index]?.[0] ?? 0));
      expect([of, Math.min(...gaps) > 2 * DAY_MS]).toEqual([of, true]);
    }
  });

  test("nothing decays: no series falls behind its publisher; each day has score, sample and advisories", async () => {
    const late = noons.flatMap(({ date, watched }) =>
      watched
        .filter(({ behind, most }) => behind > most || behind < -1)
        .map(({ name, behind }) => `${date} ${name} ${behind}`),
    );
    expect(late).toEqual([]);
    const context = node.createContext();
    for (const series of [geoScores, advisoryLevels]) {
      const days = (await series.read(context, { last: "90d" })).map(({ at_ms }) => isoDay(at_ms));
      expect(days).toEqual([...dates(DAYS)]);
    }
    const slots = await eventSlots.read(context, { last: "60d" });
    expect(slots.length).toBeGreaterThanOrEqual(4 * 59);
  });

  test("a source that falls silent is told by the products that live on it", async () => {
    for (const id of ["bcb_sgs", "bcb_olinda", "ibge"]) node.upstreams.setFault(id, "http500");
    const brazil = registry.find(({ id }) => id === "brazil")?.jobs ?? [];
    const product = PRODUCTS.find(({ path }) => path === "/br-macro");
    if (!product) throw new Error("no /br-macro");
    const before = await produce(node, product);
    node.clock.advance(20 * DAY_MS);
    for (const job of brazil) await job.run(node.createContext()).catch(() => undefined);
    const after = await produce(node, product);
    const told = after.ok && before.ok ? after.sold.warnings.filter((one) => !before.sold.warnings.includes(one)) : [];
    expect(!after.ok || told.length > 0).toBe(true);
  });
});
