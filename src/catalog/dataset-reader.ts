import type { Source } from "./source.ts";
import type { Columns, RowReader } from "./table.ts";

/** What is stored of a dataset. */
export interface DatasetVersion {
  /** As its publisher names it, such as a date. */
  readonly version: string;
  /** When its publisher says it was made, ms; null when he does not. */
  readonly published_at_ms: number | null;
  readonly taken_at_ms: number;
  readonly rows: number;
  /** Of all files together. */
  readonly bytes: number;
  /** Where it came from; named in the `sources[]` of every answer made of it. */
  readonly sources: readonly Source[];
}

/** The newest whole version, to read. */
export interface DatasetReader<Row> extends RowReader<Row>, DatasetVersion {}

/** What of a dataset its readers rely on. */
export interface DatasetForm<C extends Columns = Columns> {
  /** `<plugin>/<name>`, kebab-case. */
  readonly name: string;
  readonly columns: C;
  /** No two rows are equal in all of these; a file in which two are is refused. */
  readonly key?: readonly (keyof C & string)[];
  readonly indexes?: readonly (readonly (keyof C & string)[])[];
  /** An older version is not read any more, such as "7d". Default: as old as it is. */
  readonly max_age?: string;
}
