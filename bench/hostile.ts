import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { registry } from "../src/plugins/registry.gen.ts";
import {
  ADDRESSES,
  ATTACKS,
  HEAVY_CONNECTIONS,
  HOSTILE_A_MINUTE,
  headerOf,
  KINDS,
  type Kind,
  NOTHING_RATE,
  pace,
  REFUSED_CONNECTIONS,
  type Requirement,
  sign,
  type Task,
} from "./hostile-senders.ts";
import { writeSection } from "./report.ts";

/**
 * `./build.sh && bun run bench:hostile`: what honest buyers wait alone, beside 10,000 hostile payments a minute of
 * twelve kinds from 20 addresses, beside every attack of the hostile hour at once, beside a pass whose calls find
 * nothing, beside one with 60 connections of heavy work, beside 60 connections of an address that is refused, and
 * beside all of these at once, in turns on one compiled node.
 * Nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
/** Another one tells what it was before. */
const BINARY = process.env.BENCH_BINARY ?? join(ROOT, "dist", "intel-node");
const WINDOWS = Number(process.env.BENCH_ROUNDS ?? 12);
const WINDOW_MS = Number(process.env.BENCH_SECONDS ?? 5) * 1000;
/** An attack begins before the buyers do, and ends after them. */
const LONGER_MS = 500;
const SLOWER_MAX = 0.01;
const P99_TIMES_MAX = 3;
const BUYERS = 50;
/** Honest calls a second, by single payment and as many by key. */
const HONEST_RATE = 10;
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

const median = (values: readonly number[]): number => percentile(values, 0.5);
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const pin = (core: number): string[] => (Bun.which("taskset") ? ["taskset", "-c", String(core)] : []);
const children: ReturnType<typeof Bun.spawn>[] = [];
const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));

/** Starts a program on a core and waits for what it prints. */
async function start(core: number, command: readonly string[], ready: RegExp): Promise<string> {
  const child = Bun.spawn([...pin(core), ...command], { stdio: ["ignore", "pipe", "ignore"], cwd: ROOT });
  children.push(child);
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of child.stdout) {
    text += decoder.decode(part);
    const found = ready.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`${command.join(" ")} ended: ${text}`);
}

/** Whoever sells in this benchmark is alone on the first core; buyers come first on the other. */
function moveAside(): void {
  if (Bun.which("taskset")) Bun.spawnSync(["taskset", "-acp", "1", String(process.pid)]);
}

const configOf = (facilitator: string): string => `
[server]
port = 0
trusted_proxies = ["127.0.0.1"]
[data]
dir = ${JSON.stringify(join(folder, "data"))}
[wallets.base]
pay_to = "${SELLER}"
[[facilitators]]
kind = "remote"
url = "${facilitator}"
[plugins]
dir = ${JSON.stringify(join(ROOT, "bench", "plugins"))}
disabled = [${registry.map(({ id }) => JSON.stringify(id)).join(", ")}]
[payments]
testnet = true
duplicate_guard_s = 0
[prices]
"/bench" = "0.01"
`;

async function readRequirement(url: string): Promise<Requirement> {
  const asked = await fetch(url, { headers: { "X-Forwarded-For": "198.51.100.250" } });
  await asked.arrayBuffer();
  const required = JSON.parse(Buffer.from(asked.headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString());
  return required.accepts[0];
}

/** Processor time of a process so far, ms; Linux counts it in hundredths of a second. */
function readCPU(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const WAYS = { x402: "single payments (x402)", key: "calls by key" } as const;
type Way = keyof typeof WAYS;
/** What buyers waited for, ms. */
type Times = Readonly<Record<Way, number[]>>;

/** What honest buyers pay with in one window. */
interface Means {
  readonly payments: readonly string[];
  readonly api_key: string;
}

type Account = ReturnType<typeof privateKeyToAccount>;

/** What honest buyers do for one window: single payments of wallets in turn, and as many calls by a key. */
async function createHonest(url: string, accepted: Requirement, accounts: readonly Account[]) {
  const buy = (path: string, payment: string, ip: string) =>
    fetch(`${url}${path}`, { headers: { "PAYMENT-SIGNATURE": payment, "X-Forwarded-For": ip } });
  const accountOf = (n: number) => accounts[n % accounts.length] as Account;
  const buyKey = async (path: string): Promise<string> => {
    const plan = await readRequirement(`${url}${path}`);
    const bought = await buy(path, headerOf(plan, await sign(accountOf(0), plan)), "198.51.100.0");
    const text = await bought.text();
    const { api_key } = JSON.parse(text) as { readonly api_key?: string };
    // Without its pass an attack is a flood of refusals, and what is measured beside it is something else.
    if (bought.status !== 200 || api_key === undefined) {
      throw new Error(`${path} was not sold: ${bought.status} ${text.slice(0, 200)}`);
    }
    return api_key;
  };
  const timed = async (list: number[], work: () => Promise<Response>) => {
    const sent = performance.now();
    const response = await work();
    const text = await response.text();
    if (response.status !== 200)
      throw new Error(`an honest call was answered with ${response.status}: ${text.slice(0, 200)}`);
    list.push(performance.now() - sent);
  };
  const signAll = (count: number, offset: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => headerOf(accepted, await sign(accountOf(offset + n), accepted))),
    );
  return {
    buyKey,
    /** Signed and bought before anything is measured. */
    async prepare(offset: number): Promise<Means> {
      const payments = await signAll(Math.ceil((WINDOW_MS / 1000) * HONEST_RATE) + 5, offset);
      return { payments, api_key: await buyKey("/buy-credits") };
    },
    async live({ payments, api_key }: Means, offset: number): Promise<Times> {
      const headers = { "X-API-Key": api_key, "X-Forwarded-For": "198.51.100.100" };
      const times: Times = { x402: [], key: [] };
      const end = WINDOW_MS + performance.now();
      await Promise.all([
        pace(HONEST_RATE, end, async (n) => {
          const payment = payments[n];
          const ip = `198.51.100.${(offset + n) % BUYERS}`;
          if (payment !== undefined) await timed(times.x402, () => buy("/bench", payment, ip));
        }),
        pace(HONEST_RATE, end, () => timed(times.key, () => fetch(`${url}/bench`, { headers }))),
      ]);
      return times;
    },
  };
}

/** Starts a window of attacks. @returns once the first is sent, what is counted at its end. */
async function startAttack(task: Task): Promise<() => Promise<Record<string, number>>> {
  const command = [process.execPath, join(import.meta.dir, "hostile-senders.ts"), JSON.stringify(task)];
  // Whoever measures comes before whoever only makes work.
  const child = Bun.spawn(["nice", "-n", "19", ...pin(1), ...command], { stdio: ["ignore", "pipe", "inherit"] });
  const reader = child.stdout.getReader();
  await reader.read();
  return async () => {
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return JSON.parse(text);
      text += Buffer.from(value).toString();
    }
  };
}

async function run() {
  const accounts = Array.from({ length: BUYERS }, () => privateKeyToAccount(generatePrivateKey()));
  const strict = ["bench/servers/strict-facilitator.ts", ...accounts.map(({ address }) => address)];
  const port = await start(1, [process.execPath, ...strict], /(\d+)/);
  writeFileSync(join(folder, "node.toml"), configOf(`http://127.0.0.1:${port}`));
  const url = await start(0, [BINARY, "run", "--config", join(folder, "node.toml")], /bind +(http\S+)/);
  const pid = children.at(-1)?.pid ?? 0;
  moveAside();
  await Bun.sleep(1_000);
  const accepted = await readRequirement(`${url}/bench`);
  const honest = await createHonest(url, accepted, accounts);
  const template = await sign(privateKeyToAccount(generatePrivateKey()), accepted);
  const pass = await honest.buyKey("/day-pass");
  // What finds nothing is refused soon, and with it all else of its pass.
  const idle_pass = await honest.buyKey("/day-pass");
  const victim = accounts[0]?.address ?? "";
  const forEach = <T>(make: () => T) => Object.fromEntries(KINDS.map((kind) => [kind, make()])) as Record<Kind, T>;
  const windows = forEach<Times[]>(() => []);
  const cpu_ms = forEach(() => 0);
  const counts = forEach(() => new Map<string, number>());

  const live = async (kind: Kind, offset: number): Promise<Times> => {
    const means = await honest.prepare(offset);
    const [public_payment = ""] = means.payments;
    const window_ms = WINDOW_MS + LONGER_MS;
    const task = { url, window_ms, accepted, template, victim, public_payment, offset: offset * 1_000 };
    const before = readCPU(pid);
    const attacks = kind === "quiet" ? [] : kind === "all" ? ATTACKS : [kind];
    const started = attacks.map((attack) =>
      startAttack({ kind: attack, pass: attack === "nothing" ? idle_pass : pass, ...task }),
    );
    const ends = await Promise.all(started);
    const times = await honest.live(means, offset);
    for (const sent of await Promise.all(ends.map((end) => end()))) {
      for (const [name, count] of Object.entries(sent)) {
        counts[kind].set(name, (counts[kind].get(name) ?? 0) + count);
      }
    }
    cpu_ms[kind] += readCPU(pid) - before;
    return times;
  };
  await live("quiet", 0);
  for (let window = 0; window < WINDOWS; window += 1) {
    for (const [n, kind] of KINDS.entries()) windows[kind].push(await live(kind, window * KINDS.length + n + 1));
    console.error(`round ${window + 1} of ${WINDOWS}`);
  }
  return { windows, counts, cpu_ms };
}
type Measured = Awaited<ReturnType<typeof run>>;

/** How the median of each hostile window stands to that of the quiet one beside it: their median over all rounds. */
const slowerBy = ({ windows }: Measured, kind: Kind, way: Way): number =>
  median(windows[kind].map((window, n) => median(window[way]) / median(windows.quiet[n]?.[way] ?? []))) - 1;
const p99Of = ({ windows }: Measured, kind: Kind, way: Way): number =>
  percentile(
    windows[kind].flatMap((window) => window[way]),
    0.99,
  );

function render(measured: Measured): string {
  const { windows, counts, cpu_ms } = measured;
  const rowOf = (kind: Kind, way: Way) => {
    const calls = windows[kind].flatMap((window) => window[way]);
    const against =
      kind === "quiet"
        ? ["", ""]
        : [
            `${(slowerBy(measured, kind, way) * 100).toFixed(1)} %`,
            (p99Of(measured, kind, way) / p99Of(measured, "quiet", way)).toFixed(1),
          ];
    const [slower, times] = against;
    const figures = [`${median(calls).toFixed(2)} ms`, slower, `${percentile(calls, 0.99).toFixed(1)} ms`, times];
    return `| ${WAYS[way]} | ${kind} | ${figures.join(" | ")} | ${calls.length} of ${calls.length} |`;
  };
  const ways = Object.keys(WAYS) as Way[];
  const slowest = Math.max(...ways.map((way) => slowerBy(measured, "forged", way)));
  const others = KINDS.filter((kind) => kind !== "quiet" && kind !== "forged");
  const p99Times = (kinds: readonly Kind[]): number =>
    Math.max(...kinds.flatMap((kind) => ways.map((way) => p99Of(measured, kind, way) / p99Of(measured, "quiet", way))));
  const alone = p99Times(ATTACKS);
  const together = p99Times(["all"]);
  const held = (is_held: boolean) => (is_held ? "held" : "**missed**");
  const sent = [...counts.forged.values()].reduce((sum, count) => sum + count, 0);
  const answered = (kind: Kind) => [...counts[kind]].sort().map(([status, count]) => `${count} x ${status}`);
  return [
    "Written by `./build.sh && bun run bench:hostile`: one compiled node with its default limits behind a proxy, alone",
    `on core 0; on core 1 its facilitator, honest buyers (${HONEST_RATE} payments a second of ${BUYERS} wallets, as`,
    "many calls by key) and, behind them, whoever attacks: nobody,",
    `${HOSTILE_A_MINUTE.toLocaleString("en")} forged payments a minute of twelve kinds from ${ADDRESSES} addresses,`,
    `all attacks of the hostile hour, one pass with ${NOTHING_RATE} calls a second that find nothing, one with`,
    `${HEAVY_CONNECTIONS} connections of heavy work, ${REFUSED_CONNECTIONS} connections of one address that is over`,
    `its limit, or all of these at once. ${WINDOWS} rounds of all in turn, ${WINDOW_MS / 1000} s each.`,
    `"Slower" is the median over all rounds of a window's median against that of the quiet one beside it.`,
    `Load of the machine at the end: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores.`,
    "",
    "| | beside | median | slower | p99 | times the quiet | sold |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...ways.flatMap((way) => KINDS.map((kind) => rowOf(kind, way))),
    "",
    "| bar | measured | |",
    "| --- | --- | --- |",
    `| honest buyers at most 1 % slower, 10,000 hostile payments a minute | ${(slowest * 100).toFixed(1)} % | ` +
      `${held(slowest <= SLOWER_MAX)} |`,
    `| p99 at most 3 times that of the quiet run, each attack alone | ${alone.toFixed(1)} | ` +
      `${held(alone <= P99_TIMES_MAX)} |`,
    `| p99 at most 3 times that of the quiet run, all at once | ${together.toFixed(1)} | ` +
      `${held(together <= P99_TIMES_MAX)} |`,
    "",
    `A forged payment cost the node ${((cpu_ms.forged - cpu_ms.quiet) / sent).toFixed(2)} ms of processor time. Forged`,
    `ones were answered: ${answered("forged").join(", ")}. Others: ${others.flatMap(answered).join(", ")}.`,
  ].join("\n");
}

try {
  const text = render(await run());
  if (process.env.BENCH_WRITE !== "0") {
    writeSection(join(ROOT, "docs", "performance.md"), "## Under attack", text);
  }
  console.log(text);
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
