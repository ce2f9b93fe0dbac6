import type { CatalogProduct } from "../catalog/catalog.ts";
import { messageOf } from "../core/errors.ts";
import { type Difference, diffAnswers } from "./diff.ts";
import { makeAgain, type Recipe } from "./recipe.ts";

/**
 * Result of recomputing an answer. `other_code`: it differs, which proves nothing, because other code made the
 * original. `unknown`: this program has no such product.
 */
export type RecheckVerdict = "same" | "differs" | "other_code" | "unknown";

export interface Rechecked {
  readonly verdict: RecheckVerdict;
  /** Whether the recomputation used the same code; null if that is unknown. */
  readonly same_code: boolean | null;
  readonly differences: readonly Difference[];
}

export interface Recheck {
  readonly recipe: Recipe;
  readonly inputs: string;
  readonly body: string;
  readonly code_sha256: string | null;
  /** This program's product for the path in the recipe. */
  readonly product: CatalogProduct | undefined;
  /** Identity of this program's code for that product. */
  readonly own_code: string | null;
}

/** Recomputes an answer and compares it byte for byte. Never throws: a failure counts as a difference with a reason. */
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
