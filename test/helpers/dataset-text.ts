import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatasetDefinition } from "../../src/catalog/dataset.ts";
import type { Columns, RowOf } from "../../src/catalog/table.ts";
import { createDatasetFiles } from "../../src/stores/dataset-files.ts";

/** The rows a dataset makes of one file. @param name as its `parse` knows the file. */
export async function parseDatasetText<C extends Columns>(
  dataset: DatasetDefinition<C>,
  name: string,
  text: string | Uint8Array,
): Promise<RowOf<C>[]> {
  const folder = mkdtempSync(join(tmpdir(), "intel-node-dataset-"));
  try {
    await Bun.write(join(folder, name), text);
    const rows: RowOf<C>[] = [];
    for await (const row of dataset.parse(createDatasetFiles("1", { [name]: join(folder, name) }))) rows.push(row);
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
