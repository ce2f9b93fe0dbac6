import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { sha256Hex } from "../src/core/hash.ts";
import type { KeyRow } from "../src/ledger/key-rows.ts";
import type { Ledger } from "../src/ledger/ledger.ts";
import { DEBITS } from "../src/ledger/postgres/debits.ts";

/** Debits of prepaid keys on an engine alone, and the same statement by `pgbench`. */
const ROUND_MS = 1_500;
const PGBENCH_S = 2;
const clock = { now: Date.now };

export async function issueKeys({ keys }: Ledger, count: number): Promise<readonly KeyRow[]> {
  const grant = { plan: "p", credit: 10n ** 12n, duration_ms: null, pass: false, priority: 1, badge: null };
  const issue = (n: number) => {
    const key = { public_id: `key_${n}`, hash: sha256Hex(`${n}`), salt: null, label: null, purchaser: null };
    return keys.issue(key, grant, { by: "operator" });
  };
  return Promise.all(Array.from({ length: count }, (_, n) => issue(n)));
}

/** Debits a second of so many callers, spread over the nodes of a ledger, each one call after the other. */
export async function measureDebits(
  nodes: readonly Ledger[],
  keys: readonly KeyRow[],
  callers: number,
): Promise<number> {
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

/** What one connection of pgbench is measured with: each is a part of the one after it. */
export const STATEMENTS = ["a round trip", "a debit, not synced", "a debit"] as const;

/** Statements a second of one connection of pgbench, each a transaction. The schema of `key` is the default one. */
export async function measurePgbench(
  port: number,
  key: KeyRow,
  folder: string,
): Promise<Record<(typeof STATEMENTS)[number], number>> {
  const admin = new SQL(`postgres://intel@127.0.0.1:${port}/postgres`, { max: 1 });
  const open = "INSERT INTO sessions (id, owner) VALUES ('pgbench', 'node') ON CONFLICT (id) DO UPDATE SET batch = 0";
  await admin.unsafe(open);
  const charge = { key: { id: key.id, daily_cap: null }, root: { account: key.account }, product: "one", amount: "10" };
  const args = [
    { ...charge, now_ms: clock.now() },
    { body: "{}", sha256: sha256Hex("{}"), name: null },
  ];
  // The first one opens the account of the lane's income, and keeps the answer that all others name.
  const commands = JSON.stringify([["charges.debit", args]]);
  const [first] = await admin.unsafe("SELECT run_commands('pgbench', 1, 15, $1::bigint, $2::text) AS results", [
    clock.now(),
    commands,
  ]);
  const answer = Number(JSON.parse(first.results)[0].answer_id);
  const own = { account: key.account ?? "", key: key.id, cap: null, amount: 10n, product: "one", day: 0, answer };
  const values = DEBITS.whole?.values([own]) ?? [];
  const given = values.map((value, n) => (value === null ? "NULL" : `:v${n}`)).join(", ");
  const debit = `SELECT run_debits('pgbench', :n, 15, ${clock.now()}, ${given})`;
  const run = async (statement: string, synchronous_commit: "on" | "off"): Promise<number> => {
    await admin.unsafe(open);
    const script = join(folder, "statement.sql");
    writeFileSync(script, `\\set n :n + 1\n${statement};\n`);
    // As a variable: what follows a colon inside a statement, as in the name of a balance, would be one to it.
    const variables = ["-D", "n=0", ...values.flatMap((value, n) => (value === null ? [] : ["-D", `v${n}=${value}`]))];
    const flags = ["-n", "-M", "prepared", ...variables, "-c", "1", "-T", `${PGBENCH_S}`, "-f", script];
    const child = Bun.spawn(["pgbench", ...flags, "-h", "127.0.0.1", "-p", `${port}`, "-U", "intel", "postgres"], {
      stdout: "pipe",
      stderr: "ignore",
      env: { ...process.env, PGOPTIONS: `-c synchronous_commit=${synchronous_commit}` },
    });
    return Number(/tps = ([0-9.]+)/.exec(await child.stdout.text())?.[1] ?? 0);
  };
  const found = {
    "a round trip": await run("SELECT 1", "on"),
    "a debit, not synced": await run(debit, "off"),
    "a debit": await run(debit, "on"),
  };
  // A debit that is refused costs less, and is none.
  const [last] = await admin.unsafe("SELECT batch FROM sessions WHERE id = 'pgbench'");
  if (Number(last?.batch) < PGBENCH_S) throw new Error("pgbench debited nothing");
  await admin.close();
  return found;
}
