/** The same functions, each of which answers with a promise: what asks them need not know where the books are kept. */
export type Promised<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;
};

/**
 * Functions that answer at once, as functions that promise to. What they throw becomes a rejection.
 * `queries` is a plain object of functions.
 */
export function promised<T extends object>(queries: T): Promised<T> {
  const wrapped: Record<string, unknown> = {};
  for (const [name, query] of Object.entries(queries) as [string, (...args: readonly unknown[]) => unknown][]) {
    wrapped[name] = async (...args: readonly unknown[]) => query(...args);
  }
  return wrapped as Promised<T>;
}
