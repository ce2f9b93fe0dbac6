import type { MadeAnswer, OriginKeeper } from "../../src/catalog/runner.ts";
import { encodeInputs, hashInputs } from "../../src/recompute/inputs-text.ts";
import { describeMade, type Recipe } from "../../src/recompute/recipe.ts";

/** An answer and what it was made of. */
export interface KeptOrigin {
  readonly made: MadeAnswer;
  readonly recipe: Recipe;
  readonly inputs: string;
}

/** Keeps in memory what a real node keeps in a file; what cannot be kept is thrown. */
export function createKeptOrigins(): OriginKeeper & { readonly kept: KeptOrigin[] } {
  const kept: KeptOrigin[] = [];
  const texts = new Map<string, string>();
  return {
    kept,
    async write(_, inputs) {
      const text = encodeInputs(inputs);
      const sha256 = hashInputs(text);
      texts.set(sha256, text);
      return { text, sha256 };
    },
    note(made) {
      const recipe = describeMade(made, { node_id: "test", sandbox: true, version: "0.0.0-test" });
      kept.push({ made, recipe, inputs: texts.get(recipe.inputs_sha256) ?? "" });
    },
  };
}
