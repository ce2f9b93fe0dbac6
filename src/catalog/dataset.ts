import type { JobContext } from "./context.ts";
import type { DatasetForm, DatasetVersion } from "./dataset-reader.ts";
import { declare } from "./definition-site.ts";
import type { ProviderDefinition } from "./provider.ts";
import type { DownloadRequest, Validators } from "./request.ts";
import type { Columns, RowOf } from "./table.ts";

/** A file that was fetched. */
export interface FetchedFile extends Validators {
  /** On this machine, for as long as the dataset is being taken in. */
  readonly path: string;
  /** After unpacking. */
  readonly bytes: number;
  /** Hex, of the body as it came. */
  readonly sha256: string;
}

/** A file to fetch. `body_bytes_max` and the caps of `unpack` say how large it may be. */
export interface FileRequest extends Omit<DownloadRequest, "to" | "known"> {
  /** Fewer bytes are refused, such as an error page. */
  readonly bytes_min?: number;
  /** The digest its publisher states, hex; any other content is refused. */
  readonly sha256?: string;
}

/** What `fetch` of a dataset may use. */
export interface DatasetFetch extends JobContext {
  /** The stored version; null before the first. */
  readonly current: DatasetVersion | null;
  /** Streams a file to disk. @throws UpstreamError when it cannot be had whole, or is refused. */
  fetchFile(provider: ProviderDefinition, request: FileRequest): Promise<FetchedFile>;
}

/** What `fetch` found. */
export interface FetchedDataset {
  readonly version: string;
  readonly published_at_ms: number | null;
  /** By the names `parse` knows them by. */
  readonly files: Readonly<Record<string, FetchedFile>>;
}

export interface DatasetTextOptions {
  /** Default "utf-8"; bytes that are no text in it end the reading. "latin1" is Windows-1252, as publishers mean it. */
  readonly charset?: "utf-8" | "latin1" | "utf-16";
}

export interface CSVOptions extends DatasetTextOptions {
  /** Default ",". */
  readonly delimiter?: string;
  /** Names of the columns where the file has no first line that names them. */
  readonly columns?: readonly string[];
  /** Default true: a quote that is not closed, or a line with too few or too many fields, ends the reading. */
  readonly strict?: boolean;
}

/** An element of an XML file with all it holds. Names are as written, prefixes included. */
export interface XMLElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XMLElement[];
  /** All text in it, not that of its children. */
  readonly text: string;
}

/** Reads fetched files, in the worker, without holding more of them than needed. */
export interface DatasetFiles {
  readonly version: string;
  /** Whole text, for files that are no larger than memory likes. */
  text(name: string, options?: DatasetTextOptions): Promise<string>;
  json(name: string, options?: DatasetTextOptions): Promise<unknown>;
  /** One record per line, by the names of its columns. */
  csv(name: string, options?: CSVOptions): AsyncIterable<Readonly<Record<string, string>>>;
  /** Every element of that name, at any depth; not those inside another one. */
  xml(name: string, element: string, options?: DatasetTextOptions): AsyncIterable<XMLElement>;
}

/**
 * A bulk file (a list, a register, an archive) as rows to look things up in. It is fetched by a job, checked, parsed in
 * a worker, and takes the place of the version before only when it is whole.
 */
export interface DatasetDefinition<C extends Columns = Columns> extends DatasetForm<C> {
  /** When to look for a new version: cron pattern, UTC. */
  readonly schedule: string;
  /** Upstreams `fetch` uses; it does not run while all of them are unusable. */
  readonly providers: readonly ProviderDefinition[];
  /** Time limit of one taking in, from the first byte to the swap. */
  readonly deadline_ms: number;
  /** Fewer rows than this share of the last version are refused: lists do not lose a fifth overnight. Default 0.8. */
  readonly rows_min_ratio?: number;
  /** Fewer rows than this are refused, also for the first version. Default 1. */
  readonly rows_min?: number;
  /**
   * Downloads the current version; null when it is no newer than `current`.
   * @throws Error to refuse it, such as when its publisher calls it preliminary.
   */
  fetch(context: DatasetFetch): Promise<FetchedDataset | null>;
  /** Turns its files into rows. Runs in its own worker: it sees its files and nothing of the node. */
  parse(files: DatasetFiles): AsyncIterable<RowOf<C>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of datasets holds different ones; each use names its own.
export type AnyDataset = DatasetDefinition<any>;

/** Declares a dataset; only fixes the types. Name it in the plugin's `datasets`. */
export function defineDataset<const C extends Columns>(definition: DatasetDefinition<C>): DatasetDefinition<C> {
  return declare(definition);
}
