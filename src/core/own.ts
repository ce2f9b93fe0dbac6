/**
 * The entry of a table under a name that came from outside: a buyer's, an upstream's, a configuration's. Every object
 * also answers to `constructor`, `toString` and `__proto__`; those are not entries.
 * @returns undefined when the table itself has no such entry.
 */
export const getOwn = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
