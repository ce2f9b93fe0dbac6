import { type Computed, settleComputed } from "../../src/catalog/computed.ts";
import type { Draft } from "../../src/core/missing.ts";

/** What a `compute` function made, with null and a warning for each missing figure, as the node would sell it. */
export const settled = <D>(computed: Computed<Draft<D>>): Computed<D> => settleComputed(computed) as Computed<D>;
