import type { Static, TSchema } from "@sinclair/typebox";
import { type Computed, settleComputed } from "../../src/catalog/computed.ts";
import { roundAs } from "../../src/catalog/round-data.ts";
import type { Draft } from "../../src/core/missing.ts";

/** What a `compute` function made, with null and a warning for each missing figure, as the node would sell it. */
export const settled = <D>(computed: Computed<Draft<D>>): Computed<D> => settleComputed(computed) as Computed<D>;

/** A `compute` function that gives what the node would sell: rounded by its schema, with null for what is missing. */
export function asSold<A extends readonly unknown[], S extends TSchema>(
  schema: S,
  compute: (...given: A) => Computed<unknown>,
): (...given: A) => Computed<Static<S>> {
  const round = roundAs(schema);
  return (...given) => {
    const computed = settleComputed(compute(...given));
    return { ...computed, data: round(computed.data) as Static<S> };
  };
}
