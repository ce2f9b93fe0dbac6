/** Test files that need a process of their own, however short they are: they measure it. */
export const ALONE: ReadonlySet<string> = new Set([
  // The heap after many reloads.
  "test/http/reload.test.ts",
  // The objects that hours of selling leave behind.
  "test/http/footprint.test.ts",
  // What a node has loaded that exports no traces.
  "test/http/traces.test.ts",
]);

/** Test files that share a process although they take long, for they share what took long to make. */
export const TOGETHER: readonly (readonly string[])[] = [
  // A past of every job, and what every product says in it.
  [
    "test/contract/demand.test.ts",
    "test/contract/fault-histories.test.ts",
    "test/contract/faults.test.ts",
    "test/contract/recompute.test.ts",
  ],
];

/** How files are put into processes. */
export interface Dealing {
  /** What a file takes on a quiet machine, ms. */
  readonly quietOf: (file: string) => number;
  /** The most files that share a process, and with it what they import. */
  readonly files_max: number;
  /** What takes longer has a process of its own, ms: next to it what it imports is little. */
  readonly file_ms_max: number;
  /** The longest that files of one process take together, ms. */
  readonly process_ms_max: number;
  /** Files that need a process of their own. */
  readonly alone: ReadonlySet<string>;
  /** Lists of files that share one whatever they take. */
  readonly together: readonly (readonly string[])[];
}

/**
 * Lists of files, each for one process, the slowest lists first. Neighbours by their paths share one, for they import
 * much the same: what a file needs that only starts the binary stays away from those that load the whole program.
 */
export function dealFiles(files: readonly string[], dealing: Dealing): readonly (readonly string[])[] {
  const { quietOf, files_max, file_ms_max, process_ms_max, alone, together } = dealing;
  const sumOf = (list: readonly string[]): number => list.reduce((sum, file) => sum + quietOf(file), 0);
  const asked = new Set(files);
  const lists = together.map((list) => list.filter((file) => asked.has(file))).filter(({ length }) => length > 0);
  const listed = new Set(lists.flat());
  let open: string[] = [];
  for (const file of files.filter((one) => !listed.has(one)).toSorted()) {
    if (alone.has(file) || quietOf(file) > file_ms_max) {
      lists.push([file]);
      continue;
    }
    if (open.length === 0 || open.length === files_max || sumOf(open) + quietOf(file) > process_ms_max) {
      open = [];
      lists.push(open);
    }
    open.push(file);
  }
  return lists.toSorted((a, b) => sumOf(b) - sumOf(a));
}
