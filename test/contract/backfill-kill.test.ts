import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EFFORT } from "../helpers/effort.ts";

/** Files of the past, a year of B3 and sixty days of GDELT, fetched by a process that is killed -9 on its way. */
const root = mkdtempSync(join(tmpdir(), "intel-node-backfill-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Run {
  readonly calls: number;
  /** What it stored in the end; null when it was killed. */
  readonly done: { readonly days: number; readonly digest: string } | null;
}

/** Runs it on a folder; at so many calls it is killed, before the answer to the last one is stored. */
async function runOn(name: string, kill_at = Number.POSITIVE_INFINITY): Promise<Run> {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const program = join(import.meta.dir, "..", "helpers", "backfill-process.ts");
  const child = Bun.spawn([process.execPath, program, folder], { stdout: "pipe", stderr: "inherit" });
  let [calls, rest] = [0, ""];
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("done ")) return { calls, done: JSON.parse(line.slice(5)) };
      calls += 1;
    }
    if (calls >= kill_at) {
      child.kill("SIGKILL");
      await child.exited;
      return { calls, done: null };
    }
  }
  throw new Error(`it ended by itself after ${calls} calls`);
}

test.skipIf(EFFORT === "quick")(
  "killed -9 five times, the past is what it is without, and hardly asked for twice",
  async () => {
    const whole = await runOn("whole");
    expect(whole.done?.days).toBe(260);
    const runs: Run[] = [];
    // Three times among the files of B3, twice among those of GDELT.
    for (const kill_at of [61, 150, 222, 120, 60]) runs.push(await runOn("killed", kill_at));
    expect(runs.map(({ done }) => done)).toEqual([null, null, null, null, null]);
    const last = await runOn("killed");
    expect(last.done?.digest).toBe(whole.done?.digest ?? "");
    // What a killed run had called but not yet been seen to call is not counted, so this holds on any machine.
    const calls = runs.reduce((sum, run) => sum + run.calls, last.calls);
    expect(calls - whole.calls).toBeLessThanOrEqual(3 * runs.length);
  },
);
