import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noteSkipped } from "../helpers/debian-package.ts";
import { until } from "../helpers/hang-limit.ts";
import { TEST_SEED as SEED } from "../helpers/seed.ts";
import { checkLedger, readSaid } from "../helpers/storage-facts.ts";
import { ledgerFile, runChild } from "../helpers/storage-faults.ts";
import { mountSmallDisk } from "../helpers/storage-mount.ts";
import { WORKLOAD } from "../helpers/storage-trace.ts";

/** Disks that are really full, and limits that act like it. A third way, errors put in between, is in io-errors. */
const ROUNDS = process.env.TEST_LONG === "1" ? 50 : 2;
const work = mkdtempSync(join(tmpdir(), "disk-full-"));
const disk = mountSmallDisk(join(work, "disk"), 16);
const no_disk = typeof disk === "string" ? disk : null;
if (no_disk !== null) noteSkipped("a disk that is full", no_disk);

afterAll(() => {
  if (typeof disk !== "string") disk.unmount();
  rmSync(work, { recursive: true, force: true });
});

describe.skipIf(no_disk !== null)("a disk that is full", () => {
  test(`refuses charges, keeps what was acknowledged, and charges again with room, ${ROUNDS} times`, async () => {
    if (typeof disk === "string") throw new Error(disk);
    const acks = join(work, "acks");
    const folder = join(disk.folder, "data");
    mkdirSync(folder);
    const options = { folder, seed: SEED, steps: 1_000_000, pause_ms: 10, acks };
    const child = Bun.spawn([process.execPath, WORKLOAD, JSON.stringify(options)], {
      stdio: ["ignore", "ignore", 2],
    });
    const signs = () => (existsSync(acks) ? readFileSync(acks, "utf8") : "").split("\n").map((line) => line.charAt(0));
    const since = async (sign: string, from: number) => {
      await until(() => signs().slice(from).includes(sign) || child.exitCode !== null, `a line with ${sign}`);
      expect(child.exitCode).toBeNull();
      return signs().length;
    };
    try {
      let seen = await since("+", 0);
      for (let round = 0; round < ROUNDS; round++) {
        disk.fill();
        seen = await since("-", seen);
        // Refused at once, and still refused after the disk was tried again.
        await Bun.sleep(1_200);
        seen = await since("-", signs().length);
        disk.free();
        seen = await since("+", seen);
      }
      disk.fill();
      await since("-", seen);
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
    disk.free();
    const said = readSaid(readFileSync(acks, "utf8"));
    expect(await checkLedger(ledgerFile(folder), said)).toEqual([]);
    expect(said.refused.length).toBeGreaterThan(ROUNDS);
  });

  test("at the first start, is said, and leaves nothing that looks like a lost ledger", async () => {
    if (typeof disk === "string") throw new Error(disk);
    const folder = join(disk.folder, "first");
    mkdirSync(folder);
    disk.fill();
    const options = { folder, seed: SEED, steps: 1, acks: join(work, "first") };
    const full = await runChild([process.execPath, WORKLOAD, JSON.stringify(options)], options.acks);
    expect(full.code).not.toBe(0);
    expect(full.stderr).toContain("LedgerOpenError");
    disk.free();
    const free = await runChild([process.execPath, WORKLOAD, JSON.stringify(options)], options.acks);
    expect(free).toMatchObject({ code: 0, done: true });
  });
});

const has_shell = process.platform === "linux" && Bun.which("bash") !== null;
if (!has_shell) noteSkipped("limits on the size of files", "needs bash on Linux");

describe.skipIf(!has_shell)("a limit on the size of files", () => {
  test.each([300, 450, 600])("of %d KiB refuses charges and keeps what was acknowledged", async (size_kib) => {
    const folder = mkdtempSync(join(work, "limited-"));
    const acks = `${folder}.acks`;
    const options = { folder, seed: SEED, steps: 60, acks };
    const shell = `ulimit -f ${size_kib}; exec "$0" "$1" "$2"`;
    const command = ["bash", "-c", shell, process.execPath, WORKLOAD, JSON.stringify(options)];
    const outcome = await runChild(command, acks);
    expect(await checkLedger(ledgerFile(folder), outcome)).toEqual([]);
    expect(outcome).toMatchObject({ code: 0, done: true });
    expect(outcome.refused.length).toBeGreaterThan(0);
    expect(outcome.acknowledged.length).toBeGreaterThan(0);
  });
});
