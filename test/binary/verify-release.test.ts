import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** The same sources make the same program, and the program says so of itself. Two builds: with full counts only. */
const ROOT = join(import.meta.dir, "..", "..");
const full = process.env.TEST_FULL === "1" || process.env.TEST_LONG === "1";
const has = (name: string): boolean => Bun.which(name) !== null;
const is_clone = Bun.spawnSync(["git", "rev-parse", "HEAD"], { cwd: ROOT, stdout: "ignore", stderr: "ignore" }).success;

describe.skipIf(!full || !has("git") || !has("bash") || !is_clone)("a program and its sources", () => {
  const folder = mkdtempSync(join(tmpdir(), "intel-node-verify-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, "intel-node");
  const tools = join(folder, "tools");
  /** Packages are those of this checkout: a test asks no registry. */
  const packages = realpathSync(join(ROOT, "node_modules"));
  const copy = `cp -Rl "${packages}" node_modules || cp -R "${packages}" node_modules`;
  const npm = `#!/bin/sh\n[ "$1" = ci ] || exit 1\n${copy}\n`;
  const run = (command: readonly string[], more: { readonly cwd: string; readonly env?: Record<string, string> }) => {
    const env = { PATH: `${tools}${delimiter}${process.env.PATH}`, HOME: folder, TMPDIR: folder, ...more.env };
    const child = Bun.spawnSync([...command], { cwd: more.cwd, env, stdout: "pipe", stderr: "pipe" });
    return { exit: child.exitCode, out: child.stdout.toString(), said: child.stderr.toString() };
  };

  beforeAll(() => {
    mkdirSync(tools);
    writeFileSync(join(tools, "npm"), npm);
    chmodSync(join(tools, "npm"), 0o755);
    const sources = join(folder, "elsewhere", "sources");
    mkdirSync(join(folder, "elsewhere"));
    expect(run(["git", "clone", "-q", "--no-hardlinks", ROOT, sources], { cwd: folder }).exit).toBe(0);
    const env = { TZ: "Asia/Tokyo", LANG: "pt_BR.UTF-8", LC_ALL: "C" };
    const built = run(["./build.sh"], { cwd: sources, env });
    expect(built.exit, built.said).toBe(0);
    cpSync(join(sources, "dist", "intel-node"), program);
  });

  const verify = (file: string) => run([file, "verify-release", "--source", ROOT, "--json"], { cwd: folder });

  test("are found to belong together, wherever and in whatever language each was built", () => {
    const { exit, out, said } = verify(program);
    expect(exit, said).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ verified: true, build: "local" });
  });

  test("do not where one word of the program is another", () => {
    const changed = join(folder, "changed");
    const bytes = readFileSync(program);
    const at = bytes.lastIndexOf("look at and change the key this node signs with");
    expect(at).toBeGreaterThan(0);
    bytes.write("L", at);
    writeFileSync(changed, bytes, { mode: 0o755 });
    const { exit, out } = verify(changed);
    expect([exit, (JSON.parse(out) as { readonly verified: boolean }).verified]).toEqual([1, false]);
  });

  test("cannot be compared where there are no sources, and it says so", () => {
    const { exit, said } = run([program, "verify-release", "--source", folder], { cwd: folder });
    expect([exit, said]).toEqual([2, expect.stringContaining("git clone")]);
  });
});
