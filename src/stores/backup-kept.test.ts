import { afterEach, beforeEach, expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupCommand } from "../commands/backup.ts";
import { restoreCommand } from "../commands/restore.ts";
import { keptBackupOf } from "../ledger/backup.ts";
import { openLedger } from "../ledger/ledger.ts";
import { backupKept } from "./backup-kept.ts";
import { openKeptDb } from "./kept-db.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "intel-node-kept-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const value = { at_ms: 5, value: { x: 1 } };

async function createNodeData(data: string): Promise<void> {
  const ledger = openLedger({ file: join(data, "ledger.db"), clock: { now: Date.now } });
  await ledger.close();
  const kept = openKeptDb(join(data, "kept.db"));
  await kept.history.write("kept/acme/x", [value]);
  kept.close();
}

test("what plugins keep is backed up with the ledger and comes back with it", async () => {
  const data = join(folder, "data");
  mkdirSync(data);
  await createNodeData(data);
  const backups = join(folder, "backups/");
  mkdirSync(backups);
  expect(await backupCommand({ data, config: "", to: backups, json: true })).toBe(0);
  const names = readdirSync(backups).sort();
  const [ledger_backup = "", kept_backup] = names;
  expect([names.length, kept_backup]).toEqual([2, keptBackupOf(ledger_backup)]);
  const restored = join(folder, "restored");
  expect(restoreCommand(join(backups, ledger_backup), { data: restored, json: true })).toBe(0);
  const kept = openKeptDb(join(restored, "kept.db"));
  expect(await kept.history.read("kept/acme/x")).toEqual([value]);
  kept.close();
});

const IS_ROOT = process.getuid?.() === 0;
const USER = 1234;
const ownerOf = (path: string) => [path, statSync(path).uid, statSync(path).gid];
// Only root can give files away; anybody else sees this test skipped by name.
test.skipIf(!IS_ROOT)(
  "what root restores, folders it made included, belongs to whom the parent folder does",
  async () => {
    const data = join(folder, "data");
    mkdirSync(data);
    await createNodeData(data);
    expect(await backupCommand({ data, config: "", to: join(folder, "b.db"), json: true })).toBe(0);
    const home = join(folder, "home");
    mkdirSync(home);
    chownSync(home, USER, USER);
    for (const restored of [join(home, "data"), join(home, "node", "data")]) {
      expect(restoreCommand(join(folder, "b.db"), { data: restored, json: true })).toBe(0);
    }
    const paths = readdirSync(home, { recursive: true }).map((name) => join(home, String(name)));
    expect(paths).toContain(join(home, "node", "data", "kept.db"));
    expect(paths.map(ownerOf)).toEqual(paths.map((path) => [path, USER, USER]));
  },
);

test("a damaged other half restores nothing", async () => {
  const data = join(folder, "data");
  mkdirSync(data);
  await createNodeData(data);
  expect(await backupCommand({ data, config: "", to: join(folder, "b.db"), json: true })).toBe(0);
  writeFileSync(join(folder, "b.kept.db"), "spoilt".repeat(2_000));
  expect(restoreCommand(join(folder, "b.db"), { data: join(folder, "restored"), json: true })).not.toBe(0);
  expect(existsSync(join(folder, "restored", "ledger.db"))).toBe(false);
});

test("a backup never overwrites, and one that fails leaves nothing behind", () => {
  const file = join(folder, "kept.db");
  expect(backupKept(file, join(folder, "copy.db"))).toBe(false);
  openKeptDb(file).close();
  expect(backupKept(file, join(folder, "copy.db"))).toBe(true);
  expect(() => backupKept(file, join(folder, "copy.db"))).toThrow("never overwrites");
  expect(() => backupKept(file, join(folder, "none", "copy.db"))).toThrow();
  expect(readdirSync(folder).filter((name) => name.includes("copy"))).toEqual(["copy.db"]);
});
