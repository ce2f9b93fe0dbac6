import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ensureProgram } from "./debian-package.ts";

export interface SmallDisk {
  readonly folder: string;
  /** Leaves no room. */
  fill(): void;
  /** Gives the room back. */
  free(): void;
  unmount(): void;
}

/**
 * Mounts a small disk of its own, in memory.
 * @returns the disk, or why there is none.
 */
export function mountSmallDisk(folder: string, size_mib: number): SmallDisk | string {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root on Linux may mount a disk";
  const missing = ensureProgram("mount", "mount");
  if (missing !== null) return missing;
  mkdirSync(folder, { recursive: true });
  const options = `size=${size_mib}m,mode=0700`;
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], { stderr: "pipe" });
  if (mounted.exitCode !== 0) return `a disk cannot be mounted here: ${mounted.stderr.toString().trim()}`;
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill: () => fillWith(ballast),
    free: () => rmSync(ballast, { force: true }),
    unmount: () => void Bun.spawnSync(["umount", "-l", folder]),
  };
}

/** Writes zeros until the disk takes no more. */
function fillWith(path: string): void {
  const descriptor = openSync(path, "a");
  try {
    for (const size of [65_536, 4_096, 512]) writeUntilFull(descriptor, new Uint8Array(size));
  } finally {
    closeSync(descriptor);
  }
}

function writeUntilFull(descriptor: number, chunk: Uint8Array): void {
  try {
    while (writeSync(descriptor, chunk) > 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
