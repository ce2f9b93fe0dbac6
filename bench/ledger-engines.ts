/**
 * Debits of prepaid keys on the engines of the ledger, interleaved in one run, medians: a file that a thread writes
 * against one node and three nodes on PostgreSQL on this machine, and one connection's commands against `pgbench`
 * with the same statement. `bun bench/ledger-engines.ts`
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { KeyRow } from "../src/ledger/key-rows.ts";
import { type Ledger, openLedgerInPostgres, openLedgerInThread } from "../src/ledger/ledger.ts";
import { readAddress } from "../src/ledger/postgres/address.ts";
import { startPostgres } from "../test/helpers/postgres-server.ts";
import { issueKeys, measureDebits, measurePgbench, STATEMENTS } from "./engine-debits.ts";
import { median } from "./median.ts";

const ROUNDS = 5;
const KEYS = 1_000;
const clock = { now: Date.now };

const folder = mkdtempSync(join(tmpdir(), "ledger-engines-"));
// On a disk that syncs, as the file is.
const server = await startPostgres({}, tmpdir());
const file = await openLedgerInThread({ file: join(folder, "ledger.db"), clock });
const address = readAddress({ url: server.url });
const database = await openLedgerInPostgres({ address, clock, owner: "node" });
// As three nodes have it: each with connections and a seat of its own. Here they share one process.
const open = (name: string) =>
  openLedgerInPostgres({
    address: readAddress({ url: `${server.url}?schema=three` }),
    clock,
    owner: name,
    seat: { name, seat_ms: 60_000 },
  });
const three = [await open("a"), await open("b"), await open("c")];
const ledgers = { file: [file], database: [database], three };
const keys = {
  file: await issueKeys(file, KEYS),
  database: await issueKeys(database, KEYS),
  three: await issueKeys(three[0] as Ledger, KEYS),
};

const found: Record<string, number[]> = {};
const note = (name: string, value: number) => {
  found[name] ??= [];
  found[name].push(value);
};
for (let round = 0; round < ROUNDS; round++) {
  for (const callers of [1, 64, 512]) {
    for (const engine of ["file", "database", "three"] as const) {
      note(`${engine}, ${callers} callers`, await measureDebits(ledgers[engine], keys[engine], callers));
    }
  }
  const alone = await measurePgbench(server.port, keys.database[0] as KeyRow, folder);
  for (const statement of STATEMENTS) note(`pgbench: ${statement}`, alone[statement]);
}
for (const [name, values] of Object.entries(found)) console.log(`${name.padEnd(24)} ${Math.round(median(values))}/s`);
const ratio = (a: string, b: string) => (median(found[a] ?? []) / median(found[b] ?? [])).toFixed(2);
for (const callers of [1, 64, 512]) {
  for (const engine of ["database", "three"]) {
    const found_ratio = ratio(`${engine}, ${callers} callers`, `file, ${callers} callers`);
    console.log(`${engine} / file, ${callers}: ${found_ratio}`);
  }
}
console.log(`one caller / pgbench: ${ratio("database, 1 callers", "pgbench: a debit")}`);
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
for (const ledger of [file, database, ...three]) {
  const { findings } = await ledger.audit();
  if (findings.length > 0) throw new Error(JSON.stringify(findings[0]));
  await ledger.close();
}
await server.stop();
rmSync(folder, { recursive: true, force: true });
