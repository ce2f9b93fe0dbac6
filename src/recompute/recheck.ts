import type { CatalogProduct } from "../catalog/catalog.ts";
import { messageOf } from "../core/errors.ts";
import { type Difference, diffAnswers } from "./diff.ts";
import { makeAgain, type Recipe } from "./recipe.ts";

/**
 * What became of making an answer again. `other_code`: it differs, and other code made it, so that says nothing;
 * `unknown`: this program has no such product.
 */
export type RecheckVerdict = "same" | "differs" | "other_code" | "unknown";

export interface Rechecked {
  readonly verdict: RecheckVerdict;
  /** Whether the very code that made it made it again; null where that cannot be told. */
  readonly same_code: boolean | null;
  readonly differences: readonly Difference[];
}

export interface Recheck {
  readonly recipe: Recipe;
  readonly inputs: string;
  readonly body: string;
  readonly code_sha256: string | null;
  /** The product of the recipe's path in this program. */
  readonly product: CatalogProduct | undefined;
  /** Identity of this program's code of that product. */
  readonly own_code: string | null;
}

/** Makes an answer again and compares it byte for byte. Never throws: what cannot be made differs, and says why. */
export function recheck({ recipe, inputs, body, code_sha256, product, own_code }: Recheck): Rechecked {
  if (product === undefined) return { verdict: "unknown", same_code: null, differences: [] };
  const same_code = code_sha256 === null || own_code === null ? null : code_sha256 === own_code;
  const differences = listDifferences(product, { recipe, inputs, body });
  if (differences.length === 0) return { verdict: "same", same_code, differences };
  return { verdict: same_code === false ? "other_code" : "differs", same_code, differences };
}

function listDifferences(
  product: CatalogProduct,
  { recipe, inputs, body }: Pick<Recheck, "recipe" | "inputs" | "body">,
) {
  try {
    return diffAnswers(body, makeAgain(product, recipe, inputs));
  } catch (error) {
    return [{ path: "(it could not be made)", expected: null, got: messageOf(error) }];
  }
}
