import { tmpdir } from "node:os";
import { join } from "node:path";

const has = (program: string): boolean => Bun.which(program) !== null;
/** One at a time: a second apt-get beside a first one fails. */
const LOCK = join(tmpdir(), "intel-node-test-packages.lock");

/** Programs that tests look for, and their Debian packages. */
const PROGRAMS = [
  ["strace", "strace"],
  ["nginx", "nginx"],
  ["caddy", "caddy"],
  ["haproxy", "haproxy"],
  ["promtool", "prometheus"],
  ["chromium", "chromium"],
  ["hunspell", "hunspell hunspell-pt-br"],
  ["python3", "python3"],
  ["go", "golang-go golang-golang-x-mod-dev"],
  ["/usr/lib/postgresql/15/bin/initdb", "postgresql-15"],
] as const;

const canInstall = (): boolean => process.getuid?.() === 0 && has("apt-get") && has("flock");
const installCommand = (packages: readonly string[]): string[] => {
  const install = `apt-get install -y -qq --no-install-recommends ${packages.join(" ")}`;
  return ["flock", LOCK, "sh", "-c", `apt-get update -qq; ${install}`];
};
/** Nothing is asked, and nothing that is installed is started: run level 1 is for repairs. */
const QUIET = {
  stdout: "ignore",
  stderr: "ignore",
  env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
} as const;

/** Installs what tests will look for, in the background, where this process may; resolves when it is done. */
export async function installPrograms(): Promise<void> {
  const missing = PROGRAMS.filter(([program]) => !has(program)).map(([, debian_package]) => debian_package);
  if (missing.length > 0 && canInstall()) await Bun.spawn(installCommand(missing), QUIET).exited;
}

/**
 * Makes sure that a program is there, installing its Debian package when this process may.
 * @returns null, or why it is not there.
 */
export function ensureProgram(program: string, debian_package: string): string | null {
  if (has(program)) return null;
  if (process.getuid?.() !== 0) return `${program} is missing, and only root may install it`;
  if (!canInstall()) return `${program} is missing, and so is apt-get`;
  Bun.spawnSync(installCommand([debian_package]), QUIET);
  return has(program) ? null : `${program} is missing, and Debian package ${debian_package} could not be installed`;
}

/** Whether strace may follow a child here: containers often forbid it. */
export function whyNoTracing(): string | null {
  const missing = ensureProgram("strace", "strace");
  if (missing !== null) return missing;
  const tried = Bun.spawnSync(["strace", "-f", "-o", "/dev/null", "true"], { stdout: "ignore", stderr: "pipe" });
  return tried.exitCode === 0 ? null : `strace cannot trace here: ${tried.stderr.toString().trim().slice(0, 200)}`;
}

/** Says what a test did not check, so that nobody takes a skip for a pass. */
export function noteSkipped(what: string, why: string): void {
  process.stderr.write(`NOT CHECKED: ${what} (${why})\n`);
}
