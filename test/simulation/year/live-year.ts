import { Database } from "bun:sqlite";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AuditReport } from "../../../src/ledger/audit.ts";
import { openLedger } from "../../../src/ledger/ledger.ts";
import type { MoneySummary } from "../../../src/ledger/money.ts";
import { createBuyers, type Tally } from "./year-buyers.ts";
import { INCIDENTS, type Incident, type Year } from "./year-incidents.ts";
import { openShop } from "./year-shop.ts";
import { createYearWorld, type Told } from "./year-world.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 24;
const START_MS = Date.UTC(2027, 0, 1);

export interface YearOptions {
  readonly days: number;
  /** A day. */
  readonly payments: number;
  /** By key, a day. */
  readonly calls: number;
  /** Told after each day. */
  readonly onDay?: (day: number, tally: Tally) => void;
}

export interface LivedIncident extends Incident {
  readonly began_ms: number;
  readonly ended_ms: number;
}

export interface LivedYear {
  readonly incidents: readonly LivedIncident[];
  readonly told: readonly Told[];
  readonly tally: Tally;
  readonly explained: bigint;
  /** What came to the wallet, by the chain. Atomic USDC. */
  readonly chain: { readonly transfers: number; readonly amount: bigint };
  readonly books: MoneySummary;
  readonly audit: AuditReport;
  readonly balance: bigint;
  readonly faults: readonly string[];
  readonly log_bytes: number;
  /** In the pages of the books that are in use, when answers that may go have gone. */
  readonly book_bytes: number;
  /** Files of the data folder. */
  readonly files: Readonly<Record<string, number>>;
  readonly no_disk: string | null;
}

/** When each comes: one at a time, spread over the days. */
function planIncidents(days: number): ReadonlyMap<number, Incident> {
  const marks = INCIDENTS.map((incident, n): [number, Incident] => {
    const share = (n + 0.5) / INCIDENTS.length;
    return [Math.floor(share * days * HOURS), incident];
  });
  return new Map(marks);
}

/** So many of a day's in this hour. */
const shareOf = (a_day: number, hour: number): number =>
  Math.floor((a_day * (hour + 1)) / HOURS) - Math.floor((a_day * hour) / HOURS);

async function liveHours(year: Year, { days, payments, calls, onDay }: YearOptions): Promise<readonly LivedIncident[]> {
  const { world, shop, buyers } = year;
  const plan = planIncidents(days);
  const lived: LivedIncident[] = [];
  for (let hour = 0; hour < days * HOURS; hour += 1) {
    const of_day = hour % HOURS;
    if (of_day === 0) await buyers.buyCredit();
    await buyers.buy({ payments: shareOf(payments - 1, of_day), calls: shareOf(calls, of_day) });
    const incident = plan.get(hour);
    if (incident) {
      const began_ms = world.clock.world();
      await incident.live(year);
      lived.push({ ...incident, began_ms, ended_ms: world.clock.world() });
    }
    const left_ms = START_MS + (hour + 1) * HOUR_MS - world.clock.world();
    if (left_ms > 0) await shop.pass(left_ms);
    if (of_day === HOURS - 1) onDay?.(Math.floor(hour / HOURS) + 1, buyers.tally);
  }
  return lived;
}

const listFiles = (folder: string): Readonly<Record<string, number>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size]));

/** Bytes in use in the pages of the books, as if nothing of a page were left free. */
function readBookBytes(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    const { bytes } = db.query("SELECT sum(pgsize - unused) AS bytes FROM dbstat").get() as { bytes: number };
    return bytes;
  } finally {
    db.close();
  }
}

/** A year of a whole shop, or as many days of it, with all that goes wrong in one. */
export async function liveYear(options: YearOptions): Promise<LivedYear> {
  const sales = options.days * (options.payments + options.calls);
  const world = createYearWorld(START_MS);
  // Books, their log, a backup of them, and as much again.
  const shop = await openShop(world, 256 + Math.ceil(sales / 250));
  try {
    const buyers = createBuyers(world, shop);
    const year: Year = { world, shop, buyers, explained: 0n };
    const incidents = await liveHours(year, options);
    // What never landed is decided after a day, and answers of the last day go.
    for (let days = 0; days < 2; days += 1) await shop.pass(DAY_MS);
    await shop.operate("run-job", { job: "ledger-retention" });
    const balance = await buyers.readBalance();
    const audit = await shop.node.audit();
    await shop.stop();
    const file = join(shop.data, "ledger.db");
    const ledger = openLedger({ file, clock: world.clock.node });
    const books = await ledger.money.toDate();
    await ledger.close();
    const income = world.listIncome();
    const result: LivedYear = {
      incidents,
      told: world.told,
      tally: buyers.tally,
      explained: year.explained,
      chain: {
        transfers: income.length,
        amount: income.reduce((sum, { amount_atomic }) => sum + BigInt(amount_atomic), 0n),
      },
      books,
      audit,
      balance,
      faults: buyers.faults,
      log_bytes: shop.log_bytes,
      book_bytes: readBookBytes(file),
      files: listFiles(shop.data),
      no_disk: typeof shop.disk === "string" ? shop.disk : null,
    };
    await shop.start();
    return result;
  } finally {
    await shop.close();
    await world.stop();
  }
}
