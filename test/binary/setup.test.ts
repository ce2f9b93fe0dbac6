import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { BINARY, cleanUp, newFolder } from "../helpers/demo-node.ts";
import { HANG_MS, until } from "../helpers/hang-limit.ts";
import { localPlugin, newNodeFolder, startRun, stopRuns } from "../helpers/run-node.ts";

/** What an operator does before and between starts, with the compiled binary. */
afterAll(async () => {
  await stopRuns();
  await cleanUp();
});

const ADDRESS = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const call = (args: readonly string[], cwd: string) => {
  const child = Bun.spawnSync([BINARY, ...args], { cwd, env: { PATH: process.env.PATH ?? "" }, stdin: "ignore" });
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() };
};
const is_root = process.getuid?.() === 0;

describe("init", () => {
  test("takes all three wallets, RPC endpoints and the proxy, and names the node", () => {
    const folder = newFolder();
    const flags = [
      ...["--base-pay-to", ADDRESS, "--solana-pay-to", "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse"],
      ...["--algorand-pay-to", "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M"],
      ...["--base-rpc", "https://rpc.example.com", "--proxy", "10.0.0.0/8"],
    ];
    const { code, err } = call(["init", "--yes", ...flags], folder);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const text = readFileSync(join(folder, "node.toml"), "utf8");
    expect(text).toContain('trusted_proxies = ["10.0.0.0/8"]');
    expect(text).toContain('[chains.base]\nrpc = ["https://rpc.example.com"]');
    const checked = call(["check", "--json"], folder);
    const { networks } = JSON.parse(checked.out) as { networks: unknown[] };
    expect(networks.length).toBe(3);
    const { node_id } = JSON.parse(call(["identity", "show", "--data", "data", "--json"], folder).out) as {
      node_id: string;
    };
    expect(text).toContain(`node_id = "${node_id}"`);
  });

  test("an https address comes with a proxy on this machine", () => {
    const folder = newFolder();
    call(["init", "--yes", "--public-url", "https://node.example.com"], folder);
    expect(readFileSync(join(folder, "node.toml"), "utf8")).toContain('\ntrusted_proxies = ["127.0.0.1", "::1"]');
  });

  test("prints a unit that exposes little, with the backups it may write", () => {
    const folder = newFolder();
    call(["init", "--yes", "--data-dir", "/var/lib/intel-node/data"], folder);
    writeFileSync(join(folder, "node.toml"), '[backup]\ndir = "/mnt/backups"\n[data]\ndir = "/srv/intel"\n');
    const { out } = call(["init", "--systemd"], folder);
    expect(out).toContain(`ExecStart=/usr/local/bin/intel-node run --config ${join(folder, "node.toml")}`);
    expect(out).toContain("ReadWritePaths=/srv/intel /mnt/backups");
    expect(out).toContain("RestartPreventExitStatus=2");
    const missing = ensureProgram("systemd-analyze", "systemd");
    if (missing !== null) return noteSkipped("the exposure of the systemd unit", missing);
    const unit = join(folder, "intel-node.service");
    writeFileSync(unit, out);
    const { stdout, exitCode } = Bun.spawnSync(["systemd-analyze", "security", "--offline=true", unit]);
    const level = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout.toString())?.[1];
    expect({ exitCode, exposed: Number(level) <= 1.5 }).toEqual({ exitCode: 0, exposed: true });
  });
});

test("config example prints what config.example.toml holds", () => {
  const { out } = call(["config", "example"], newFolder());
  expect(out).toBe(readFileSync(join(import.meta.dir, "../../config.example.toml"), "utf8"));
});

describe("the data folder", () => {
  test("is meant from the configuration's folder, wherever the node is started", () => {
    const [folder, elsewhere] = [newFolder(), newFolder()];
    call(["init", "--yes"], folder);
    const { out } = call(["config", "show", "--config", join(folder, "node.toml")], elsewhere);
    expect(out).toContain("data.dir");
    const { err, code } = call(["ledger", "audit", "--config", join(folder, "node.toml")], elsewhere);
    expect({ code, names: err.includes(join(folder, "data", "ledger.db")) }).toEqual({ code: 2, names: true });
  });

  test("is made once, said so, and shut to everybody else", async () => {
    const where = newNodeFolder([], "", localPlugin("http://127.0.0.1:9"));
    const first = await startRun(where);
    expect(first.out()).toContain("NEW: this start made a new ledger");
    for (const name of readdirSync(where.data)) {
      expect([name, statSync(join(where.data, name)).mode & 0o077]).toEqual([name, 0]);
    }
    first.signal("SIGTERM");
    await first.exited();
    // As a version before this one left it.
    chmodSync(join(where.data, "ledger.db"), 0o644);
    const second = await startRun(where);
    expect(second.out()).not.toContain("NEW:");
    expect(statSync(join(where.data, "ledger.db")).mode & 0o077).toBe(0);
  });

  test("of another identity is refused with exit code 2", () => {
    const folder = newFolder();
    call(["init", "--yes"], folder);
    rmSync(join(folder, "data"), { recursive: true });
    const gone = call(["run"], folder);
    expect({ code: gone.code, says: gone.err.includes("restore --node-key") }).toEqual({ code: 2, says: true });
    expect(existsSync(join(folder, "data", "node-key.pem"))).toBe(false);
    expect(call(["identity", "show", "--data", "data"], folder).code).not.toBe(0);
  });
});

test("a restore with the node's key starts as the same node; without it there is a warning", async () => {
  const where = newNodeFolder([], "", localPlugin("http://127.0.0.1:9"));
  const node = await startRun(where);
  const backup = join(where.folder, "backup.db");
  expect(call(["backup", "--to", backup, "--data", where.data], where.folder).code).toBe(0);
  node.signal("SIGTERM");
  await node.exited();
  const key = join(where.folder, "copy.pem");
  copyFileSync(join(where.data, "node-key.pem"), key);
  const node_id = /in1\w+/.exec(node.out())?.[0];

  const bare = call(["restore", backup, "--data", join(where.folder, "bare")], where.folder);
  expect({ code: bare.code, warns: bare.err.includes("starts as another one") }).toEqual({ code: 0, warns: true });
  const restored = join(where.folder, "restored");
  if (is_root) {
    mkdirSync(restored);
    chownSync(restored, 1234, 1234);
  }
  const whole = call(["restore", backup, "--data", restored, "--node-key", key], where.folder);
  expect({ code: whole.code, err: whole.err }).toEqual({ code: 0, err: "" });
  expect(whole.out).toContain(`it starts as ${node_id}`);
  for (const name of readdirSync(restored)) {
    const { mode, uid } = statSync(join(restored, name));
    expect([name, mode & 0o077, is_root ? uid : 1234]).toEqual([name, 0, 1234]);
  }
});

test("signals that mean nothing here do not stop the shop", async () => {
  const node = await startRun(newNodeFolder([], "", localPlugin("http://127.0.0.1:9")));
  process.kill(node.pid, "SIGUSR1");
  await until(() => (node.err().match(/signal_ignored/g) ?? []).length === 1, "the line");
  process.kill(node.pid, "SIGHUP");
  await until(() => node.err().includes("reloaded"), "the configuration to be read again");
  expect((await fetch(`${node.url()}/healthz`)).status).toBe(200);
});

test("plugins that somebody else may change are not loaded", async () => {
  const where = newNodeFolder([], "", localPlugin("http://127.0.0.1:9"));
  const plugin = join(where.folder, "plugins", "local.ts");
  const sells = () => call(["check", "--config", where.config], where.folder).out;
  expect(sells()).toContain("/local");
  chmodSync(plugin, 0o666);
  expect(sells()).toMatch(/refuses .*local\.ts.*may be written by others/);
  chmodSync(plugin, 0o644);
  chmodSync(join(where.folder, "plugins"), 0o777);
  expect(sells()).toMatch(/refuses .*plugins.*may be written by others/);
  chmodSync(join(where.folder, "plugins"), 0o755);
  if (!is_root) return noteSkipped("plugins of another user", "only root can give a file away");
  chownSync(plugin, 1234, 1234);
  expect(sells()).toMatch(/refuses .*local\.ts.*belongs to user 1234/);
});

test("a lock that cannot be written is refused, not shared", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "node.toml"), '[data]\ndir = "data"\n[server]\nport = 0\n');
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "data", "lock.db"), "");
  chmodSync(join(folder, "data", "lock.db"), 0o444);
  let command = [BINARY, "run"];
  if (is_root) {
    const missing = ensureProgram("setpriv", "util-linux");
    if (missing !== null) return noteSkipped("a lock that cannot be written", missing);
    for (const path of [folder, join(folder, "data"), join(folder, "node.toml")]) chownSync(path, 1234, 1234);
    command = ["setpriv", "--reuid=1234", "--regid=1234", "--clear-groups", ...command];
    const binary = join(folder, "intel-node");
    copyFileSync(BINARY, binary);
    chmodSync(binary, 0o755);
    command[command.length - 2] = binary;
  }
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: folder, stdin: "ignore", timeout: HANG_MS });
  expect(stderr.toString()).toContain("lock.db");
  expect(exitCode).not.toBe(0);
});

describe("check", () => {
  const check = (text: string, folder = newFolder()) => {
    writeFileSync(join(folder, "node.toml"), text);
    return call(["check"], folder);
  };

  test("finds folders that cannot be used", () => {
    const folder = newFolder();
    writeFileSync(join(folder, "file"), "");
    const { code, err } = check('[data]\ndir = "file"\n[backup]\ndir = "gone"\n', folder);
    expect(code).toBe(2);
    expect(err).toContain(`[data] dir: ${join(folder, "file")} is not a folder`);
    expect(err).toContain(`[backup] dir: ${join(folder, "gone")} does not exist`);
  });

  test("finds another identity, and a clock that is behind the ledger", () => {
    const folder = newFolder();
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "ledger.db"), "");
    const later = new Date(Date.now() + 86_400_000);
    utimesSync(join(folder, "data", "ledger.db"), later, later);
    const { code, err } = check('[node]\nnode_id = "in1CKi94HmYtPUTzRDpqydBqm"\n', folder);
    expect(code).toBe(2);
    expect(err).toContain("node-key.pem is not there");
    expect(err).toContain("set the clock");
  });

  test("says that a public node without trusted proxies takes all visitors for one", () => {
    const text = '[node]\npublic_url = "https://node.example.com"\n';
    expect(check(text).out).toContain("all visitors count as one");
    expect(check(`${text}[server]\ntrusted_proxies = ["::1"]\n`).out).not.toContain("all visitors count as one");
  });
});
