import type { Static, TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { ValueErrorIterator } from "@sinclair/typebox/errors";

/** Checks values against one schema at the speed of compiled code. */
export interface SchemaCheck<S extends TSchema = TSchema> {
  Check(value: unknown): value is Static<S>;
  Errors(value: unknown): ValueErrorIterator;
}

/** One for each schema object, however many ask for it. */
const known = new WeakMap<TSchema, SchemaCheck>();

/**
 * A compiled check of a schema, compiled with the first value it is given: that costs about a millisecond, a node knows
 * hundreds of schemas, and it has to answer at once.
 */
export function compileSchema<S extends TSchema>(schema: S): SchemaCheck<S> {
  const found = known.get(schema);
  // Kept under the very schema its type was made of.
  if (found) return found as SchemaCheck<S>;
  let compiled: SchemaCheck<S> | undefined;
  const compile = (): SchemaCheck<S> => {
    compiled ??= TypeCompiler.Compile(schema);
    return compiled;
  };
  const check: SchemaCheck<S> = {
    Check: (value): value is Static<S> => (compiled ?? compile()).Check(value),
    Errors: (value) => (compiled ?? compile()).Errors(value),
  };
  known.set(schema, check);
  return check;
}
