import { findNetwork } from "../networks/find.ts";
import type { ChainName } from "../networks/names.ts";
import { createParam, type ParamOptions, type StandardParam } from "./parameter.ts";

/** A chain by the name it has here; src/networks knows what else each is called. */
export type Chain = ChainName;

export interface ChainParamOptions<C extends Chain> extends ParamOptions {
  readonly allowed: readonly C[];
}

/** A chain by its name. */
export function chainParam<C extends Chain>(options: ChainParamOptions<C>): StandardParam<C> {
  const { allowed } = options;
  return createParam<C>({
    name: "chain",
    ...options,
    forms: "Case does not matter; short names (eth) and CAIP-2 ids are understood.",
    chars_max: 60,
    read: (text) => allowed.find((chain) => chain === findNetwork(text)?.name) ?? null,
    wants: `must be one of ${allowed.join(", ")}`,
    allowed,
  });
}
