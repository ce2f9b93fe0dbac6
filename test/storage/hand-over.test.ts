import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HandOverOutcome, handOver } from "../../src/commands/handover/hand-over.ts";
import { HANDOVER_VARIABLE } from "../../src/commands/handover/messages.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { MIGRATIONS } from "../../src/ledger/sqlite/migrate.ts";
import { lockDataDirectory, lockHandover } from "../../src/ledger/sqlite/open.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { noteSkipped } from "../helpers/debian-package.ts";
import { createStillClock } from "../helpers/still-clock.ts";
import { mountSmallDisk } from "../helpers/storage-mount.ts";
import {
  act,
  actor,
  DEATHS,
  type Death,
  holdSnapshot,
  issueKey,
  ledgerIn,
  openNewest,
  readFolder,
} from "../helpers/upgrade-actor.ts";

/** A node gives its place to a program with a newer schema, which dies somewhere; nothing acknowledged is lost. */
const READY_MS = 600_000;
const ROOM_BYTES = 65_536;
const folders: string[] = [];
afterAll(() => {
  if (typeof disk !== "string") disk.unmount();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hand-over-"));
  folders.push(folder);
  return folder;
}

const log = createLog({ level: "silent", format: "json", secrets: [] });

/** What the last process finds when it stops serving a folder, and gives it to another one. */
function handTo(folder: string, death: Death, release: () => void) {
  const unlock = lockDataDirectory(folder);
  const node = {
    listener: { port: 0 },
    async release() {
      try {
        release();
      } finally {
        unlock();
      }
    },
  };
  const outcome = handOver({
    node,
    log,
    data_dir: folder,
    drain_ms: 0,
    ready_ms: READY_MS,
    program: actor("new", folder, death),
    own_program: actor("old", folder),
  });
  return { outcome, unlock };
}

const namesLike = (folder: string, part: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.includes(part));

/** What comes of it, by where the new program dies. "sold": it alone can read what it acknowledged. */
const ENDS: Readonly<Record<Death, { readonly kind: HandOverOutcome["kind"]; readonly newer: boolean }>> = {
  unprepared: { kind: "kept", newer: false },
  prepared: { kind: "returned", newer: false },
  opened: { kind: "returned", newer: false },
  migrating: { kind: "returned", newer: false },
  migrated: { kind: "returned", newer: false },
  sold: { kind: "handed", newer: true },
  never: { kind: "handed", newer: true },
};

describe.each(DEATHS)("a new program that dies when %s", (death) => {
  test("leaves every acknowledged key in the books, even during reads", async () => {
    const folder = newFolder();
    // A file to which the log was never written: without it, it is no ledger.
    const db = openNewest(folder, MIGRATIONS);
    await issueKey(db, "key_1");
    const endReading = holdSnapshot(folder);
    await issueKey(db, "key_2");
    const { outcome, unlock } = handTo(folder, death, () => db.close());
    const { kind } = await outcome;
    if (kind === "kept") {
      db.close();
      unlock();
    }
    endReading();
    const found = await readFolder(folder);
    expect({ kind, newer: found.newer }).toEqual(ENDS[death]);
    expect(found.findings).toEqual([]);
    expect(found.keys).toEqual(["key_1", "key_2", ...(death === "sold" ? ["key_sold"] : [])]);
    // What was put out of place is all there, under a dated name.
    expect(namesLike(folder, ".undone-").length > 0).toBe(death === "migrated");
    expect(namesLike(folder, ".before-handover-").length).toBe(death === "sold" ? 1 : 0);
  });
});

test("books that are broken are not given to a newer program", async () => {
  const folder = newFolder();
  const db = openNewest(folder, MIGRATIONS);
  await issueKey(db, "key_1");
  db.run("UPDATE accounts SET posted = posted + 1");
  const { outcome } = handTo(folder, "never", () => db.close());
  const result = await outcome;
  expect(result.kind === "returned" && result.why).toContain("are broken");
  expect(namesLike(folder, "before-")).toEqual([]);
});

test("a ledger whose node could not close it is served by the old program again", async () => {
  const folder = newFolder();
  const db = openNewest(folder, MIGRATIONS);
  await issueKey(db, "key_1");
  const { outcome } = handTo(folder, "never", () => {
    db.close();
    throw new Error("the disk fails");
  });
  expect(await outcome).toEqual({ kind: "returned", why: "the disk fails" });
  expect(await readFolder(folder)).toEqual({ keys: ["key_1"], findings: [], newer: false });
});

test("a program that waits for its turn ends when the process before it was killed", async () => {
  const child = Bun.spawn([...actor("wait", newFolder())], {
    stdout: "ignore",
    stderr: "pipe",
    serialization: "json",
    env: { ...process.env, [HANDOVER_VARIABLE]: "1" },
    ipc: () => child.disconnect(),
  });
  expect(await child.stderr.text()).toContain("the process whose place this one was to take has ended");
  expect(await child.exited).toBe(1);
});

test("nobody but the successor takes the data folder between two processes of a node", async () => {
  const folder = newFolder();
  const unlock = lockHandover(folder);
  expect(() => lockDataDirectory(folder)).toThrow("Another intel-node");
  lockDataDirectory(folder, { is_successor: true })();
  unlock();
  lockDataDirectory(folder)();
});

const disk_folder = newFolder();
const disk = mountSmallDisk(join(disk_folder, "disk"), 16);
const no_disk = typeof disk === "string" ? disk : null;
if (no_disk !== null) noteSkipped("a hand-over on a disk that is full", no_disk);

test.skipIf(no_disk !== null)("a disk without room for the copy lets the old program serve again", async () => {
  if (typeof disk === "string") throw new Error(disk);
  const ledger = openLedger({ file: ledgerIn(disk.folder), clock: createStillClock() });
  await ledger.close();
  expect(act("issue", disk.folder, "key_1").out).toBe("acknowledged");
  const { outcome } = handTo(disk.folder, "never", () => {
    disk.fill();
    // Room to open a ledger, and none for another one.
    const ballast = join(disk.folder, "ballast");
    truncateSync(ballast, statSync(ballast).size - ROOM_BYTES);
  });
  const result = await outcome;
  disk.free();
  expect(result.kind).toBe("returned");
  const found = await readFolder(disk.folder);
  expect(found).toEqual({ keys: ["key_1"], findings: [], newer: false });
  expect(existsSync(ledgerIn(disk.folder))).toBe(true);
  expect(namesLike(disk.folder, "before-")).toEqual([]);
});
