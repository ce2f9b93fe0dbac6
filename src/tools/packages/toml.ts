/** The supported values of a TOML document. In a table, values come before inner tables. */
export type Toml = string | number | boolean | readonly string[] | { readonly [name: string]: Toml };

type Table = { readonly [name: string]: Toml };
const isTable = (value: Toml): value is Table => typeof value === "object" && !Array.isArray(value);
const BARE = /^[A-Za-z0-9_-]+$/;
const nameOf = (name: string): string => (BARE.test(name) ? name : JSON.stringify(name));
// A JSON string is a valid basic string of TOML.
const renderValue = (value: Toml): string => JSON.stringify(value);

function linesOf(table: Table, path: readonly string[]): readonly string[] {
  const entries = Object.entries(table);
  const values = entries.filter(([, value]) => !isTable(value));
  const head = path.length === 0 || (values.length === 0 && entries.length > 0) ? [] : ["", `[${path.join(".")}]`];
  return [
    ...head,
    ...values.map(([name, value]) => `${nameOf(name)} = ${renderValue(value)}`),
    ...entries.flatMap(([name, value]) => (isTable(value) ? linesOf(value, [...path, nameOf(name)]) : [])),
  ];
}

/** Renders a document of TOML 1.0. */
export const renderTOML = (document: Table): string => `${linesOf(document, []).join("\n")}\n`;
