/** Lists as PostgreSQL notes them: it reads them at once, where JSON is taken apart piece by piece. */

/** A text that needs no quoting in a list. */
const PLAIN = /^(?!null$)[\w:.-]+$/i;

/** A text inside a list: in quotes when it needs them. */
export const quote = (text: string): string => (PLAIN.test(text) ? text : `"${text.replace(/["\\]/g, "\\$&")}"`);

/** @example renderList([1n, 2n]) // "{1,2}" */
export const renderList = (parts: Iterable<string | number | bigint | null>): string =>
  `{${Array.from(parts, (part) => part ?? "NULL").join(",")}}`;

/**
 * One value of each row. When all rows have the same, as most batches have one kind of transfer, it is named once.
 * @example renderColumn([{ n: 1 }, { n: 1 }], ({ n }) => n) // "{1}"
 */
export function renderColumn<T>(rows: readonly T[], pick: (row: T) => string | number | bigint): string {
  const [first, ...others] = rows;
  if (first === undefined) return "{}";
  let value = pick(first);
  let text = renderValue(value);
  let all = text;
  let is_same = true;
  for (const row of others) {
    const next = pick(row);
    if (next !== value) {
      is_same = false;
      value = next;
      text = renderValue(value);
    }
    all += `,${text}`;
  }
  return is_same ? `{${text}}` : `{${all}}`;
}

const renderValue = (value: string | number | bigint): string =>
  typeof value === "string" ? quote(value) : value.toString();

/** A list of numbers. @example parseList("{1,2}") // ["1", "2"] */
export const parseList = (text: string): readonly string[] => (text === "{}" ? [] : text.slice(1, -1).split(","));
