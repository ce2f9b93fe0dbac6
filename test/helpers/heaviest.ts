import type { TSchema } from "@sinclair/typebox";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import type { ParsedParams } from "../../src/catalog/params.ts";
import { isNodeError } from "../../src/core/errors.ts";

export type Params = Readonly<Record<string, unknown>>;

/** The most of each number, every flag set; with it each value of each choice. A floor keeps least out at its least. */
function* listAsked({ definition }: CatalogProduct): Generator<Params> {
  const { properties } = definition.params as { readonly properties: Readonly<Record<string, TSchema>> };
  const most: Record<string, unknown> = { ...definition.example.params };
  for (const [name, { type, minimum, maximum }] of Object.entries(properties)) {
    const dearest: unknown = name.startsWith("min_") ? minimum : maximum;
    if ((type === "integer" || type === "number") && typeof dearest === "number") most[name] = dearest;
    if (type === "boolean") most[name] = true;
  }
  yield definition.example.params as Params;
  yield most;
  for (const [name, schema] of Object.entries(properties)) {
    const choices = (schema.anyOf ?? []) as readonly { readonly const?: unknown }[];
    for (const { const: choice } of choices) if (choice !== undefined) yield { ...most, [name]: choice };
  }
}

/** The calls of a product that cost its node most, as far as its parameters say what is more. */
export const listHeaviest = (product: CatalogProduct): readonly ParsedParams[] =>
  listHeaviestCalls(product).map(({ parsed }) => parsed);

/** The same as a buyer sends them; the example comes first. */
export const listHeaviestCalls = (
  product: CatalogProduct,
): readonly { readonly asked: Params; readonly parsed: ParsedParams }[] =>
  [...listAsked(product)].flatMap((asked) => {
    try {
      return [{ asked, parsed: product.params.fromBody(asked) }];
    } catch (error) {
      // Not every choice goes with every other.
      if (isNodeError(error)) return [];
      throw error;
    }
  });
