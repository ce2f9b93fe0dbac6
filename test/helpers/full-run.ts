import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

/** Committed: what the sources of money were when every test of them last passed with full counts. */
const STAMP = "test/full-run.json";
/** Whatever acknowledges, stores or moves money, and what proves that it does: one pattern for each folder. */
const FOLDERS = [
  ...["src/ledger", "src/payments", "src/stores"],
  ...["test/ledger", "test/payments", "test/storage", "test/simulation"],
] as const;

/** @throws Error when a folder holds no such file: a digest of nothing is the same for ever. */
export function listSources(root: string): readonly string[] {
  return FOLDERS.flatMap((folder) => {
    const files = [...new Glob(`${folder}/**/*.{ts,sql}`).scanSync(root)].map((path) => path.replaceAll("\\", "/"));
    if (files.length === 0) throw new Error(`${folder} has no sources`);
    return files.sort();
  });
}

function digestOf(root: string): string {
  const hash = createHash("sha256");
  for (const file of listSources(root)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

/** Why a full run is due; null when the sources of money are those of the last full run. */
export function findChanged(root: string): string | null {
  const file = join(root, STAMP);
  if (!existsSync(file)) return "the books have had no full run";
  const { digest } = JSON.parse(readFileSync(file, "utf8")) as { digest?: unknown };
  return digest === digestOf(root) ? null : "the books changed since the last full run";
}

/** Writes down that everything passed with full counts. Returns what to say. */
export function noteFullRun(root: string): string {
  const stamp = { digest: digestOf(root), ran_at: new Date().toISOString().slice(0, 10) };
  writeFileSync(join(root, STAMP), `${JSON.stringify(stamp, null, 2)}\n`);
  return `full counts passed: commit ${STAMP}`;
}
