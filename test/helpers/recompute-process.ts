import { readFileSync } from "node:fs";
import { makeAgain, type Recipe } from "../../src/recompute/recipe.ts";
import { PRODUCTS } from "./catalog-world.ts";

/** One sold answer, as `recompute-process.ts` is told. */
export interface SoldAnswer {
  readonly path: string;
  readonly recipe: Recipe;
  readonly inputs: string;
  readonly body: string;
}

/** Makes the sold answers of a file again; prints its time zone, and which of them differ. */
if (import.meta.main) {
  const sold = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as readonly SoldAnswer[];
  const differing = sold.filter(({ path, recipe, inputs, body }) => {
    const product = PRODUCTS.find((one) => one.path === path);
    return product === undefined || makeAgain(product, recipe, inputs) !== body;
  });
  const zone = new Date(Date.UTC(2026, 0, 1)).getTimezoneOffset();
  process.stdout.write(JSON.stringify({ zone, differing: [...new Set(differing.map(({ path }) => path))] }));
}
