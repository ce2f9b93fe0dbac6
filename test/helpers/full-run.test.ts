import { expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findChanged, listSources, noteFullRun } from "./full-run.ts";

const ROOT = join(import.meta.dir, "..", "..");

test("a full run is due as soon as one source of money is another, and not before", () => {
  const copy = mkdtempSync(join(tmpdir(), "intel-node-full-"));
  const sources = listSources(ROOT);
  expect(sources.length).toBeGreaterThan(150);
  for (const file of sources) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  expect(findChanged(copy)).toContain("no full run");
  noteFullRun(copy);
  expect(findChanged(copy)).toBeNull();
  for (const file of ["src/ledger/ledger.ts", "src/payments/gate/attempt.ts", "test/storage/power-cut.test.ts"]) {
    writeFileSync(join(copy, file), "// another\n");
    expect(findChanged(copy)).toContain("changed");
    cpSync(join(ROOT, file), join(copy, file));
    expect(findChanged(copy)).toBeNull();
  }
  writeFileSync(join(copy, "src/ledger/new.sql"), "");
  expect(findChanged(copy)).toContain("changed");
  rmSync(copy, { recursive: true });
});
