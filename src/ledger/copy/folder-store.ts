import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { CopyStore } from "./copy-store.ts";
import { withinTime } from "./within-time.ts";

/** The suffix of an object until it is whole and on disk. */
const PARTIAL = ".partial";

/**
 * A copy in a folder, which must exist, so that a disk which is not mounted is noticed. Files can be read by their
 * owner only. Nothing here waits in this thread: a folder of a network may hang.
 */
export function createFolderStore(folder: string, time_ms_max: number): CopyStore {
  const pathOf = (key: string): string => join(folder, ...key.split("/"));
  const within = <T>(what: string, work: Promise<T>) => withinTime(time_ms_max, `${what} in ${folder}`, work);
  return {
    put: (key, bytes) => within("writing", putFile(folder, pathOf(key), bytes)),
    get: (key) => within("reading", readFile(pathOf(key))),
    list: () => within("listing", listFiles(folder)),
    remove: (key) => within("removing", removeFile(pathOf(key))),
  };
}

async function assertFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new Error(`${folder} is not there, or no folder: is its disk mounted?`);
}

async function putFile(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  await assertFolder(folder);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const partial = path + PARTIAL;
  const handle = await open(partial, "w", 0o600);
  try {
    for (let done = 0; done < bytes.length; ) {
      done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(partial, path);
  await syncFolder(dirname(path));
}

async function syncFolder(folder: string): Promise<void> {
  // Windows has no way to sync a folder, and keeps names itself.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function listFiles(folder: string): Promise<readonly string[]> {
  await assertFolder(folder);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && !entry.name.endsWith(PARTIAL))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join("/"));
}

/** With the folder it was in, when nothing else is left there. */
async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => undefined);
}
