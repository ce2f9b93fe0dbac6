import { heapStats } from "bun:jsc";
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Cron } from "croner";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { patternOf } from "../../src/jobs/scheduler.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import {
  EVALUATIONS,
  readSignal,
  SIGNALS,
  type StoredSignal,
} from "../../src/plugins/crypto-market/shared/signals/signal-records.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { type KeptHead, verifyTrackRecord } from "../../src/trust/track-record.ts";
import { isWholeChain } from "../helpers/signal-ledger.ts";
import { createDayWorld, type DayWorld, type Life } from "./day-node.ts";

/**
 * One day of the whole node by a driven clock: its own scheduler, jobs, stores and doors, in a simulated market. It is
 * stopped three times: for nine hours, within a minute in which it writes signals, and within one in which it grades.
 */
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
const at = (text: string): number => Date.parse(`2026-10-${text}:00Z`);

/** Starts and stops; stops are at a second at which no pause after a mark is under way. */
const STOP_SECONDS_MS = 53_000;
const LIVES = [
  { from_ms: at("01T23:50"), to_ms: at("02T08:20") + STOP_SECONDS_MS },
  { from_ms: at("02T17:40"), to_ms: at("03T00:20") + STOP_SECONDS_MS },
  { from_ms: at("03T00:21"), to_ms: at("03T02:20") + STOP_SECONDS_MS },
  { from_ms: at("03T02:21"), to_ms: at("03T02:40") + STOP_SECONDS_MS },
] as const;
const DOWN = { from_ms: LIVES[0].to_ms, to_ms: LIVES[1].from_ms };
const CLOSES = ["02T00:00", "02T04:00", "02T08:00", "02T20:00", "03T00:00"].map(at);
/** Those of 12:00 and 16:00. */
const MISSED = 2;
/** From here on the job's upstream does not answer for a while. */
const SLOW = { job: "gdelt-pull", pattern: "*/2 * * * *", from_ms: at("02T03:30"), to_ms: at("02T04:15") };
/** From here on the heap is expected to stay as it is. */
const WARM_MS = at("02T01:50");
/** Measured are up to 2 MB, of code that is first needed later. Answers kept past their time come to 10 MB in a life. */
const HEAP_GROWTH_MAX = 6_000_000;

interface Look {
  readonly now_ms: number;
  readonly path: string;
  readonly status: number;
  readonly as_of_ms: number;
  readonly taken_at_ms: number;
}
interface SignalLook {
  readonly now_ms: number;
  readonly active: readonly { readonly seq: number; readonly expires_at: string }[];
}
interface LifeEnd {
  readonly started_at_ms: number;
  readonly ended_at_ms: number;
  readonly jobs: readonly { readonly id: string; readonly runs: number; readonly failures: number }[];
}

let world: DayWorld;
let products: readonly CatalogProduct[] = [];
const looks: Look[] = [];
const signal_looks: SignalLook[] = [];
const ends: LifeEnd[] = [];
/** Once warm, and at the end of each life. */
const heaps: number[] = [];
let kept: KeptHead | undefined;
let track_record: unknown = null;
let did_document: unknown = null;
let signals: readonly StoredSignal[] = [];
let closes_evaluated: readonly string[] = [];
let whole = false;

/** What is left when everything that can go has gone: what a stopped node leaves behind takes some turns. */
async function sizeHeap(): Promise<number> {
  const sizes: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    Bun.gc(true);
    sizes.push(heapStats().heapSize);
    await Bun.sleep(20);
  }
  return Math.min(...sizes);
}

/** Everything that is shown for nothing, and the signals as a buyer sees them. */
async function look(life: Life): Promise<void> {
  const now_ms = world.clock.now();
  for (const { path } of products) {
    const response = await life.get(`${path}?preview=1`);
    const { as_of, generated_at } = (await response.json()) as { as_of?: string; generated_at?: string };
    const { status } = response;
    looks.push({
      now_ms,
      path,
      status,
      as_of_ms: Date.parse(as_of ?? ""),
      taken_at_ms: Date.parse(generated_at ?? ""),
    });
  }
  const { data } = (await life.buy("/sinais")) as { data: SignalLook & { chain: KeptHead } };
  signal_looks.push({ now_ms, active: data.active });
  if (kept === undefined && data.chain.length > 0) kept = data.chain;
}

async function live(life: Life, to_ms: number): Promise<void> {
  for (let hour_ms = world.clock.now() + HOUR_MS; hour_ms < to_ms; hour_ms += HOUR_MS) {
    for (let now_ms = hour_ms - HOUR_MS; now_ms < hour_ms; now_ms += MINUTE_MS) await life.timers.liveTo(now_ms);
    await look(life);
  }
  await life.timers.liveTo(to_ms);
}

async function endLife(life: Life): Promise<void> {
  const headers = { authorization: `Bearer ${life.node.operator_token}` };
  heaps.push(await sizeHeap());
  const { jobs } = (await (await life.get("/admin/status", headers)).json()) as Pick<LifeEnd, "jobs">;
  ends.push({ started_at_ms: life.timers.startedAt(), ended_at_ms: world.clock.now(), jobs });
  await life.stop();
}

/** The first life: a warm heap is measured, and one job meets a slow upstream. */
async function liveFirst(life: Life, { to_ms }: (typeof LIVES)[number]): Promise<void> {
  await live(life, WARM_MS);
  heaps.push(await sizeHeap());
  await live(life, SLOW.from_ms);
  const release = world.hold(SLOW.job);
  await live(life, SLOW.to_ms);
  release();
  await live(life, to_ms);
}

beforeAll(async () => {
  world = await createDayWorld(LIVES[0].from_ms);
  for (const [index, span] of LIVES.entries()) {
    world.clock.moveTo(span.from_ms);
    const life = await world.start();
    products = life.node.catalog.products.filter(({ definition }) => definition.plan === undefined);
    await look(life);
    if (index === 0) await liveFirst(life, span);
    else await live(life, span.to_ms);
    if (index === LIVES.length - 1) {
      track_record = await life.buy("/win-rate-verified");
      did_document = await (await life.get("/.well-known/did.json")).json();
    }
    await endLife(life);
  }
  const ledger = openLedger({ file: join(world.data, "ledger.db"), clock: world.clock });
  const records = ledger.records("sandbox");
  signals = records.read(SIGNALS).map(readSignal);
  closes_evaluated = records.read(EVALUATIONS).map(({ record }) => String(record.bar_close_at));
  whole = isWholeChain(records, SIGNALS) && isWholeChain(records, EVALUATIONS);
  await ledger.close();
}, 300_000);
afterAll(() => world.close());

/** When a pattern comes round after one moment and up to another, ms. */
function listMarks(pattern: string, { from_ms, to_ms }: { from_ms: number; to_ms: number }): readonly number[] {
  const cron = new Cron(pattern, { utcOffset: 0, paused: true });
  const marks: number[] = [];
  for (let next = cron.nextRun(new Date(from_ms)); next && next.getTime() <= to_ms; next = cron.nextRun(next)) {
    marks.push(next.getTime());
  }
  return marks;
}
const listInLife = (pattern: string, { started_at_ms, ended_at_ms }: LifeEnd): readonly number[] =>
  listMarks(pattern, { from_ms: started_at_ms, to_ms: ended_at_ms });

describe("jobs", () => {
  const jobs = registry.flatMap((plugin) => plugin.jobs.map((job) => [job.id, job, plugin.id] as const));
  /** Marks that came while a run of the slow job was under way. */
  const countSkipped = (): number => {
    const began_ms = world.diary.get(SLOW.job)?.runs_at_ms.findLast((run_ms) => run_ms < SLOW.to_ms) ?? Number.NaN;
    return listMarks(SLOW.pattern, { from_ms: began_ms, to_ms: SLOW.to_ms }).length;
  };

  test.each(jobs)(
    "%s runs at every mark of its pattern, in each life, and never twice at once",
    (id, job, plugin_id) => {
      for (const [index, end] of ends.entries()) {
        const skipped = id === SLOW.job && index === 0 ? countSkipped() : 0;
        const expected = listInLife(job.schedule, end).length + (job.at_start ? 1 : 0) - skipped;
        const status = end.jobs.find((one) => one.id === `${plugin_id}/${id}`);
        expect([index, status?.runs, status?.failures]).toEqual([index, expected, 0]);
      }
      const { most, runs_at_ms, failures } = world.diary.get(id) ?? {};
      expect(failures).toEqual([]);
      expect(most).toBe(runs_at_ms?.length === 0 ? 0 : 1);
    },
  );

  test("marks that come while a slow upstream holds a run up are left out, and the next one is met", () => {
    expect(countSkipped()).toBeGreaterThanOrEqual(5);
    const after = world.diary.get(SLOW.job)?.runs_at_ms.filter((run_ms) => run_ms >= SLOW.to_ms) ?? [];
    expect(after.slice(0, 3).map((run_ms) => new Date(run_ms).toISOString().slice(11, 16))).toEqual([
      "04:16",
      "04:18",
      "04:20",
    ]);
  });

  test("previews are taken on their cadence, and at a start when there is no fresh one", () => {
    const last_ms = new Map<string, number>();
    for (const [index, end] of ends.entries()) {
      const runs = products.map(({ id }) => [id, end.jobs.find((job) => job.id === `preview-${id}`)?.runs]);
      const expected = products.map(({ id, preview_every_ms }) => {
        const is_fresh = end.started_at_ms - (last_ms.get(id) ?? 0) < preview_every_ms;
        const marks = listInLife(patternOf(preview_every_ms), end);
        last_ms.set(id, marks.at(-1) ?? (is_fresh ? (last_ms.get(id) ?? 0) : end.started_at_ms));
        return [id, marks.length + (is_fresh ? 0 : 1)];
      });
      expect([index, runs]).toEqual([index, expected]);
    }
  });

  test("none fails, those of the node itself included", () => {
    const failed = ends.flatMap(({ jobs: all }) => all.filter(({ failures }) => failures > 0));
    expect(failed).toEqual([]);
  });
});

describe("signals", () => {
  const GRADED_AFTER_MS = HOUR_MS + 10 * MINUTE_MS + MINUTE_MS;

  test("every close is evaluated once while the node is up, and those it slept through stay missed", () => {
    expect(closes_evaluated.map((text) => Date.parse(text))).toEqual(CLOSES);
    expect(track_record).toMatchObject({ data: { missed_evaluations: MISSED } });
  });

  test("none is written twice, nor later than half an hour after its close; the chains are whole", () => {
    expect(signals.length).toBeGreaterThan(5);
    const names = signals.map(({ record }) => `${record.symbol} ${record.bar_close_at}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { record, emitted_at_ms } of signals) {
      expect(emitted_at_ms - Date.parse(record.bar_close_at)).toBeWithin(2 * MINUTE_MS, 30 * MINUTE_MS);
    }
    expect(whole).toBe(true);
  });

  test("each is graded once its horizon has ended and its last bar has closed, and no other", () => {
    const end_ms = ends.at(-1)?.ended_at_ms ?? 0;
    for (const { outcome, record, emitted_at_ms, scored_at_ms } of signals) {
      const exit_ms = Math.floor(emitted_at_ms / HOUR_MS) * HOUR_MS + HOUR_MS + record.horizon_h * HOUR_MS;
      expect([record.seq, outcome?.status ?? "open"]).toEqual([
        record.seq,
        exit_ms + GRADED_AFTER_MS <= end_ms ? "scored" : "open",
      ]);
      if (scored_at_ms !== null) expect(scored_at_ms - exit_ms).toBeWithin(HOUR_MS, GRADED_AFTER_MS);
    }
    expect(signals.filter(({ outcome }) => outcome !== null).length).toBeGreaterThan(0);
    expect(signals.filter(({ outcome }) => outcome === null).length).toBeGreaterThan(0);
  });

  test("/sinais shows those within their horizon, all of them and no others", () => {
    for (const { now_ms, active } of signal_looks) {
      const expected = signals
        .filter(({ emitted_at_ms }) => emitted_at_ms <= now_ms && now_ms < emitted_at_ms + DAY_MS)
        .map(({ record }) => record.seq);
      expect(active.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(expected);
      for (const { expires_at } of active) expect(Date.parse(expires_at)).toBeGreaterThan(now_ms);
    }
    expect(signal_looks.some(({ active }) => active.length > 0)).toBe(true);
  });

  test("the record verifies from outside, with a head that was kept a day ago", () => {
    const { verificationMethod } = did_document as {
      verificationMethod: readonly { id: string; publicKeyJwk: { x: string } }[];
    };
    const findKey = (key_id: string) =>
      verificationMethod.find(({ id }) => id.endsWith(`#${key_id}`))?.publicKeyJwk.x ?? null;
    const { verdict, steps } = verifyTrackRecord(track_record, { findKey, kept });
    expect(kept?.length).toBeGreaterThan(0);
    expect(steps.filter(({ state }) => state !== "proven")).toEqual([]);
    expect(verdict).toBe("proven");
  });
});

describe("previews", () => {
  /** A run may wait for others, and starts some seconds after its mark. */
  const SLACK_MS = MINUTE_MS;
  const SHOWN = 200;
  const TOO_EARLY = 503;

  test("are never younger than their delay, and never go back in time", () => {
    for (const product of products) {
      const shown = looks.filter(({ path, status }) => path === product.path && status === SHOWN);
      for (const { now_ms, as_of_ms } of shown) {
        expect(now_ms - as_of_ms, product.path).toBeGreaterThanOrEqual(product.preview_delay_ms);
      }
      const times = shown.map(({ as_of_ms }) => as_of_ms);
      expect([product.path, times]).toEqual([product.path, [...times].sort((a, b) => a - b)]);
      const soon = product.definition.preview.rewind || product.preview_delay_ms + product.preview_every_ms < DAY_MS;
      if (soon) expect(new Set(times).size, product.path).toBeGreaterThan(1);
    }
  });

  test("are there once they can be, and are taken anew on their cadence", () => {
    for (const { now_ms, path, status, taken_at_ms } of looks) {
      const product = products.find((one) => one.path === path);
      if (!product) throw new Error(path);
      const { preview_every_ms: every_ms, preview_delay_ms: delay_ms } = product;
      // Some can be made as of a day ago; the others have to grow old first.
      const grown_ms = product.definition.preview.rewind ? 0 : delay_ms;
      const age_max_ms = every_ms + grown_ms + SLACK_MS;
      const since_ms = now_ms - age_max_ms;
      const was_down = since_ms < LIVES[0].from_ms || (since_ms < DOWN.to_ms && now_ms > DOWN.from_ms);
      if (was_down) continue;
      expect([path, status]).toEqual([path, SHOWN]);
      expect(now_ms - taken_at_ms, `${path} at ${new Date(now_ms).toISOString()}`).toBeLessThanOrEqual(age_max_ms);
    }
    expect(new Set(looks.map(({ status }) => status))).toEqual(new Set([SHOWN, TOO_EARLY]));
  });
});

describe("what is kept", () => {
  test("in market.db stays within its bounds", () => {
    const db = new Database(join(world.data, "market-sandbox.db"), { readonly: true });
    const series = db
      .query<{ series: string; n: number }, []>("SELECT series, count(*) n FROM series GROUP BY 1")
      .all();
    const taken = db
      .query<{ product: string; n: number }, []>("SELECT product, count(*) n FROM snapshots GROUP BY 1")
      .all();
    db.close();
    // One an hour at most, and of bars the last windows.
    const hours = Math.ceil((LIVES[3].to_ms - LIVES[0].from_ms) / HOUR_MS) + 1;
    const over = series.filter(({ series: name, n }) => n > (name.startsWith("market/bars") ? 3 : hours));
    expect(over).toEqual([]);
    expect(series.length).toBeGreaterThan(50);
    for (const { product, n } of taken) {
      const sold = products.find(({ id }) => id === product);
      const kinds = 1 + (sold?.definition.preview.params?.length ?? 0);
      const delays = Math.ceil((sold?.preview_delay_ms ?? 0) / (sold?.preview_every_ms ?? 1));
      expect(n, product).toBeLessThanOrEqual((2 * delays + 10) * kinds);
    }
  });

  test("in memory is no more at the end of any life than after the first hours", () => {
    const [warm = 0, ...later] = heaps;
    expect(later).toHaveLength(LIVES.length);
    expect(later.filter((size) => size - warm >= HEAP_GROWTH_MAX)).toEqual([]);
  });
});
