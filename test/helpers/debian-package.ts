const has = (program: string): boolean => Bun.which(program) !== null;

/**
 * Makes sure that a program is there, installing its Debian package when this process may.
 * @returns null, or why it is not there.
 */
export function ensureProgram(program: string, debian_package: string): string | null {
  if (has(program)) return null;
  if (process.getuid?.() !== 0) return `${program} is missing, and only root may install it`;
  if (!has("apt-get")) return `${program} is missing, and so is apt-get`;
  const quiet = { stdout: "ignore", stderr: "ignore" } as const;
  Bun.spawnSync(["apt-get", "update", "-qq"], quiet);
  Bun.spawnSync(["apt-get", "install", "-y", "-qq", debian_package], quiet);
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
