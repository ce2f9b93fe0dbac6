import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStillClock } from "../../test/helpers/still-clock.ts";
import { type Ledger, openLedger } from "./ledger.ts";

const ONE = "1".repeat(64);
const OTHER = "2".repeat(64);
const folders: string[] = [];
const open: Ledger[] = [];
afterEach(async () => {
  for (const ledger of open.splice(0)) await ledger.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "manifest-"));
  folders.push(folder);
  return join(folder, "ledger.db");
}
function openFile(file: string): Ledger {
  const ledger = openLedger({ file, clock: createStillClock() });
  open.push(ledger);
  return ledger;
}

describe("the time of the manifest", () => {
  test("stays while the manifest does, and moves with it", () => {
    const { manifest } = openFile(newFile());
    expect(manifest.find(ONE)).toBeNull();
    expect(manifest.note(ONE, 5_999)).toBe(5);
    expect(manifest.note(ONE, 90_000)).toBe(5);
    expect(manifest.find(ONE)).toBe(5);
    expect(manifest.note(OTHER, 91_000)).toBe(91);
    expect(manifest.find(ONE)).toBeNull();
    expect(manifest.note(ONE, 92_000)).toBe(92);
  });

  test("is the same after the ledger was closed and opened", async () => {
    const file = newFile();
    const first = openFile(file);
    first.manifest.note(OTHER, 1_000);
    first.manifest.note(ONE, 5_000);
    await open.pop()?.close();
    const { manifest } = openFile(file);
    expect(manifest.find(ONE)).toBe(5);
    expect(manifest.note(ONE, 90_000)).toBe(5);
  });
});
