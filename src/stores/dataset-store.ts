import { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { AnyDataset } from "../catalog/dataset.ts";
import type { DatasetForm, DatasetReader, DatasetVersion } from "../catalog/dataset-reader.ts";
import type { Columns, RowOf } from "../catalog/table.ts";
import { parseDuration } from "../core/duration.ts";
import { NodeError } from "../core/errors.ts";
import { DATASET_APPLICATION_ID, describeForm, shapeOf } from "./dataset-build.ts";
import { StoreError } from "./store-error.ts";
import { createRowReader } from "./table-access.ts";

// biome-ignore lint/suspicious/noExplicitAny: the store holds datasets of every form; open() gives each its own back.
type AnyForm = DatasetForm<any>;

/** Whole versions of datasets, one file each; the highest number is the newest. */
export interface DatasetStore {
  /** Registers a dataset and opens its newest version, if there is one of its present form. */
  add(plugin_id: string, dataset: AnyDataset): void;
  /** Whether this very declaration was taken in before. */
  knows(dataset: AnyDataset): boolean;
  /** @throws NodeError upstream_unavailable when there is no version, or none young enough. */
  open<C extends Columns>(dataset: DatasetForm<C>, now_ms: number): DatasetReader<RowOf<C>>;
  current(dataset: AnyDataset): DatasetVersion | null;
  /** An empty folder for what is fetched and built; whatever an earlier run left in it is gone. */
  prepare(dataset: AnyDataset): string;
  /** Makes a built file the newest version, at once and for good. */
  accept(dataset: AnyDataset, built: string): DatasetVersion;
  close(): void;
}

interface OpenVersion {
  readonly db: Database;
  readonly file: string;
  readonly version: DatasetVersion;
}

interface Entry {
  readonly dataset: AnyDataset;
  newest: OpenVersion | null;
  /** Calls that began before the swap may still be reading it. */
  before: OpenVersion | null;
}

const NAME = /^[a-z][a-z0-9-]{0,39}\/[a-z][a-z0-9-]{0,59}$/;

const Version = Type.Object({
  version: Type.String(),
  published_at_ms: Type.Union([Type.Integer(), Type.Null()]),
  taken_at_ms: Type.Integer(),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  sources: Type.Array(
    Type.Object({
      provider: Type.String(),
      url: Type.String(),
      fetched_at: Type.String(),
      ok: Type.Boolean(),
      simulated: Type.Optional(Type.Literal(true)),
      error: Type.Optional(Type.String()),
      attribution: Type.Optional(Type.Object({ text: Type.String(), url: Type.String() })),
    }),
  ),
});

/** Null when the file is not a whole version of the dataset's present form. */
function openVersion(file: string, dataset: AnyDataset): OpenVersion | null {
  const db = new Database(file, { readonly: true, strict: true });
  try {
    const id = Object.values(db.query<Record<string, unknown>, []>("PRAGMA application_id").get() ?? {})[0];
    if (id !== DATASET_APPLICATION_ID) throw new StoreError("it is no dataset");
    const row = db.query<{ form: string; body: string }, []>("SELECT form, body FROM version").get();
    if (row?.form !== describeForm(dataset)) throw new StoreError("it has another form");
    return { db, file, version: Value.Decode(Version, JSON.parse(row.body)) };
  } catch {
    // Of no use, whatever is wrong with it: it can be fetched again.
    db.close();
    return null;
  }
}

function syncFolder(path: string): void {
  // Windows has no way to sync a folder, and keeps names itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** @throws StoreError naming the fault of a declaration. */
function assertSound(plugin_id: string, { name, rows_min_ratio = 0, columns, key, indexes = [] }: AnyDataset): void {
  const fault = (why: string): never => {
    throw new StoreError(`dataset "${name}": ${why}`);
  };
  if (!NAME.test(name) || !name.startsWith(`${plugin_id}/`)) fault(`its name must be "${plugin_id}/<kebab-case>"`);
  if (!(rows_min_ratio >= 0 && rows_min_ratio <= 1)) fault("rows_min_ratio must be 0 to 1");
  const unknown = [...(key ?? []), ...indexes.flat()].find((one: string) => columns[one] === undefined);
  if (unknown !== undefined) fault(`it has no column "${unknown}"`);
}

/** Keeps the datasets of a node in one folder. */
export function openDatasetStore(folder: string): DatasetStore {
  const entries = new Map<AnyForm, Entry>();
  const baseOf = ({ name }: AnyDataset): string => name.replace("/", "--");

  /** Numbers of a dataset's whole versions, the newest first. */
  const listNumbers = (dataset: AnyDataset): readonly number[] => {
    const form = new RegExp(`^${baseOf(dataset)}\\.(\\d{1,12})\\.db$`);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .flatMap((name) => Number(form.exec(name)?.[1] ?? Number.NaN))
      .filter(Number.isInteger)
      .sort((a, b) => b - a);
  };
  const fileOf = (dataset: AnyDataset, number: number): string => join(folder, `${baseOf(dataset)}.${number}.db`);

  const find = (dataset: AnyForm): Entry => {
    const entry = entries.get(dataset);
    if (!entry) throw new StoreError(`dataset "${dataset.name}" is in no plugin's list of datasets`);
    return entry;
  };
  const drop = (version: OpenVersion | null): void => {
    if (!version) return;
    version.db.close();
    rmSync(version.file, { force: true });
  };

  return {
    knows: (dataset) => entries.has(dataset),
    add(plugin_id, dataset) {
      assertSound(plugin_id, dataset);
      if ([...entries.keys()].some(({ name }) => name === dataset.name)) {
        throw new StoreError(`dataset "${dataset.name}" is declared twice`);
      }
      let newest: OpenVersion | null = null;
      for (const number of listNumbers(dataset)) {
        const file = fileOf(dataset, number);
        if (newest === null) newest = openVersion(file, dataset);
        else rmSync(file, { force: true });
      }
      entries.set(dataset, { dataset, newest, before: null });
    },
    open<C extends Columns>(dataset: DatasetForm<C>, now_ms: number): DatasetReader<RowOf<C>> {
      const { newest } = find(dataset);
      const refuse = (why: string) => {
        throw new NodeError("upstream_unavailable", `${dataset.name}: ${why}. Nothing was charged.`, {
          retry_after_s: 60,
        });
      };
      if (!newest) return refuse("no version was taken in yet") as never;
      const { published_at_ms, taken_at_ms } = newest.version;
      const age_ms = now_ms - (published_at_ms ?? taken_at_ms);
      if (dataset.max_age !== undefined && age_ms > parseDuration(dataset.max_age)) {
        return refuse(`the newest version is ${Math.floor(age_ms / 3_600_000)} h old`) as never;
      }
      return { ...newest.version, ...createRowReader<C>(newest.db, shapeOf(dataset)) };
    },
    current: (dataset) => find(dataset).newest?.version ?? null,
    prepare(dataset) {
      const work = join(folder, `${baseOf(dataset)}.incoming`);
      rmSync(work, { recursive: true, force: true });
      mkdirSync(work, { recursive: true, mode: 0o700 });
      return work;
    },
    accept(dataset, built) {
      const entry = find(dataset);
      const number = (listNumbers(dataset)[0] ?? 0) + 1;
      const file = fileOf(dataset, number);
      // The file is whole and on disk: from here on a start finds it, before it finds the old one.
      renameSync(built, file);
      syncFolder(folder);
      const opened = openVersion(file, dataset);
      if (!opened) {
        rmSync(file, { force: true });
        throw new StoreError(`dataset "${dataset.name}": what was built cannot be read`);
      }
      drop(entry.before);
      entry.before = entry.newest;
      entry.newest = opened;
      return opened.version;
    },
    close() {
      for (const { newest, before } of entries.values()) {
        newest?.db.close();
        before?.db.close();
      }
    },
  };
}
