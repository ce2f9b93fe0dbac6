import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { registry } from "../../src/plugins/registry.gen.ts";
import { BINARY, cleanUp, newFolder, newPayer } from "../helpers/demo-node.ts";
import { EFFORT } from "../helpers/effort.ts";
import { until } from "../helpers/hang-limit.ts";
import { type ReleaseServer, relabelProgram, startReleases } from "../helpers/releases.ts";
import { localPlugin, startFacilitator, startUpstream } from "../helpers/run-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/**
 * Upgrades of the compiled program while it is bought from: the newest release is fetched, proved and put in place, and
 * the running node gives its place away without refusing a call.
 */
const OLD = manifest.version;
const NEXT = OLD.replace(/\d$/, (digit) => String((Number(digit) + 9) % 10));
const UPGRADES = EFFORT === "quick" ? 1 : 20;
/** Of all upgrades together. With quick counts every caller is answered before, in and after one: that is enough. */
const CALLS_MIN = EFFORT === "quick" ? 0 : 50_000;
/** What /local costs. */
const PRICE_ATOMIC = 1_000n;

const folder = newFolder();
const program = join(folder, "bin", "intel-node");
const config = join(folder, "node.toml");
const data = join(folder, "data");
const upstream = startUpstream();
const facilitator = startFacilitator();
let releases: ReleaseServer;
let node: Bun.Subprocess<"ignore", "ignore", "pipe">;
let log = "";

async function call(...args: readonly string[]) {
  const child = Bun.spawn([program, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

interface Facts {
  readonly pid: number;
  readonly version: string;
  readonly url: string;
}
const running = (): Facts => JSON.parse(readFileSync(join(data, "running.json"), "utf8")) as Facts;
const digest = (file: string): string => new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex");

beforeAll(async () => {
  for (const name of ["bin", "plugins", "releases"]) mkdirSync(join(folder, name));
  copyFileSync(BINARY, program);
  writeFileSync(join(folder, "plugins", "local.ts"), localPlugin(upstream.url));
  releases = startReleases(join(folder, "releases"));
  relabelProgram(BINARY, join(folder, "next"), [OLD, NEXT]);
  releases.publish({ version: OLD, program: BINARY });
  releases.publish({ version: NEXT, program: join(folder, "next") });
  const others = registry.map(({ id }) => JSON.stringify(id)).join(", ");
  writeFileSync(
    config,
    `[[facilitators]]\nkind = "remote"\nurl = "${facilitator.url}"\n[server]\nport = 0\n[data]\ndir = "data"\n` +
      `[plugins]\ndir = "plugins"\ndisabled = [${others}]\n[payments]\ntestnet = true\n[wallets.base]\n` +
      'pay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"\n[limits]\nloopback_exempt = true\n' +
      `[upgrade]\nurl = "${releases.url}"\nkey = "${releases.public_key}"\nready_timeout = "15s"\n`,
  );
  node = Bun.spawn([program, "run", "--config", config], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  void (async () => {
    for await (const chunk of node.stderr) log += new TextDecoder().decode(chunk);
  })();
  await until(() => existsSync(join(data, "running.json")), "the node");
});

afterAll(async () => {
  if (existsSync(join(data, "running.json")) && running().pid !== node.pid) process.kill(running().pid, "SIGKILL");
  node.kill("SIGKILL");
  await Promise.all([upstream.stop(), facilitator.stop(), releases.stop()]);
  await cleanUp();
});

test("what is not signed, not whole, or cannot read the ledger is not installed", async () => {
  const before = digest(program);
  const first = await call("upgrade", "--check");
  expect({ code: first.code, says: first.out.includes(`${NEXT} is there`) }).toEqual({ code: 0, says: true });
  const refuse = async (why: string, ...args: readonly string[]) => {
    const { code, err } = await call("upgrade", ...args);
    expect({ code, why: err.includes(why) ? why : err }).toEqual({ code: 1, why });
    expect([digest(program), running().version]).toEqual([before, OLD]);
  };
  const shown = `v${NEXT}/release.json`;
  const text = readFileSync(join(folder, "releases", shown), "utf8");
  releases.spoil("latest/release.json", () => text.replace(/"bytes":\d/, '"bytes":9'));
  await refuse("the signature does not fit the file");
  releases.spoil("latest/release.json", () => text);
  releases.publish({ version: "0.0.1", program: BINARY, ledger_schema: 1 });
  await refuse("reads ledgers up to schema 1", "--to", "0.0.1");
  // It says that it is another version than the signed text does.
  releases.publish({ version: "9.9.9", program: BINARY });
  await refuse(`the archive holds version ${OLD}, not 9.9.9`);
  releases.spoil(`v9.9.9/intel-node-linux-${process.arch}.tar`, (bytes) => {
    bytes[1_000_000] = (bytes[1_000_000] ?? 0) ^ 1;
    return bytes;
  });
  await refuse("has another digest than release.json says");
});

/** A release that does all it is asked before it takes over, and then what it is told to. */
function publishLiar(version: string, then: string): void {
  const liar = join(folder, `${version}.ts`);
  writeFileSync(liar, `process.send({ kind: "prepared", version: "${version}", schema: 9999 });\n${then}\n`);
  const shell =
    `#!/bin/sh\ncase "$1" in\n  version) echo "${version} (liar)" ;;\n  run) exec ${process.execPath} ${liar} ;;\n` +
    `  *) exec ${BINARY} "$@" ;;\nesac\n`;
  const program = join(folder, `${version}.sh`);
  writeFileSync(program, shell, { mode: 0o755 });
  releases.publish({ version, program });
}

test.each([
  ["hangs", "9.9.8", "setInterval(() => undefined, 1_000);"],
  ["ends", "9.9.9", 'process.on("message", () => process.exit(7));'],
])("a program that starts and then %s is undone, and the old one serves again", async (_, version, then) => {
  publishLiar(version, then);
  // The process that runs has read its own time limit; the one that is called back has time again.
  writeFileSync(config, readFileSync(config, "utf8").replace(/ready_timeout = .*\n/, ""));
  const { pid } = running();
  const before = digest(program);
  const { code, err } = await call("upgrade");
  expect({ code, says: err.includes(`version ${OLD} serves again`) || err }).toEqual({ code: 1, says: true });
  expect(digest(program)).toBe(before);
  expect(running().pid).not.toBe(pid);
  expect((await fetch(`${running().url}/local`)).status).toBe(402);
  expect(readdirSync(data).filter((name) => name.startsWith("ledger.db."))).toEqual([]);
});

test(`${UPGRADES} upgrades under load fail no call and charge none twice`, async () => {
  const { url } = running();
  const issued = await call("keys", "issue", "--credit", "1000", "--config", config, "--url", url, "--json");
  const { api_key, key_id } = JSON.parse(issued.out) as { readonly api_key: string; readonly key_id: string };
  const seen = { calls: 0, paid: 0, wrong: [] as string[] };
  let done = false;
  const note = async (response: Response, wanted: number) => {
    seen.calls += 1;
    const text = await response.text();
    if (response.status !== wanted) seen.wrong.push(`${response.status} ${text.slice(0, 200)}`);
  };
  /** How often each caller has been answered. */
  const answered: number[] = [];
  const ask = async (work: () => Promise<void>) => {
    const caller = answered.push(0) - 1;
    while (!done) {
      await work().catch((error: unknown) => void seen.wrong.push(String(error)));
      answered[caller] = (answered[caller] ?? 0) + 1;
    }
  };
  const untilAllAnswered = async (what: string): Promise<void> => {
    const before = [...answered];
    await until(() => answered.every((count, caller) => count > (before[caller] ?? 0)), what);
  };
  const byKey = (more: Record<string, string>) => async () =>
    note(await fetch(`${url}/local`, { headers: { "x-api-key": api_key, ...more } }), 200);
  let by_key = 0;
  const counted = (work: () => Promise<void>) => async () => {
    await work();
    by_key += 1;
  };
  const payer = newPayer();
  const byPayment = async () => {
    const signed = await createPaymentPayload(await fetch(`${url}/local`), payer);
    await note(
      await fetch(`${url}/local`, { headers: { "payment-signature": signed, "x-allow-duplicate": "1" } }),
      200,
    );
    seen.paid += 1;
  };
  const load = [
    ...Array.from({ length: 3 }, () => ask(counted(byKey({})))),
    ...Array.from({ length: 3 }, () => ask(counted(byKey({ connection: "close" })))),
    ask(byPayment),
    ask(async () => note(await fetch(`${url}/live`), 200)),
  ];
  for (let upgrade = 0; upgrade < UPGRADES; upgrade++) {
    const wanted = upgrade % 2 === 0 ? NEXT : OLD;
    await untilAllAnswered("calls before an upgrade");
    const before = seen.calls;
    const { code, err } = await call("upgrade", "--to", wanted);
    expect(seen.calls).toBeGreaterThan(before);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(running().version).toBe(wanted);
  }
  await untilAllAnswered("calls after the upgrades");
  await until(() => seen.calls >= CALLS_MIN, "enough calls");
  done = true;
  await Promise.all(load);
  expect(seen.wrong).toEqual([]);
  expect(seen.paid).toBeGreaterThan(0);
  const { out } = await call("keys", "show", key_id, "--config", config, "--url", url, "--json");
  const spent = 1_000_000_000n - BigInt(/"balance_atomic": ?"?(\d+)/.exec(out)?.[1] ?? "0");
  expect(spent).toBe(BigInt(by_key) * PRICE_ATOMIC);
  const audit = await call("ledger", "audit", "--data", data);
  expect(audit.code).toBe(0);
  // The process that was started first is who the system knows: it ends with the one that serves.
  node.kill("SIGTERM");
  expect(await node.exited).toBe(0);
  expect(existsSync(join(data, "running.json"))).toBe(false);
  expect(log).not.toContain('"event":"handover_failed","why"');
  console.info(`${seen.calls} calls, ${seen.paid} of them paid on their own, ${UPGRADES} upgrades`);
});
