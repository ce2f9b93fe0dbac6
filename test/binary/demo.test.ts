import { afterAll, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, cleanUp, copyPast, newFolder } from "../helpers/demo-node.ts";
import { EFFORT } from "../helpers/effort.ts";

afterAll(cleanUp);

const isRoot = process.getuid?.() === 0;
const has = (name: string): boolean => Bun.which(name) !== null;

/** Programs that make a network namespace; installed when this may be done. */
function canIsolate(): boolean {
  if (process.platform !== "linux") return false;
  if ((!has("unshare") || !has("ip")) && isRoot && has("apt-get")) {
    Bun.spawnSync(["apt-get", "update", "-qq"]);
    Bun.spawnSync(["apt-get", "install", "-y", "-qq", "util-linux", "iproute2"]);
  }
  return (
    has("unshare") && has("ip") && Bun.spawnSync(["unshare", "-rn", "ip", "link", "set", "lo", "up"]).exitCode === 0
  );
}
const isolated = canIsolate();
if (!isolated)
  console.warn("NOT CHECKED: the demo with networking off (needs unshare and ip, and the right to use them)");

/** With full counts the past it has by itself, which takes a minute of a core. */
const DAYS = EFFORT === "quick" ? "--history-days 3" : "";

test.skipIf(!isolated)("the binary alone, in an empty folder, with networking off, shows a complete sale", () => {
  const folder = newFolder();
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  copyFileSync(BINARY, join(folder, "intel-node"));
  const script = `ip link set lo up && exec ./intel-node demo ${DAYS}`;
  const child = Bun.spawnSync(["unshare", "-rn", "sh", "-c", script], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", TMPDIR: temporary },
  });
  const out = child.stdout.toString();
  expect(out).toContain("Every step was checked and held.");
  expect(out).not.toContain("FAIL");
  expect(child.exitCode).toBe(0);
  // Its data was in a temp folder of its own, and is gone.
  expect(readdirSync(temporary)).toEqual([]);
});

test("--json is one object a line, and every check in it held; --data keeps what was sold", () => {
  const data = join(newFolder(), "kept");
  copyPast(data);
  const child = Bun.spawnSync([BINARY, "demo", "--json", "--history-days", "3", "--data", data], {
    cwd: newFolder(),
    env: { PATH: process.env.PATH ?? "" },
  });
  const lines = child.stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toEqual({ event: "done", ok: true });
  // None of them is left out: the channel's is where no channels are offered.
  expect(lines.slice(0, -1).map(({ step }) => step)).toEqual(Array.from({ length: 15 }, (_, n) => n + 1));
  // The month of the watch is always the same one.
  expect(lines.flatMap((step) => step.lines ?? []).filter((line) => line.startsWith("told "))).toEqual([
    "told 2026-01-25T00:30:00Z chop -> bull",
    "told 2026-02-05T00:30:00Z bull -> chop",
    "told 2026-02-15T00:30:00Z chop -> bull",
  ]);
  const checks = lines.slice(0, -1).flatMap((step) => step.checks as { ok: boolean }[]);
  expect(checks.length).toBeGreaterThan(15);
  expect(checks.every((check) => check.ok)).toBe(true);
  expect(child.exitCode).toBe(0);
  expect(existsSync(join(data, "ledger.db"))).toBe(true);
  // Of the node of that month nothing is.
  expect(existsSync(join(data, "demo-month"))).toBe(false);
  const audit = Bun.spawnSync([BINARY, "ledger", "audit", "--data", data, "--json"]);
  expect(JSON.parse(audit.stdout.toString())).toMatchObject({ ok: true, receipts: 4 });
});

test("without a past there is no preview yet: the step says so, and the demo has not failed", () => {
  const child = Bun.spawnSync([BINARY, "demo", "--no-history"], {
    cwd: newFolder(),
    env: { PATH: process.env.PATH ?? "" },
  });
  const out = child.stdout.toString();
  expect(out).toContain("GET /fear-greed?preview=1 -> 503 preview_not_ready");
  expect(out).toContain("Every step was checked and held.");
  expect(child.exitCode).toBe(0);
});

test("a reader that goes away in the middle does not keep the demo from ending", async () => {
  const child = Bun.spawn([BINARY, "demo", "--no-history"], { cwd: newFolder(), stdio: ["ignore", "pipe", "pipe"] });
  const said = new Response(child.stderr).text();
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  const code = await child.exited;
  // With what it said, should it ever end otherwise.
  expect({ code, said: await said }).toMatchObject({ code: 0 });
});

test.each(["SIGINT", "SIGTERM"] as const)("a demo cut off by %s takes its temp folder along", async (signal) => {
  const temporary = newFolder();
  const env = { PATH: process.env.PATH ?? "", TMPDIR: temporary };
  const child = Bun.spawn([BINARY, "demo", "--history-days", "3"], {
    cwd: newFolder(),
    env,
    stdio: ["ignore", "ignore", "ignore"],
  });
  while (readdirSync(temporary).length === 0) await Bun.sleep(5);
  child.kill(signal);
  await child.exited;
  expect(readdirSync(temporary)).toEqual([]);
});

test("a data folder that cannot be used exits with 1 and says which", () => {
  const file = join(newFolder(), "occupied");
  writeFileSync(file, "");
  const child = Bun.spawnSync([BINARY, "demo", "--data", file]);
  expect(child.exitCode).toBe(1);
  expect(child.stderr.toString()).toContain(file);
});

test("a file that is no ledger is never replaced", () => {
  const data = newFolder();
  const ledger = join(data, "ledger.db");
  writeFileSync(ledger, "these are somebody's only books".repeat(500));
  const before = readFileSync(ledger);
  const child = Bun.spawnSync([BINARY, "demo", "--data", data]);
  expect(child.exitCode).toBe(1);
  expect(child.stderr.toString()).toContain("ledger.db");
  expect(readFileSync(ledger).equals(before)).toBe(true);
});
