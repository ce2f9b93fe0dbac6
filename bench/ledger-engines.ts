/**
 * Debits of prepaid keys on the engines of the ledger, interleaved in one run, medians: a file that a thread writes
 * against one node and three nodes on PostgreSQL on this machine, and one connection's commands against `pgbench`
 * with the same statement. `bun bench/ledger-engines.ts`
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { sha256Hex } from "../src/core/hash.ts";
import type { KeyRow } from "../src/ledger/key-rows.ts";
import { type Ledger, openLedgerInPostgres, openLedgerInThread } from "../src/ledger/ledger.ts";
import { readAddress } from "../src/ledger/postgres/address.ts";
import { startPostgres } from "../test/helpers/postgres-server.ts";

const ROUNDS = 5;
const ROUND_MS = 1_500;
const KEYS = 1_000;
const clock = { now: Date.now };
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function issueKeys({ keys }: Ledger): Promise<readonly KeyRow[]> {
  const grant = { plan: "p", credit: 10n ** 12n, duration_ms: null, pass: false, priority: 1, badge: null };
  const issue = (n: number) => {
    const key = { public_id: `key_${n}`, hash: sha256Hex(`${n}`), salt: null, label: null, purchaser: null };
    return keys.issue(key, grant, { by: "operator" });
  };
  return Promise.all(Array.from({ length: KEYS }, (_, n) => issue(n)));
}

/** Debits a second of so many callers, spread over the nodes of a ledger, each one call after the other. */
async function measure(nodes: readonly Ledger[], keys: readonly KeyRow[], callers: number): Promise<number> {
  const begun = performance.now();
  let count = 0;
  let next = 0;
  const answer = { body: JSON.stringify({ text: "x".repeat(1_000) }), name: null };
  const call = async (_: unknown, caller: number) => {
    const { charges } = nodes[caller % nodes.length] as Ledger;
    while (performance.now() - begun < ROUND_MS) {
      const key = keys[next++ % keys.length] as KeyRow;
      await charges.debit({ key, root: key, product: "one", amount: 10n, now_ms: clock.now() }, answer);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (count * 1_000) / (performance.now() - begun);
}

/** One connection of pgbench that runs batches of one debit. */
async function pgbench(port: number, key: KeyRow, folder: string): Promise<number> {
  const charge = { key: { id: key.id, daily_cap: null }, root: { account: key.account }, product: "one", amount: "10" };
  const args = [
    { ...charge, now_ms: clock.now() },
    { body: "{}", sha256: sha256Hex("{}"), name: null },
  ];
  const commands = JSON.stringify([["charges.debit", args]]);
  const script = join(folder, "debit.sql");
  writeFileSync(
    script,
    `\\set n :n + 1\nSELECT run_commands('pgbench', :n, 15, ${clock.now()}, '${commands.replaceAll(":", " : ")}');\n`,
  );
  const admin = new SQL(`postgres://intel@127.0.0.1:${port}/postgres`, { max: 1 });
  await admin.unsafe(
    "INSERT INTO sessions (id, owner) VALUES ('pgbench', 'node') ON CONFLICT (id) DO UPDATE SET batch = 0",
  );
  await admin.close();
  const flags = ["-n", "-M", "prepared", "-D", "n=0", "-c", "1", "-T", "2", "-f", script];
  const child = Bun.spawn(["pgbench", ...flags, "-h", "127.0.0.1", "-p", `${port}`, "-U", "intel", "postgres"], {
    stdout: "pipe",
    stderr: "ignore",
  });
  return Number(/tps = ([0-9.]+)/.exec(await child.stdout.text())?.[1] ?? 0);
}

const folder = mkdtempSync(join(tmpdir(), "ledger-engines-"));
// On a disk that syncs, as the file is.
const server = await startPostgres({}, tmpdir());
const file = await openLedgerInThread({ file: join(folder, "ledger.db"), clock });
const address = readAddress({ url: server.url });
const database = await openLedgerInPostgres({ address, clock, owner: "node" });
// As three nodes have it: each with connections and a seat of its own. Here they share one process.
const open = (name: string) =>
  openLedgerInPostgres({
    ...{ address: readAddress({ url: `${server.url}?schema=three` }), clock },
    ...{ owner: name, seat: { name, seat_ms: 60_000 } },
  });
const three = [await open("a"), await open("b"), await open("c")];
const ledgers = { file: [file], database: [database], three };
const keys = {
  file: await issueKeys(file),
  database: await issueKeys(database),
  three: await issueKeys(three[0] as Ledger),
};

const found: Record<string, number[]> = {};
const note = (name: string, value: number) => {
  found[name] ??= [];
  found[name].push(value);
};
for (let round = 0; round < ROUNDS; round++) {
  for (const callers of [1, 64, 512]) {
    for (const engine of ["file", "database", "three"] as const) {
      note(`${engine}, ${callers} callers`, await measure(ledgers[engine], keys[engine], callers));
    }
  }
  note("pgbench, 1 connection", await pgbench(server.port, keys.database[0] as KeyRow, folder));
}
for (const [name, values] of Object.entries(found)) console.log(`${name.padEnd(24)} ${Math.round(median(values))}/s`);
const ratio = (a: string, b: string) => (median(found[a] ?? []) / median(found[b] ?? [])).toFixed(2);
for (const callers of [1, 64, 512]) {
  for (const engine of ["database", "three"]) {
    const found_ratio = ratio(`${engine}, ${callers} callers`, `file, ${callers} callers`);
    console.log(`${engine} / file, ${callers}: ${found_ratio}`);
  }
}
console.log(`one caller / pgbench: ${ratio("database, 1 callers", "pgbench, 1 connection")}`);
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
for (const ledger of [file, database, ...three]) {
  const { findings } = await ledger.audit();
  if (findings.length > 0) throw new Error(JSON.stringify(findings[0]));
  await ledger.close();
}
await server.stop();
rmSync(folder, { recursive: true, force: true });
