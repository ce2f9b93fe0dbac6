import { Readable } from "node:stream";
import { parse } from "csv-parse";
import type { CSVOptions } from "../catalog/dataset.ts";

export type CSVRecord = Readonly<Record<string, string>>;

const RECORD_CHARS_MAX = 1_000_000;

/**
 * The cells of one line in which every quoted cell is quoted as a whole and holds no quote itself; null for any other
 * line, which the library has to read.
 */
function splitPlainLine(line: string, delimiter: string): readonly string[] | null {
  if (!line.includes('"')) return line.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; ; ) {
    const is_quoted = line[at] === '"';
    const end = is_quoted ? line.indexOf('"', at + 1) : line.indexOf(delimiter, at);
    if (is_quoted && end < 0) return null;
    const cell = line.slice(is_quoted ? at + 1 : at, end < 0 ? undefined : end);
    if (!is_quoted && cell.includes('"')) return null;
    cells.push(cell);
    const next = is_quoted ? end + 1 : end;
    if (next < 0 || next === line.length) return cells;
    if (line[next] !== delimiter) return null;
    at = next + 1;
  }
}

async function* chain(first: string, rest: AsyncIterator<string>): AsyncIterable<string> {
  yield first;
  for (let part = await rest.next(); !part.done; part = await rest.next()) yield part.value;
}

/** What the lines before told. */
interface CSVForm {
  readonly columns: readonly string[] | null;
  readonly line_end: "\n" | "\r\n" | null;
}

/** Everything from here on, by the library. */
async function* parseByLibrary(
  text: AsyncIterable<string>,
  { delimiter = ",", strict = true }: CSVOptions,
  { columns, line_end }: CSVForm,
): AsyncIterable<CSVRecord> {
  const parser = parse({
    delimiter,
    ...(line_end === null ? {} : { record_delimiter: line_end }),
    columns: columns ? [...columns] : true,
    bom: true,
    skip_empty_lines: true,
    relax_quotes: !strict,
    relax_column_count: !strict,
    max_record_size: RECORD_CHARS_MAX,
  });
  const stream = Readable.from(text);
  stream.on("error", (error) => parser.destroy(error));
  stream.pipe(parser);
  try {
    for await (const record of parser) yield record;
  } finally {
    stream.destroy();
  }
}

function toRecord(columns: readonly string[], cells: readonly string[]): CSVRecord {
  const record: Record<string, string> = {};
  for (let index = 0; index < columns.length; index += 1) {
    const [name, cell] = [columns[index], cells[index]];
    if (name !== undefined && cell !== undefined) record[name] = cell;
  }
  return record;
}

/**
 * The records of a CSV text by column. Plain lines, which publishers' files of many megabytes consist of, are split
 * here, several times faster; from the first line on that is not plain csv-parse reads the rest.
 * @throws Error for a record that is too long, or in strict mode has more or fewer cells than there are columns.
 */
export async function* parseCSVText(text: AsyncIterable<string>, options: CSVOptions): AsyncIterable<CSVRecord> {
  const { delimiter = ",", strict = true } = options;
  const parts = text[Symbol.asyncIterator]();
  let columns: readonly string[] | null = options.columns ?? null;
  let line_end: CSVForm["line_end"] = null;
  let carry = "";
  try {
    for (let [is_first, is_last] = [true, false]; !is_last; is_first = false) {
      const part = await parts.next();
      is_last = part.done === true;
      const added = part.done === true ? "" : part.value;
      const lines = `${carry}${is_first ? added.replace(/^\uFEFF/, "") : added}`.split("\n");
      // The last one goes on in the next part, unless it was the last part.
      carry = is_last ? "" : (lines.pop() ?? "");
      const whole = is_last ? lines.length - 1 : lines.length;
      for (let index = 0; index < lines.length; index += 1) {
        const raw = lines[index] ?? "";
        const has_return = raw.endsWith("\r");
        if (index < whole) line_end ??= has_return ? "\r\n" : "\n";
        const line = has_return && line_end === "\r\n" ? raw.slice(0, -1) : raw;
        const is_odd = line.includes("\r") || (index < whole && has_return !== (line_end === "\r\n"));
        if (line === "" && !is_odd) continue;
        const cells = is_odd ? null : splitPlainLine(line, delimiter);
        // In strict mode a wrong number of cells is the library's to refuse.
        if (cells === null || (strict && columns && cells.length !== columns.length)) {
          const rest = [...lines.slice(index), ...(is_last ? [] : [carry])].join("\n");
          yield* parseByLibrary(chain(rest, parts), options, { columns, line_end });
          return;
        }
        if (columns) yield toRecord(columns, cells);
        else columns = cells;
      }
      if (carry.length > RECORD_CHARS_MAX) {
        yield* parseByLibrary(chain(carry, parts), options, { columns, line_end });
        return;
      }
    }
  } finally {
    await parts.return?.();
  }
}
