import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSettableClock } from "../src/core/clock.ts";
import { sha256Hex } from "../src/core/hash.ts";
import { openLedger } from "../src/ledger/ledger.ts";
import { benchKey, writeLedger } from "./big-ledger.ts";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";

/**
 * `bun bench/statement-indexes.ts`: what the three indexes that find a statement's rows cost each debit:
 * the same ledger with and without them, in turns, in this process. Nothing here is a test.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const SIZES = [25_000, 500_000].map((transfers) => ({ keys: 20_000, transfers }));
const DEBITS = 4_000;
const AT_ONCE = 64;
const INDEXES = ["transfers_expired", "transfers_back", "calls_of_passes"];

type Size = (typeof SIZES)[number];

async function prepare(folder: string, size: Size, indexed: boolean) {
  await writeLedger(folder, size);
  const file = join(folder, "ledger.db");
  const ledger = openLedger({ file, clock: createSettableClock() });
  if (!indexed) {
    // Only now: the questions of a statement name their index, so that a ledger without it does not open.
    const db = new Database(file);
    for (const name of INDEXES) db.run(`DROP INDEX ${name}`);
    db.close();
  }
  return ledger;
}
type Ledger = Awaited<ReturnType<typeof prepare>>;

/** Debits of keys in turn, so many at once. @returns microseconds of wall time and of processor time for each. */
async function spend(
  ledger: Ledger,
  { keys: count }: Size,
  seed: number,
): Promise<{ wall_us: number; cpu_us: number }> {
  const keys = await Promise.all(
    Array.from({ length: DEBITS }, (_, n) => ledger.keys.find(sha256Hex(benchKey((seed + n * 7) % count)))),
  );
  const answer = { body: '{"message":"hello"}', name: null };
  const waiting = keys.values();
  const work = async () => {
    for (const key of waiting) {
      if (!key) throw new Error("a key of the ledger is not found");
      const charge = { key, root: key, product: "bench", amount: 10_000n, now_ms: Date.now() };
      const { ok } = await ledger.charges.debit(charge, answer);
      if (!ok) throw new Error("a debit was refused");
    }
  };
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const { user, system } = process.cpuUsage(cpu);
  return { wall_us: ((performance.now() - started) * 1000) / DEBITS, cpu_us: (user + system) / DEBITS };
}

async function compare(size: Size): Promise<readonly string[]> {
  const folders = [mkdtempSync(join(tmpdir(), "bench-indexed-")), mkdtempSync(join(tmpdir(), "bench-plain-"))];
  try {
    const ledgers = await Promise.all(folders.map((folder, index) => prepare(folder, size, index === 0)));
    const taken = ledgers.map(() => ({ wall_us: [] as number[], cpu_us: [] as number[] }));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, ledger] of ledgers.entries()) {
        const { wall_us, cpu_us } = await spend(ledger, size, round * DEBITS);
        if (round === 0) continue;
        taken[index]?.wall_us.push(wall_us);
        taken[index]?.cpu_us.push(cpu_us);
      }
    }
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    const [indexed, plain] = taken.map(({ wall_us, cpu_us }) => ({ wall: median(wall_us), cpu: median(cpu_us) }));
    if (!indexed || !plain) throw new Error("nothing was measured");
    const row = (name: string, a: number, b: number) =>
      `| ${size.transfers.toLocaleString("en")} | ${name} | ${a.toFixed(1)} µs | ${b.toFixed(1)} µs | ` +
      `${(a - b).toFixed(1)} µs (${((a / b - 1) * 100).toFixed(0)} %) |`;
    return [row("processor", indexed.cpu, plain.cpu), row("wall", indexed.wall, plain.wall)];
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

const rows: string[] = [];
for (const size of SIZES) rows.push(...(await compare(size)));
const text = [
  "Written by `bun bench/statement-indexes.ts`: the same ledger with and without the three indexes by which a",
  "statement finds what expired, what came back and calls of passes, in turns, in one process. Until schema 8 one of",
  "them held each debit, too: 5 µs of processor time with 25,000 transfers, 22 µs with 500,000. 20,000 keys in turn;",
  `${AT_ONCE} debits at once, on disk with full sync; medians of ${ROUNDS} rounds of`,
  `${DEBITS.toLocaleString("en")}.`,
  "",
  "| transfers before | time of a debit | with | without | the indexes cost |",
  "| --- | --- | --- | --- | --- |",
  ...rows,
].join("\n");
writeSection(join(import.meta.dir, "..", "docs", "performance.md"), "## What a statement's indexes cost", text);
console.log(text);
