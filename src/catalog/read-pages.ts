import type { FetchContext } from "./context.ts";
import type { RowQuery, RowReader, Where } from "./table.ts";

export interface PagesQuery<Row> {
  /**
   * Other columns, each equal to a value. An index must begin with them and go on with `by`, or else each page sorts
   * all rows they match.
   */
  readonly where?: Where<Row>;
  /** A column of whole numbers, such as a time or a block. At most 10,000 rows may share a value. */
  readonly by: keyof Row & string;
  /** Least value of it; default: all. */
  readonly from?: number;
  /** Greatest value of it; default: all. */
  readonly to?: number;
  /** How rows of one value are sorted, as in `RowQuery`. */
  readonly then_by?: RowQuery<Row>["order"];
}

/** Rows that are read in one turn of the thread: some 4 ms of a slow machine's time. */
export const PAGE_ROWS = 1_000;
const PAGE_ROWS_MAX = 10_000;

/**
 * Rows of a table from the greatest value of a column down, a page at a time, each in its own turn: other calls are
 * served between two pages. Rows of one value are never split between pages.
 * @example for await (const page of readPages(context, context.table(transfers), { by: "at_ms" })) visit(page);
 */
export async function* readPages<Row extends object>(
  { inTurn }: Pick<FetchContext, "inTurn">,
  reader: RowReader<Row>,
  { where, by, from, to, then_by = [] }: PagesQuery<Row>,
): AsyncGenerator<readonly Row[]> {
  const order = [`-${by}`, ...then_by] as RowQuery<Row>["order"] & object;
  let [newest, limit]: [number | undefined, number] = [to, PAGE_ROWS];
  for (;;) {
    // A bound that is not needed would make SQLite prefer another index.
    const bounds = { ...where, [by]: { from, to: newest } } as Where<Row>;
    const read = await inTurn(() => reader.find({ where: bounds, order, limit }));
    const last = read.at(-1);
    if (!last) return;
    if (read.length < limit) return yield read;
    const oldest = Number(last[by]);
    const whole = read.filter((row) => Number(row[by]) > oldest);
    // The last value may go on: it begins the next page. One value alone may fill a page.
    if (whole.length > 0) yield whole;
    else if (limit === PAGE_ROWS_MAX) yield read;
    newest = whole.length > 0 || limit < PAGE_ROWS_MAX ? oldest : oldest - 1;
    limit = whole.length > 0 ? PAGE_ROWS : Math.min(2 * limit, PAGE_ROWS_MAX);
  }
}

/** The newest rows by a column, as `readPages` reads them; `is_cut`: whether there are more than `rows_max`. */
export async function readNewest<Row extends object>(
  context: Pick<FetchContext, "inTurn">,
  reader: RowReader<Row>,
  query: PagesQuery<Row> & { readonly rows_max: number },
): Promise<{ readonly rows: readonly Row[]; readonly is_cut: boolean }> {
  const rows: Row[] = [];
  for await (const page of readPages(context, reader, query)) {
    const room = query.rows_max - rows.length;
    for (const row of page.slice(0, room)) rows.push(row);
    if (page.length > room) return { rows, is_cut: true };
  }
  return { rows, is_cut: false };
}
