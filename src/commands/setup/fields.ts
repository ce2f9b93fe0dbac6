import type { ProviderDefinition } from "../../catalog/provider.ts";
import type { SetupField, SetupStep } from "../../pages/setup/fields.ts";
import { SETUP_FIELDS } from "../../pages/setup/fields.ts";

/** The products and providers of the node, for which the form asks prices and keys. */
export interface Sellable {
  readonly products: readonly { readonly path: string; readonly price_usd: string }[];
  /** Providers that take a key, in the order of their ids. */
  readonly providers: readonly Pick<ProviderDefinition, "id" | "title" | "docs_url" | "key">[];
}

export const PRICE = "price:";
export const PROVIDER_KEY = "key:";

/** All fields of a step, including those for this node's own products and providers. */
export function fieldsOf(step: SetupStep, { products, providers }: Sellable): readonly SetupField[] {
  if (step === "prices") {
    return products.map(({ path, price_usd }) => ({
      name: `${PRICE}${path}`,
      key: `prices.${path}`,
      label: path,
      example: price_usd,
      kind: "text" as const,
    }));
  }
  if (step === "keys") {
    return providers.map(({ id, title, docs_url, key }) => ({
      name: `${PROVIDER_KEY}${id}`,
      key: `providers.${id}.api_key`,
      label: title,
      kind: "password" as const,
      docs_url,
      ...(key?.required ? { is_needed: true as const } : {}),
    }));
  }
  return SETUP_FIELDS[step];
}
