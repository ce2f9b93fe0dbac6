import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/core/clock.ts";
import { sha256Hex } from "../src/core/hash.ts";
import { type Ledger, openLedger, openLedgerInThread } from "../src/ledger/ledger.ts";
import { writeSection } from "./report.ts";

/**
 * `bun bench/ledger.ts`: durable debits in the thread that serves against a thread of their own, interleaved in one
 * run, medians: how many a second, what a caller waits, and how long the serving thread does nothing else. Nothing
 * here is a test.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const CALLERS = [1, 64, 512];
const ANSWER = JSON.stringify({ data: "x".repeat(1_500) });
const ENGINES = { "in the serving thread": openLedger, "in a thread of its own": openLedgerInThread } as const;
type Engine = keyof typeof ENGINES;

interface Measured {
  readonly debits_s: number;
  readonly p50_ms: number;
  readonly pause_p999_ms: number;
  readonly cpu_us: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const median = (values: readonly number[]): number =>
  at(
    [...values].sort((a, b) => a - b),
    0.5,
  );

/** How late a timer of 1 ms is: the time in which the thread served nobody. */
function watchLoop(): () => readonly number[] {
  const late: number[] = [];
  let last = performance.now();
  let on = true;
  const look = () => {
    const now = performance.now();
    late.push(Math.max(0, now - last - 1));
    last = now;
    if (on) setTimeout(look, 1);
  };
  setTimeout(look, 1);
  return () => {
    on = false;
    return late.sort((a, b) => a - b);
  };
}

async function run(ledger: Ledger, callers: number): Promise<Measured> {
  const key = await ledger.keys.find(sha256Hex("key"));
  if (!key) throw new Error("no key");
  const waits: number[] = [];
  const stop = watchLoop();
  const before = process.cpuUsage();
  const until_ms = performance.now() + SECONDS * 1_000;
  const call = async (): Promise<void> => {
    while (performance.now() < until_ms) {
      const asked = performance.now();
      const charge = { key, root: key, product: "bench", amount: 1n, now_ms: Date.now() };
      const done = await ledger.charges.debit(charge, { body: ANSWER, name: null });
      if (!done.ok) throw new Error(done.why);
      waits.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const { user, system } = process.cpuUsage(before);
  waits.sort((a, b) => a - b);
  return {
    debits_s: waits.length / SECONDS,
    p50_ms: at(waits, 0.5),
    pause_p999_ms: at(stop(), 0.999),
    cpu_us: (user + system) / waits.length,
  };
}

const folder = mkdtempSync(join(tmpdir(), "bench-ledger-"));
const names = Object.keys(ENGINES) as Engine[];
const ledgers = new Map<Engine, Ledger>();
for (const [n, name] of names.entries()) {
  const ledger = await ENGINES[name]({ file: join(folder, `${n}.db`), clock: systemClock });
  const key = { public_id: "key_1", hash: sha256Hex("key"), salt: null, label: null, purchaser: null };
  const grant = { plan: "p", credit: 10n ** 15n, duration_ms: null, pass: false, priority: 1, badge: null };
  await ledger.keys.issue(key, grant, { by: "operator" });
  ledgers.set(name, ledger);
}
const found = new Map<string, Measured[]>();
for (let round = 0; round <= ROUNDS; round++) {
  for (const callers of CALLERS) {
    for (const [name, ledger] of ledgers) {
      const measured = await run(ledger, callers);
      const row = `${callers} | ${name}`;
      // The first round warms up.
      if (round > 0) found.set(row, [...(found.get(row) ?? []), measured]);
    }
  }
}
for (const ledger of ledgers.values()) await ledger.close();
rmSync(folder, { recursive: true, force: true });

const rows = [...found].map(([name, all]) => {
  const of = (figure: keyof Measured) => median(all.map((one) => one[figure]));
  const times = [of("p50_ms").toFixed(2), of("pause_p999_ms").toFixed(1), of("cpu_us").toFixed(0)];
  return `| ${name} | ${of("debits_s").toFixed(0)} | ${times.join(" | ")} |`;
});
const HEADS = [
  ...["callers", "the books are written", "durable debits/s", "a caller waits, p50 ms"],
  ...["serving thread pauses, p99.9 ms", "processor, us a debit"],
];
const table = [`| ${HEADS.join(" | ")} |`, `| ${HEADS.map(() => "---").join(" | ")} |`, ...rows].join("\n");
const text = `\`bun bench/ledger.ts\`: ${ROUNDS} rounds of ${SECONDS} s, interleaved, medians; each debit is
synced to disk before it is answered.

${table}`;
console.log(text);
if (process.env.BENCH_WRITE !== "0") {
  writeSection(join(import.meta.dir, "..", "docs", "performance.md"), "## The books in a thread", text);
}
process.exit(0);
