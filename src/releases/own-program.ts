import { createReadStream } from "node:fs";
import { once } from "../core/once.ts";
import { BUILD, COMMIT, VERSION } from "./version.ts";

/** How this program starts itself: the compiled binary holds its own sources, otherwise they follow the runtime. */
export const SELF: readonly string[] = /^(?:\/\$bunfs\/|B:[/\\]~BUN)/.test(Bun.main)
  ? [process.execPath]
  : [process.execPath, Bun.main];

/** Which program this is, so that it can be built again from the sources and compared. */
export interface ProgramFacts {
  readonly version: string;
  readonly commit: string;
  /** "local", as `./build.sh` makes it, or the target of a release. */
  readonly build: string;
  readonly bun: string;
  /** SHA-256 of the program's file; null where it runs from its sources. */
  readonly sha256: string | null;
}

/** SHA-256 of a file, read a piece at a time. @throws a system error when it cannot be read. */
export async function digestFile(file: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const piece of createReadStream(file)) hasher.update(piece as Buffer);
  return hasher.digest("hex");
}

/** The file of this compiled program; null where it runs from its sources. */
const ownFile = (): string | null => (SELF.length === 1 ? (SELF[0] ?? null) : null);

/** Facts of the program that runs. Its file is read when they are first asked for, and not again. */
export const describeOwnProgram = once(async (): Promise<ProgramFacts> => {
  const file = ownFile();
  // An upgrade in place may have taken the file away: then nothing is said of it.
  const sha256 = file === null ? null : await digestFile(file).catch(() => null);
  return { version: VERSION, commit: COMMIT, build: BUILD, bun: Bun.version, sha256 };
});
