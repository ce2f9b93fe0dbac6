import type { Catalog } from "./catalog.ts";
import { listSoldValues } from "./offered-product.ts";
import { createOffering, type OfferingOptions } from "./offering.ts";
import type { ProviderDefinition } from "./provider.ts";
import { toWhyWithheld } from "./why-withheld.ts";

/** A provider that the configuration does not allow, and what allowing it would bring. */
export interface UnusedProvider {
  readonly provider: string;
  /** Names the key to set. */
  readonly why: string;
  /** Products, and values of parameters, that would be sold with this provider alone: "/world-quote?market=TSE". */
  readonly turns_on: readonly string[];
  /** Products that would read it as one more source, in failover or beside the others. */
  readonly read_by: readonly string[];
  /** Jobs that would read it, as <plugin>/<job>. */
  readonly jobs: readonly string[];
}

/** What each missing key, licence or switch would add, by provider id; empty when every provider may be used. */
export function listUnusedProviders(
  { plugins, providers }: Pick<Catalog, "plugins" | "providers">,
  { whyNot, config }: OfferingOptions,
): readonly UnusedProvider[] {
  const valuesSold = (also: string | null) => {
    const node = createOffering({ whyNot: (one, chain) => (one.id === also ? null : whyNot(one, chain)), config });
    return products.flatMap((product) => listSoldValues(product, node));
  };
  const products = plugins.flatMap((plugin) => plugin.products.map(({ product }) => product));
  const jobs = plugins.flatMap((plugin) => plugin.jobs.map((job) => ({ ...job, id: `${plugin.id}/${job.id}` })));
  return providers.flatMap((provider): UnusedProvider | readonly [] => {
    const why = whyNot(provider);
    if (why === null) return [];
    const isUsable = (one: ProviderDefinition) => whyNot(one) === null;
    const isOnSale = (groups: readonly (readonly ProviderDefinition[])[], also: string | null) =>
      groups.every((group) => group.length === 0 || group.some((one) => isUsable(one) || one.id === also));
    const readers = products.filter((product) =>
      product.providers.some((one: ProviderDefinition) => one.id === provider.id),
    );
    const now = new Set(valuesSold(null));
    const values = valuesSold(provider.id).filter((value) => !now.has(value));
    const would_sell = readers.filter(({ requires }) => !isOnSale(requires, null) && isOnSale(requires, provider.id));
    const sold = readers.filter(({ requires }) => isOnSale(requires, null));
    return {
      provider: provider.id,
      why: toWhyWithheld(why).why,
      turns_on: [...would_sell.map(({ path }) => path).sort(), ...values],
      read_by: sold.map(({ path }) => path).sort(),
      jobs: jobs.filter((job) => job.providers.some(({ id }) => id === provider.id)).map(({ id }) => id),
    };
  });
}
