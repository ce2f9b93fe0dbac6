import { Database } from "bun:sqlite";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { auditAt } from "../src/commands/ask-ledger.ts";
import type { KeyRow } from "../src/ledger/key-rows.ts";
import { openLedgerInPostgres } from "../src/ledger/ledger.ts";
import { readAddress } from "../src/ledger/postgres/address.ts";
import { type PostgresServer, startPostgres } from "../test/helpers/postgres-server.ts";
import { type BenchNode, endBenchNodes, readCPU, startBenchNode } from "./bench-nodes.ts";
import { issueKeys, measureDebits, measurePgbench, STATEMENTS } from "./engine-debits.ts";
import { median } from "./median.ts";
import { writeSection } from "./report.ts";

/**
 * `./build.sh && bun bench/cluster.ts`: calls by key over HTTP through three nodes on one PostgreSQL against one node
 * on a file, every debit on disk before its answer; and one connection's commands against `pgbench` with the same
 * statement. Interleaved, medians; needs `wrk`. Nodes run from source where there is no binary. Nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const CALLERS = 48;
/** So many that nodes seldom wait for each other at one balance, as they would with a few. */
const KEYS = Number(process.env.BENCH_KEYS ?? 256);
const SCHEMA = "nodes";
const BAR = { nodes: 0.5, pgbench: 0.7 };
const folder = mkdtempSync(join(tmpdir(), "cluster-bench-"));

/** Nodes that share books, and the keys they sell to. */
interface Side {
  readonly nodes: readonly BenchNode[];
  readonly keys: readonly string[];
}

/** Answers a second of so many callers, spread over the nodes; each has one call under way, with any key. */
async function flood({ nodes, keys }: Side, callers: number): Promise<{ rate: number; answered: number }> {
  const list = keys.map((key) => JSON.stringify(key)).join(", ");
  const parts = nodes.map(async ({ url }, n) => {
    // No two nodes are asked with the same keys in the same order.
    const script = join(folder, `keys-${n}.lua`);
    writeFileSync(
      script,
      `math.randomseed(${n + 1})\nlocal keys = { ${list} }\nrequest = function()\n` +
        `  wrk.headers["X-API-Key"] = keys[math.random(#keys)]\n  return wrk.format("GET", "/bench")\nend\n`,
    );
    const flags = ["-t1", `-c${Math.ceil(callers / nodes.length)}`, `-d${SECONDS}s`, "-s", script];
    const child = Bun.spawn(["wrk", ...flags, url], { stdio: ["ignore", "pipe", "inherit"] });
    const text = await child.stdout.text();
    if (/Non-2xx|Socket errors/.test(text)) throw new Error(`calls failed: ${text}`);
    const read = (found: RegExp) => Number(found.exec(text)?.[1] ?? 0);
    return { rate: read(/Requests\/sec: +([\d.]+)/), answered: read(/(\d+) requests in/) };
  });
  const found = await Promise.all(parts);
  const sum = (of: "rate" | "answered") => found.reduce((total, part) => total + part[of], 0);
  return { rate: sum("rate"), answered: sum("answered") };
}

/** Processor time of a server and its connections, ms. */
function readServerCPU(server: PostgresServer): number {
  const own = readdirSync("/proc").filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${Number(pid)}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === server.pid();
    } catch {
      // No process, or one that ended meanwhile.
      return false;
    }
  });
  return own.reduce((sum, pid) => {
    try {
      return sum + readCPU(Number(pid));
    } catch {
      // It ended since it was listed.
      return sum;
    }
  }, 0);
}

async function startSides(server: PostgresServer): Promise<Record<"file" | "one" | "three", Side>> {
  const issue = (node: BenchNode) => Promise.all(Array.from({ length: KEYS }, () => node.issueKey()));
  const ledger = `[ledger]\nurl = "${server.url}?schema=${SCHEMA}"\nlease = "60s"\n`;
  const config = (name: string) =>
    `${ledger}[node]\ncluster = true\ninstance = "${name}"\npublic_url = "https://node.example.com"\n`;
  const file = await startBenchNode({ name: "file" });
  const first = await startBenchNode({ name: "node-a", more: config("node-a") });
  const join_first = (name: string) => startBenchNode({ name, more: config(name), key_of: first.data });
  const nodes = [first, await join_first("node-b"), await join_first("node-c")];
  const keys = await issue(first);
  return { file: { nodes: [file], keys: await issue(file) }, one: { nodes: [first], keys }, three: { nodes, keys } };
}

/** Every answer that was counted has its debit in the books, and the books add up. */
async function check(server: PostgresServer, file: string, answered: { file: number; database: number }) {
  const count = "SELECT sum(times) AS n FROM";
  const admin = new SQL(server.url, { max: 1 });
  const [row] = await admin.unsafe(`${count} ${SCHEMA}.calls`);
  await admin.close();
  const books = new Database(file, { readonly: true });
  const kept = books.query<{ n: number }, []>(`${count} calls`).get()?.n ?? 0;
  books.close();
  if (Number(row.n) < answered.database || kept < answered.file) throw new Error("an answer has no debit");
  const address = readAddress({ url: `${server.url}?schema=${SCHEMA}` });
  for (const place of [
    { file: null, address },
    { file, address: null },
  ]) {
    const { findings } = await auditAt(place);
    if (findings.length > 0) throw new Error(JSON.stringify(findings[0]));
  }
}

async function run(server: PostgresServer): Promise<void> {
  const owner = "node";
  const engine = await openLedgerInPostgres({
    address: readAddress({ url: server.url }),
    clock: { now: Date.now },
    owner,
    readers: 1,
  });
  const own_keys = await issueKeys(engine, KEYS);
  const sides = await startSides(server);
  const found: Record<string, number[]> = {};
  const note = (name: string, value: number) => {
    found[name] ??= [];
    found[name].push(value);
  };
  const answered = { file: 0, database: 0 };
  for (let round = -1; round < ROUNDS; round++) {
    for (const callers of [CALLERS, 1]) {
      for (const side of ["file", "one", "three"] as const) {
        if (callers === 1 && side === "three") continue;
        const cpu = () => sides[side].nodes.reduce((sum, { pid }) => sum + readCPU(pid), 0);
        const before = { nodes: cpu(), server: readServerCPU(server) };
        const { rate, answered: count } = await flood(sides[side], callers);
        const spent = { nodes: cpu() - before.nodes, server: readServerCPU(server) - before.server };
        answered[side === "file" ? "file" : "database"] += count;
        // The first turn warms everything up.
        if (round < 0) continue;
        note(`${side} ${callers}`, rate);
        note(`${side} ${callers}, nodes`, (spent.nodes * 1_000) / count);
        note(`${side} ${callers}, server`, (spent.server * 1_000) / count);
      }
    }
    if (round < 0) continue;
    note("engine", await measureDebits([engine], own_keys, 1));
    const alone = await measurePgbench(server.port, own_keys[0] as KeyRow, folder);
    for (const statement of STATEMENTS) note(statement, alone[statement]);
  }
  await engine.close();
  const [file] = sides.file.nodes;
  await check(server, join(file?.data ?? "", "ledger.db"), answered);
  const text = render((name) => median(found[name] ?? []));
  if (process.env.BENCH_WRITE !== "0") {
    writeSection(join(ROOT, "docs", "performance.md"), "## Three nodes on one PostgreSQL", text);
  }
  console.log(text, found);
}

function render(rate: (name: string) => number): string {
  const row = (title: string, name: string, peer: string | null, bar: number | null) => {
    const ratio = peer === null ? null : rate(name) / rate(peer);
    const verdict = ratio === null || bar === null ? "" : ratio >= bar ? "held" : "**missed**";
    const us = (part: string) => rate(`${name}, ${part}`).toFixed(0).replace(/^0$/, "");
    const cells = [
      title,
      `${Math.round(rate(name)).toLocaleString("en")}/s`,
      ...[ratio?.toFixed(2) ?? "", bar ?? "", verdict, us("nodes"), us("server")],
    ];
    return `| ${cells.join(" | ")} |`;
  };
  const ms = (name: string) => 1_000 / rate(name);
  const took = (value: number) => `${value.toFixed(2)} ms`;
  return [
    "Written by `./build.sh && bun bench/cluster.ts`: calls by key of a cheap product over HTTP, every debit on disk",
    `before its answer; ${CALLERS} callers, ${KEYS} keys, ${ROUNDS} interleaved rounds of ${SECONDS} s, medians.`,
    "Processor time is that of the nodes and of the database.",
    `Nodes, database and callers share ${availableParallelism()} cores; load at the end ${loadavg()[0]?.toFixed(0)}.`,
    "",
    "| | a second | ratio | bar | | nodes, µs a call | database, µs a call |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    row("one node on a file", `file ${CALLERS}`, null, null),
    row("one node on PostgreSQL", `one ${CALLERS}`, `file ${CALLERS}`, null),
    row("three nodes on one PostgreSQL", `three ${CALLERS}`, `file ${CALLERS}`, BAR.nodes),
    row("one caller, one node on a file", "file 1", null, null),
    row("one caller, one node on PostgreSQL", "one 1", "file 1", null),
    row("`pgbench`, one connection, the statement of a debit", "a debit", null, null),
    row("the engine, one connection, one debit at a time", "engine", "a debit", BAR.pgbench),
    "",
    "A debit is one statement and one round trip: the key is remembered, and nothing waits for a timer. Of a single",
    `one (${took(ms("a debit"))} by \`pgbench\`) the way there and back takes`,
    `${took(ms("a round trip"))}, the statement itself`,
    `${took(ms("a debit, not synced") - ms("a round trip"))}, the disk`,
    `${took(ms("a debit") - ms("a debit, not synced"))}; one caller's call to the node takes ${took(ms("one 1"))}, and`,
    `${took(ms("file 1"))} where the books are a file.`,
  ].join("\n");
}

// On a disk that syncs, as the file is.
const server = await startPostgres({}, tmpdir());
try {
  await run(server);
} finally {
  endBenchNodes();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
