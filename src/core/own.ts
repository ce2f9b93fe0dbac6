/**
 * The entry of a table under a name that came from outside: a buyer's, an upstream's, a configuration's. Every object
 * answers to `constructor`, `toString` and `__proto__`, too; those are no entries.
 * @returns undefined where the table has no entry of its own.
 */
export const getOwn = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
