import { existsSync } from "node:fs";
import { join } from "node:path";
import { SELF } from "../../releases/own-program.ts";

const TIMEOUT_MS = 600_000;

/** @throws Error with the program's last line of output when it fails. */
function run(program: readonly string[], args: readonly string[]): string {
  const child = Bun.spawnSync([...program, ...args], { stdout: "pipe", stderr: "pipe", timeout: TIMEOUT_MS });
  if (child.exitCode === 0) return child.stdout.toString();
  const said = `${child.stdout.toString()}${child.stderr.toString()}`.trim().slice(-500);
  throw new Error(`"${args.slice(0, 2).join(" ")}" failed (exit ${child.exitCode}): ${said}`);
}

export interface ProgramProof {
  readonly config: string;
  readonly data_dir: string;
  /** An empty folder that only this command uses. */
  readonly folder: string;
  readonly version: string;
}

/**
 * Tests, beside the running node, that a program can replace it: the program names its version, accepts the
 * configuration, and migrates a copy of the ledger, whose books must add up.
 * @throws Error with the step that failed.
 */
export function proveProgram(program: string, { config, data_dir, folder, version }: ProgramProof): void {
  const [said = ""] = run([program], ["version"]).split(" ");
  if (said.trim() !== version) throw new Error(`the archive holds version ${said.trim()}, not ${version}`);
  run([program], ["check", "--config", config]);
  if (!existsSync(join(data_dir, "ledger.db"))) return;
  const copy = join(folder, "ledger-copy.db");
  run(SELF, ["backup", "--data", data_dir, "--to", copy]);
  const restored = join(folder, "restored");
  // A restore migrates and audits before it puts anything in place.
  run([program], ["restore", copy, "--data", restored]);
  run([program], ["ledger", "audit", "--data", restored]);
}
