import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/core/clock.ts";
import { sha256Hex } from "../src/core/hash.ts";
import { openLedgerInThread } from "../src/ledger/ledger.ts";

/**
 * How long the thread that serves does nothing else while so many debits a second are synced to disk by the ledger's
 * own thread, and with none, in turns. Prints JSON. Arguments: debits a second, seconds of a turn, turns.
 */
const [rate = "10000", seconds = "3", rounds = "5"] = process.argv.slice(2);
const ANSWER = JSON.stringify({ data: "x".repeat(1_500) });

/** How late a timer of 1 ms is, over one turn: the time in which the thread served nobody. */
async function watchLoop(until_ms: number): Promise<number[]> {
  const late: number[] = [];
  for (let last = performance.now(); last < until_ms; ) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const now = performance.now();
    late.push(Math.max(0, now - last - 1));
    last = now;
  }
  return late;
}

const folder = mkdtempSync(join(tmpdir(), "bench-pause-"));
const ledger = await openLedgerInThread({ file: join(folder, "ledger.db"), clock: systemClock });
const new_key = { public_id: "key_1", hash: sha256Hex("key"), salt: null, label: null, purchaser: null };
const grant = { plan: "p", credit: 10n ** 15n, duration_ms: null, pass: false, priority: 1, badge: null };
await ledger.keys.issue(new_key, grant, { by: "operator" });
const found = await ledger.keys.find(sha256Hex("key"));
if (!found) throw new Error("no key");
const charge = { key: found, root: found, product: "bench", amount: 1n } as const;

/** Debits at a fixed rate, whatever the disk does. @returns how many were durable at the end. */
async function debit(until_ms: number): Promise<number> {
  const from = performance.now();
  const running: Promise<unknown>[] = [];
  for (let sent = 0; performance.now() < until_ms; ) {
    const due = Math.floor(((performance.now() - from) * Number(rate)) / 1_000);
    for (; sent < due; sent += 1) {
      running.push(ledger.charges.debit({ ...charge, now_ms: Date.now() }, { body: ANSWER, name: null }));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return (await Promise.all(running)).length;
}

const late = { idle: [] as number[], writing: [] as number[] };
let durable = 0;
for (let round = 0; round <= Number(rounds); round += 1) {
  const idle = await watchLoop(performance.now() + Number(seconds) * 1_000);
  const until_ms = performance.now() + Number(seconds) * 1_000;
  const [writing, count] = await Promise.all([watchLoop(until_ms), debit(until_ms)]);
  // The first turn warms up.
  if (round === 0) continue;
  late.idle.push(...idle);
  late.writing.push(...writing);
  durable += count;
}
await ledger.close();
rmSync(folder, { recursive: true, force: true });
const p999 = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length * 0.999)] ?? 0;
const writes_s = durable / (Number(rounds) * Number(seconds));
console.log(JSON.stringify({ idle_ms: p999(late.idle), writing_ms: p999(late.writing), writes_s }));
process.exit(0);
