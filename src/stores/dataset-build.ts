import { Database } from "bun:sqlite";
import { closeSync, fdatasyncSync, fsyncSync, openSync } from "node:fs";
import type { AnyDataset } from "../catalog/dataset.ts";
import type { DatasetForm, DatasetVersion } from "../catalog/dataset-reader.ts";
import { canonicalJSON } from "../core/hash.ts";
import { createDatasetFiles } from "./dataset-files.ts";
import { createRowEncoder, renderInsert } from "./table-access.ts";
import { type Bound, describeColumns, type RowShape, renderIndexes, renderTable } from "./table-sql.ts";

/** "inkd" in ASCII. */
export const DATASET_APPLICATION_ID = 0x696e6b64;
const BATCH_ROWS = 2_000;
/** Written to disk as it grows: one large sync at the end would hold up the ledger's. */
const SYNC_ROWS = 20_000;

// biome-ignore lint/suspicious/noExplicitAny: datasets of every form.
export const shapeOf = ({ name, columns, key }: DatasetForm<any>): RowShape => ({ name, table: "rows", columns, key });

/** Changes with the declared form: a file of another form is not read. */
// biome-ignore lint/suspicious/noExplicitAny: datasets of every form.
export const describeForm = (definition: DatasetForm<any>): string =>
  canonicalJSON([...describeColumns(shapeOf(definition)), ...(definition.indexes ?? []).map((one) => one.join(" "))]);

export interface BuildOrder {
  readonly version: Omit<DatasetVersion, "rows">;
  /** Paths of the fetched files by name. */
  readonly files: Readonly<Record<string, string>>;
  /** The file to make. */
  readonly out: string;
}

const syncFile = (path: string, sync: (descriptor: number) => void): void => {
  const descriptor = openSync(path, "r+");
  try {
    sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/**
 * Parses the files of a dataset into a new database file that is on disk when this resolves. Runs in a worker.
 * @returns how many rows it has.
 */
export async function buildDataset(definition: AnyDataset, { version, files, out }: BuildOrder): Promise<number> {
  const shape = shapeOf(definition);
  const db = new Database(out, { create: true, strict: true });
  let rows = 0;
  try {
    // Nobody reads it before it is whole: it needs no way back.
    db.run("PRAGMA journal_mode = OFF");
    db.run("PRAGMA synchronous = OFF");
    db.run(`PRAGMA application_id = ${DATASET_APPLICATION_ID}`);
    for (const sql of renderTable(shape, [])) db.run(sql);
    const insert = db.query<unknown, Bound[]>(renderInsert(shape));
    const encode = createRowEncoder(shape);
    db.run("BEGIN");
    for await (const row of definition.parse(createDatasetFiles(version.version, files))) {
      insert.run(...encode(row));
      rows += 1;
      if (rows % BATCH_ROWS !== 0) continue;
      db.run("COMMIT");
      if (rows % SYNC_ROWS === 0) syncFile(out, fdatasyncSync);
      db.run("BEGIN");
    }
    db.run("COMMIT");
    for (const sql of renderIndexes(shape.table, definition.indexes ?? [])) db.run(sql);
    db.run("CREATE TABLE version (form TEXT NOT NULL, body TEXT NOT NULL) STRICT");
    const body = canonicalJSON({ ...version, rows });
    db.query("INSERT INTO version VALUES (?, ?)").run(describeForm(definition), body);
  } finally {
    db.close();
  }
  syncFile(out, fsyncSync);
  return rows;
}
