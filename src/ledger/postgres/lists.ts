/** Lists as PostgreSQL notes them: it reads them at once, where JSON is taken apart piece by piece. */

/** A text inside a list. */
export const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** @example renderList([1n, 2n], String) // "{1,2}" */
export const renderList = <T>(parts: Iterable<T>, render: (part: T) => string | number | bigint | null): string =>
  `{${Array.from(parts, (part) => render(part) ?? "NULL").join(",")}}`;

/** A list of numbers. @example parseList("{1,2}") // ["1", "2"] */
export const parseList = (text: string): readonly string[] => (text === "{}" ? [] : text.slice(1, -1).split(","));
