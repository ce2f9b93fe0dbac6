import { rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JobContext } from "../catalog/context.ts";
import type { AnyDataset, FetchedFile, FileRequest } from "../catalog/dataset.ts";
import type { DatasetVersion } from "../catalog/dataset-reader.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import { UpstreamError } from "../core/errors.ts";
import type { BuildOrder } from "./dataset-build.ts";
import type { DatasetStore } from "./dataset-store.ts";
import { StoreError } from "./store-error.ts";

export interface IntakeParts {
  readonly store: DatasetStore;
  /** Builds the file in a worker. @throws Error when it cannot, or `signal` ended it. */
  readonly build: (order: BuildOrder, signal: AbortSignal) => Promise<number>;
}

const ROWS_MIN_RATIO = 0.8;
const FILES_MAX = 50;
/** A disk that is nearly full belongs to the ledger. */
const FREE_BYTES_MIN = 500_000_000;

function assertRoom(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < FREE_BYTES_MIN)
    throw new StoreError(`less than ${FREE_BYTES_MIN / 1e6} MB are free on the disk`);
}

/** @throws StoreError when a version holds far fewer rows than the one before it. */
function assertEnough({ name, rows_min = 1, rows_min_ratio = ROWS_MIN_RATIO }: AnyDataset, rows: number, last: number) {
  const floor = Math.max(rows_min, Math.ceil(last * rows_min_ratio));
  if (rows >= floor) return;
  throw new StoreError(`dataset "${name}": ${rows} rows where at least ${floor} are due; the last version had ${last}`);
}

/** Fetches into the folder of one taking in, and checks what came. */
function createFileFetch(context: JobContext, work: string) {
  let files = 0;
  return async (provider: ProviderDefinition, request: FileRequest): Promise<FetchedFile> => {
    const { bytes_min = 1, sha256, ...target } = request;
    files += 1;
    if (files > FILES_MAX) throw new StoreError(`more than ${FILES_MAX} files in one dataset`);
    const path = join(work, `file-${files}`);
    const file = await context.download(provider, { ...target, to: path });
    const refuse = (why: string) => new UpstreamError("upstream_bad_response", provider.id, `${provider.id}: ${why}`);
    // Nothing was there before, so nothing can be unchanged.
    if (file.unchanged) throw refuse("it says that nothing changed");
    const { size: bytes } = statSync(path);
    if (bytes < bytes_min) throw refuse(`the file has only ${bytes} bytes`);
    if (sha256 !== undefined && sha256.toLowerCase() !== file.sha256) {
      throw refuse("the file's digest is not the one its publisher states");
    }
    const { etag, last_modified } = file;
    return {
      path,
      bytes,
      sha256: file.sha256,
      ...(etag === undefined ? {} : { etag }),
      ...(last_modified === undefined ? {} : { last_modified }),
    };
  };
}

/**
 * Takes in a new version, if there is one: fetched, parsed in a worker, checked, then swapped in. Whatever goes wrong,
 * and whenever the process ends, the version before it stays.
 * @returns the new version; null when there is nothing newer.
 * @throws whatever `fetch`, `parse` or a check refused it with.
 */
export async function takeIn(
  dataset: AnyDataset,
  context: JobContext,
  { store, build }: IntakeParts,
): Promise<DatasetVersion | null> {
  const current = store.current(dataset);
  const work = store.prepare(dataset);
  try {
    assertRoom(work);
    const found = await dataset.fetch({ ...context, current, fetchFile: createFileFetch(context, work) });
    if (found === null) return null;
    const files = Object.entries(found.files);
    const version = {
      version: found.version,
      published_at_ms: found.published_at_ms,
      taken_at_ms: context.now_ms,
      bytes: files.reduce((sum, [, { bytes }]) => sum + bytes, 0),
      sources: context.sources(),
    };
    const out = join(work, "built.db");
    const paths = Object.fromEntries(files.map(([name, { path }]) => [name, path]));
    const rows = await build({ version, files: paths, out }, context.signal);
    assertEnough(dataset, rows, current?.rows ?? 0);
    return store.accept(dataset, out);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
