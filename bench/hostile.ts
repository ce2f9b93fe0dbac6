import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { encodeHeader } from "../src/payments/codec.ts";
import { TRANSFER_WITH_AUTHORIZATION, usdcDomain } from "../src/payments/networks/evm/check-signature.ts";
import { networkById } from "../src/payments/networks/table.ts";
import { writeSection } from "./report.ts";

/**
 * `./build.sh && bun bench/hostile.ts`: what honest buyers wait with and without 10,000 hostile payments a minute of
 * eight kinds from 20 addresses, in turns on one compiled node. Nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", "intel-node");
const WINDOWS = Number(process.env.BENCH_ROUNDS ?? 12);
const WINDOW_MS = Number(process.env.BENCH_SECONDS ?? 5) * 1000;
const HOSTILE_A_MINUTE = 10_000;
const ADDRESSES = 20;
const BUYERS = 50;
/** Honest calls a second, by single payment and as many by key. */
const HONEST_RATE = 10;
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const NETWORK = networkById("eip155:84532") as NonNullable<ReturnType<typeof networkById>>;

const median = (values: readonly number[]): number => percentile(values, 0.5);
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const pin = (core: number): string[] => (Bun.which("taskset") ? ["taskset", "-c", String(core)] : []);
const children: ReturnType<typeof Bun.spawn>[] = [];
const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));

/** Starts a program on the first core and waits for what it prints. */
async function start(command: readonly string[], ready: RegExp): Promise<string> {
  const child = Bun.spawn([...pin(0), ...command], { stdio: ["ignore", "pipe", "ignore"], cwd: ROOT });
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
disabled = ["crypto-market"]
[payments]
testnet = true
duplicate_guard_s = 0
`;

interface Requirement {
  readonly network: string;
  readonly amount: string;
  readonly payTo: string;
}

const newNonce = (): `0x${string}` => `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}`;

async function sign(account: PrivateKeyAccount, accepted: Requirement) {
  const validBefore = Math.floor(Date.now() / 1000) + 280;
  const nonce = newNonce();
  const to = accepted.payTo as `0x${string}`;
  const signature = await account.signTypedData({
    domain: usdcDomain(NETWORK),
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: "TransferWithAuthorization",
    message: {
      ...{ from: account.address, to, value: BigInt(accepted.amount), nonce },
      validAfter: 0n,
      validBefore: BigInt(validBefore),
    },
  });
  const authorization = {
    ...{ from: account.address, to, value: accepted.amount, nonce },
    validAfter: "0",
    validBefore: `${validBefore}`,
  };
  return { signature: signature as string, authorization };
}
type Signed = Awaited<ReturnType<typeof sign>>;

async function readRequirement(url: string): Promise<Requirement> {
  const asked = await fetch(url, { headers: { "X-Forwarded-For": "198.51.100.250" } });
  await asked.arrayBuffer();
  const required = JSON.parse(Buffer.from(asked.headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString());
  return required.accepts[0];
}

const headerOf = (accepted: Requirement, payload: object): string =>
  encodeHeader({ x402Version: 2, accepted, payload });

/** Eight ways to be no payment; each call makes another one. */
function createForgeries(accepted: Requirement, template: Signed, victim: string): (n: number) => string {
  const forge = (signature: string, more: object = {}) =>
    headerOf(accepted, { signature, authorization: { ...template.authorization, nonce: newNonce(), ...more } });
  const kinds: readonly (() => string)[] = [
    () => forge(`0x${"ab".repeat(300)}${"6492".repeat(16)}`),
    () => forge(`0x${"ab".repeat(4_000)}${"6492".repeat(16)}`),
    () => forge(`0x${"11".repeat(64)}1b`),
    () => forge(template.signature),
    () => forge(`0x${"11".repeat(200)}`, { from: victim }),
    () => forge(`0x${"11".repeat(64)}1b`, { from: victim }),
    () => forge(template.signature, { value: "9999" }),
    () => headerOf(accepted, { signature: template.signature, permit2Authorization: template.authorization }),
  ];
  return (n) => (kinds[n % kinds.length] as () => string)();
}

/** Sends at a fixed rate until told to stop; times count from when a request was due. */
async function pace(rate: number, until_ms: number, send: (n: number) => Promise<void>): Promise<void> {
  const running: Promise<void>[] = [];
  const from = performance.now();
  for (let n = 0; performance.now() < until_ms; n += 1) {
    const due = from + (n * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    running.push(send(n));
  }
  await Promise.all(running);
}

/** Processor time of a process so far, ms; Linux counts it in hundredths of a second. */
function readCPU(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

interface Times {
  readonly x402: number[];
  readonly key: number[];
}

type Account = ReturnType<typeof privateKeyToAccount>;

/** What honest buyers do for one window: single payments of wallets in turn, and as many calls by a key. */
async function createHonest(url: string, accepted: Requirement, accounts: readonly Account[]) {
  const buy = (path: string, payment: string, ip: string) =>
    fetch(`${url}${path}`, { headers: { "PAYMENT-SIGNATURE": payment, "X-Forwarded-For": ip } });
  const accountOf = (n: number) => accounts[n % accounts.length] as Account;
  const plan = await readRequirement(`${url}/buy-credits`);
  const timed = async (list: number[] | undefined, work: () => Promise<Response>) => {
    const sent = performance.now();
    const response = await work();
    const text = await response.text();
    if (response.status !== 200) throw new Error(`an honest call was answered with ${response.status}: ${text}`);
    list?.push(performance.now() - sent);
  };
  return async (kept: Times | null, offset: number): Promise<void> => {
    const bought = await buy("/buy-credits", headerOf(plan, await sign(accountOf(0), plan)), "198.51.100.0");
    const headers = { "X-API-Key": ((await bought.json()) as { api_key: string }).api_key };
    const count = Math.ceil((WINDOW_MS / 1000) * HONEST_RATE) + 5;
    const payments = await Promise.all(
      Array.from({ length: count }, async (_, n) => headerOf(accepted, await sign(accountOf(offset + n), accepted))),
    );
    const end = WINDOW_MS + performance.now();
    const pay = async (n: number) => {
      const payment = payments[n];
      if (payment !== undefined) {
        await timed(kept?.x402, () => buy("/bench", payment, `198.51.100.${(offset + n) % BUYERS}`));
      }
    };
    await Promise.all([
      pace(HONEST_RATE, end, pay),
      pace(HONEST_RATE, end, () => timed(kept?.key, () => fetch(`${url}/bench`, { headers }))),
    ]);
  };
}

async function run() {
  const accounts = Array.from({ length: BUYERS }, () => privateKeyToAccount(generatePrivateKey()));
  const strict = ["bench/servers/strict-facilitator.ts", ...accounts.map(({ address }) => address)];
  const port = await start([process.execPath, ...strict], /(\d+)/);
  writeFileSync(join(folder, "node.toml"), configOf(`http://127.0.0.1:${port}`));
  const url = await start([BINARY, "run", "--config", join(folder, "node.toml")], /bind +(http\S+)/);
  const pid = children.at(-1)?.pid ?? 0;
  await Bun.sleep(1_000);
  const accepted = await readRequirement(`${url}/bench`);
  const honest = await createHonest(url, accepted, accounts);
  const template = await sign(privateKeyToAccount(generatePrivateKey()), accepted);
  const statuses = new Map<string, number>();
  const times: Record<"quiet" | "hostile", Times> = { quiet: { x402: [], key: [] }, hostile: { x402: [], key: [] } };

  /** In a process of its own: what the sender is busy with must not look like the node's delay. */
  const attack = async (offset: number) => {
    const task = JSON.stringify({ url, accepted, template, victim: accounts[0]?.address, offset });
    const command = [...pin(1), process.execPath, import.meta.path, "attack", task];
    const child = Bun.spawn(command, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
    const counted = JSON.parse(await new Response(child.stdout).text()) as Record<string, number>;
    for (const [status, count] of Object.entries(counted)) statuses.set(status, (statuses.get(status) ?? 0) + count);
  };
  const cpu_ms = { quiet: 0, hostile: 0 };
  const metered = async (kind: keyof typeof cpu_ms, work: Promise<unknown>) => {
    const before = readCPU(pid);
    await work;
    cpu_ms[kind] += readCPU(pid) - before;
  };
  await honest(null, 0);
  for (let window = 0; window < WINDOWS; window += 1) {
    await metered("quiet", honest(times.quiet, window * 7));
    await metered("hostile", Promise.all([attack(window * 1_000), honest(times.hostile, window * 11)]));
  }
  return { times, statuses, cpu_ms };
}

interface Attack {
  readonly url: string;
  readonly accepted: Requirement;
  readonly template: Signed;
  readonly victim: string;
  readonly offset: number;
}

/** One window of hostile payments; prints how many were answered with which status. */
async function sendHostile({ url, accepted, template, victim, offset }: Attack): Promise<void> {
  const forgery = createForgeries(accepted, template, victim);
  const statuses: Record<string, number> = {};
  await pace(HOSTILE_A_MINUTE / 60, WINDOW_MS + performance.now(), async (n) => {
    const headers = { "PAYMENT-SIGNATURE": forgery(offset + n), "X-Forwarded-For": `203.0.113.${n % ADDRESSES}` };
    const response = await fetch(`${url}/bench`, { headers });
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  });
  console.log(JSON.stringify(statuses));
}

async function report(): Promise<void> {
  try {
    const { times, statuses, cpu_ms } = await run();
    const row = (name: string, kind: keyof Times) => {
      const [quiet, hostile] = [times.quiet[kind], times.hostile[kind]];
      const ratio = median(hostile) / median(quiet);
      return (
        `| ${name} | ${median(quiet).toFixed(2)} ms | ${median(hostile).toFixed(2)} ms | ${ratio.toFixed(3)} | ` +
        `${percentile(quiet, 0.99).toFixed(1)} ms | ${percentile(hostile, 0.99).toFixed(1)} ms | ` +
        `${hostile.length} of ${hostile.length} |`
      );
    };
    const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    const answered = [...statuses].sort().map(([status, count]) => `${count} x ${status}`);
    const text = [
      "Written by `./build.sh && bun bench/hostile.ts`: one compiled node with its default limits behind a proxy,",
      `honest buyers (${HONEST_RATE} payments a second of ${BUYERS} wallets, as many calls by key) alone and beside`,
      `${HOSTILE_A_MINUTE.toLocaleString("en")} hostile payments a minute of eight kinds from ${ADDRESSES}`,
      `addresses, in ${WINDOWS} turns of ${WINDOW_MS / 1000} s each; medians of all calls.`,
      "",
      "| | alone, median | attacked, median | ratio | alone, p99 | attacked, p99 | sold under attack |",
      "| --- | --- | --- | --- | --- | --- | --- |",
      row("single payments (x402)", "x402"),
      row("calls by key", "key"),
      "",
      `The hostile ones were answered: ${answered.join(", ")}. Each cost the node`,
      `${((cpu_ms.hostile - cpu_ms.quiet) / sent).toFixed(2)} ms of processor time.`,
    ].join("\n");
    writeSection(join(ROOT, "docs", "performance.md"), "## Under attack", text);
    console.log(text);
  } finally {
    for (const child of children) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [what, task] = process.argv.slice(2);
await (what === "attack" && task !== undefined ? sendHostile(JSON.parse(task)) : report());
