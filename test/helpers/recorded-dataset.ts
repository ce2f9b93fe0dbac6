import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobContext } from "../../src/catalog/context.ts";
import type { AnyDataset, DatasetFetch } from "../../src/catalog/dataset.ts";
import { createDatasetFiles } from "../../src/stores/dataset-files.ts";

/** Fetches and parses a dataset as a job does, without a store: a recording is far below the size a list must have. */
export async function readDataset(context: JobContext, dataset: AnyDataset): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "intel-node-recorded-"));
  const fetchFile: DatasetFetch["fetchFile"] = async (provider, { bytes_min, sha256, ...request }) => {
    const path = join(folder, crypto.randomUUID());
    const file = await context.download(provider, { ...request, to: path });
    if (file.unchanged) throw new Error("nothing was there before");
    return { path, bytes: file.bytes, sha256: file.sha256 };
  };
  try {
    const fetched = await dataset.fetch({ ...context, fetchFile, current: null });
    if (!fetched) throw new Error("nothing was fetched");
    const paths = Object.fromEntries(Object.entries(fetched.files).map(([name, { path }]) => [name, path]));
    const rows: unknown[] = [];
    for await (const row of dataset.parse(createDatasetFiles(fetched.version, paths))) rows.push(row);
    return { published_at_ms: fetched.published_at_ms, rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
