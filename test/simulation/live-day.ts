import { join } from "node:path";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import {
  EVALUATIONS,
  readSignal,
  SIGNALS,
  type StoredSignal,
} from "../../src/plugins/crypto-market/signals/signal-records.ts";
import { RECORDS } from "../../src/plugins/crypto-market/win-rate-verified/schema.ts";
import type { KeptHead } from "../../src/trust/track-form.ts";
import { EFFORT } from "../helpers/effort.ts";
import { isWholeChain } from "../helpers/signal-ledger.ts";
import { createDayWorld, type DayWorld, type Life } from "./day-node.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const at = (text: string): number => Date.parse(`2026-10-${text}:00Z`);

/** Starts and stops; stops are at a second at which no pause after a mark is under way. */
const STOP_SECONDS_MS = 53_000;
interface Span {
  readonly from_ms: number;
  readonly to_ms: number;
}
const span = (from: string, to: string): Span => ({ from_ms: at(from), to_ms: at(to) + STOP_SECONDS_MS });

/**
 * Full counts live sixteen of 27 hours. A quick run lives the four in which something happens: the first close, a slow
 * upstream, the turn of the day, the first thesis, the first grades.
 */
const IS_WHOLE = EFFORT !== "quick";
export const LIVES: readonly [Span, Span, Span, Span] = IS_WHOLE
  ? [
      span("01T23:50", "02T08:20"),
      span("02T19:40", "03T00:20"),
      span("03T00:21", "03T02:20"),
      span("03T02:21", "03T02:40"),
    ]
  : [
      span("01T23:50", "02T01:20"),
      span("02T22:50", "03T00:20"),
      span("03T01:50", "03T02:20"),
      span("03T02:21", "03T02:40"),
    ];
/** Closes of four hours that came while the node was up, and how many it slept through between them. */
export const CLOSES: readonly string[] = IS_WHOLE
  ? ["02T00:00", "02T04:00", "02T08:00", "02T20:00", "03T00:00"]
  : ["02T00:00", "03T00:00"];
export const MISSED = IS_WHOLE ? 2 : 5;
/** When it was down for longer than a restart takes. */
export const DOWNS: readonly Span[] = LIVES.slice(1).flatMap(({ from_ms }, index) => {
  const ended_ms = LIVES[index]?.to_ms ?? from_ms;
  return from_ms - ended_ms > MINUTE_MS ? [{ from_ms: ended_ms, to_ms: from_ms }] : [];
});
/** From here on the job's upstream does not answer for a while. */
export const SLOW = {
  job: "gdelt-pull",
  pattern: "*/2 * * * *",
  ...(IS_WHOLE
    ? { from_ms: at("02T03:30"), to_ms: at("02T04:15"), met: ["04:16", "04:18", "04:20"] }
    : { from_ms: at("02T00:56"), to_ms: at("02T01:11"), met: ["01:12", "01:14", "01:16"] }),
};
/** From here on the heap is expected to stay as it is. */
const WARM_MS = at(IS_WHOLE ? "02T01:50" : "02T00:55");

interface Look {
  readonly now_ms: number;
  readonly path: string;
  readonly status: number;
  readonly as_of_ms: number;
  readonly taken_at_ms: number;
}
/** A product that is made of records, as a buyer met it. */
export interface Offer {
  readonly now_ms: number;
  readonly path: string;
  /** What its 402 said about when it can have data; null when it had some. */
  readonly available_from: string | null;
  readonly status: number;
  /** Of a refusal. */
  readonly code: string | null;
  readonly charged: boolean;
}
interface SignalLook {
  readonly now_ms: number;
  readonly active: readonly { readonly seq: number; readonly expires_at: string }[];
}
export interface LifeEnd {
  readonly started_at_ms: number;
  readonly ended_at_ms: number;
  readonly jobs: readonly {
    readonly id: string;
    readonly runs: number;
    readonly failures: number;
    readonly last_error?: string | null;
  }[];
}

/** What was seen of the day. */
export interface Day {
  readonly world: DayWorld;
  products: readonly CatalogProduct[];
  readonly looks: Look[];
  readonly offers: Offer[];
  readonly signal_looks: SignalLook[];
  readonly ends: LifeEnd[];
  /** Once warm, and at the end of each life. */
  readonly heaps: number[];
  /** The first chain head a buyer saw. */
  kept: KeptHead | undefined;
  track_record: unknown;
  did_document: unknown;
  signals: readonly StoredSignal[];
  closes_evaluated: readonly string[];
  /** Whether every record hashes and links as it should. */
  whole: boolean;
}

/** What is left when everything that can go has gone: what a stopped node leaves behind takes some turns. */
async function sizeHeap(): Promise<number> {
  const sizes: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    Bun.gc(true);
    sizes.push(process.memoryUsage().heapUsed);
    await Bun.sleep(20);
  }
  return Math.min(...sizes);
}

/** Everything that is shown for nothing, and the signals as a buyer sees them. */
async function look(day: Day, life: Life): Promise<void> {
  const now_ms = day.world.clock.now();
  for (const { path, definition } of day.products) {
    // In somebody else's form there is no place for times.
    if (definition.form) continue;
    const response = await life.get(`${path}?preview=1`);
    const { as_of, generated_at } = (await response.json()) as { as_of?: string; generated_at?: string };
    const { status } = response;
    day.looks.push({
      now_ms,
      path,
      status,
      as_of_ms: Date.parse(as_of ?? ""),
      taken_at_ms: Date.parse(generated_at ?? ""),
    });
  }
  for (const { path, definition } of day.products) {
    if (definition.findOpening) await meet(day, life, path);
  }
}

/** Buys a product that is made of records, whether it has any by then or not. */
async function meet(day: Day, life: Life, path: string): Promise<void> {
  const now_ms = day.world.clock.now();
  const { available_from = null } = (await (await life.get(path)).json()) as { available_from?: string };
  const response = await life.order(path);
  const answer = (await response.json()) as Record<string, unknown>;
  const sold = response.status === 200;
  const code = sold ? null : String(answer.code);
  const charged = sold ? response.headers.has("x-receipt-id") : answer.charged !== false;
  day.offers.push({ now_ms, path, available_from, status: response.status, code, charged });
  if (!sold || path !== "/sinais") return;
  const { data } = answer as { data: SignalLook & { chain: KeptHead } };
  day.signal_looks.push({ now_ms, active: data.active });
  if (day.kept === undefined && data.chain.length > 0) day.kept = data.chain;
}

async function live(day: Day, life: Life, to_ms: number): Promise<void> {
  for (let hour_ms = day.world.clock.now() + HOUR_MS; hour_ms < to_ms; hour_ms += HOUR_MS) {
    for (let now_ms = hour_ms - HOUR_MS; now_ms < hour_ms; now_ms += MINUTE_MS) await life.timers.liveTo(now_ms);
    await look(day, life);
  }
  await life.timers.liveTo(to_ms);
}

async function endLife(day: Day, life: Life): Promise<void> {
  const headers = { authorization: `Bearer ${life.node.operator_token}` };
  // Nothing is due any more; the clock runs on while the heap is measured.
  const ended_at_ms = day.world.clock.now();
  day.heaps.push(await sizeHeap());
  const { jobs } = (await (await life.get("/admin/status", headers)).json()) as Pick<LifeEnd, "jobs">;
  day.ends.push({ started_at_ms: life.timers.startedAt(), ended_at_ms, jobs });
  await life.stop();
}

/** The first life: a warm heap is measured, and one job meets a slow upstream. */
async function liveFirst(day: Day, life: Life, to_ms: number): Promise<void> {
  await live(day, life, WARM_MS);
  day.heaps.push(await sizeHeap());
  await live(day, life, SLOW.from_ms);
  const release = day.world.hold(SLOW.job);
  await live(day, life, SLOW.to_ms);
  release();
  await live(day, life, to_ms);
}

/**
 * One day of the whole node by a driven clock: its own scheduler, jobs, stores and doors, in a simulated market. It is
 * stopped three times: for hours, within a minute in which it writes signals, and within one in which it grades.
 */
export async function liveDay(): Promise<Day> {
  const world = await createDayWorld(LIVES[0].from_ms);
  const day: Day = {
    world,
    products: [],
    looks: [],
    offers: [],
    signal_looks: [],
    ends: [],
    heaps: [],
    kept: undefined,
    track_record: null,
    did_document: null,
    signals: [],
    closes_evaluated: [],
    whole: false,
  };
  for (const [index, { from_ms, to_ms }] of LIVES.entries()) {
    world.clock.moveTo(from_ms);
    const life = await world.start();
    day.products = life.node.catalog.products.filter(({ definition }) => definition.plan === undefined);
    await look(day, life);
    if (index === 0) await liveFirst(day, life, to_ms);
    else await live(day, life, to_ms);
    if (index === LIVES.length - 1) {
      day.track_record = await life.buy(`/win-rate-verified?records=${RECORDS.max}`);
      day.did_document = await (await life.get("/.well-known/did.json")).json();
    }
    await endLife(day, life);
  }
  const ledger = openLedger({ file: join(world.data, "ledger.db"), clock: world.clock });
  const records = ledger.records("sandbox");
  day.signals = (await records.read(SIGNALS)).map(readSignal);
  day.closes_evaluated = (await records.read(EVALUATIONS)).map(({ record }) => String(record.bar_close_at));
  day.whole = (await isWholeChain(records, SIGNALS)) && (await isWholeChain(records, EVALUATIONS));
  await ledger.close();
  return day;
}
