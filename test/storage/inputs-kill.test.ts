import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { openInputsReader } from "../../src/stores/inputs-db.ts";
import { repeat } from "../helpers/effort.ts";
import { until } from "../helpers/hang-limit.ts";

const ROUNDS = repeat({ quick: 2, full: 4, long: 100 });
const PROGRAM = join(import.meta.dir, "..", "helpers", "inputs-writer.ts");
const folder = mkdtempSync(join(tmpdir(), "inputs-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`killed while inputs are written, ${ROUNDS} times: whatever a seal was told is there, whole`, async () => {
  const [file, seen] = [join(folder, "inputs.db"), join(folder, "seen")];
  const lines = () => (existsSync(seen) ? readFileSync(seen, "utf8").split("\n").slice(0, -1) : []);
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = lines().length;
    const child = Bun.spawn([process.execPath, PROGRAM, file, seen], { stdio: ["ignore", "ignore", "inherit"] });
    try {
      await until(() => lines().length > before + 40 || child.exitCode !== null, "answers that are durable");
      expect(child.exitCode).toBeNull();
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
    const reader = openInputsReader(file);
    const told = lines();
    for (const line of told) {
      const [sha256 = "", inputs_sha256 = ""] = line.split(" ");
      const kept = reader.get(sha256);
      expect([sha256Hex(kept?.body ?? ""), sha256Hex(kept?.inputs ?? "")]).toEqual([sha256, inputs_sha256]);
    }
    reader.close();
    expect(told.length).toBeGreaterThan(before + 40);
  }
});
