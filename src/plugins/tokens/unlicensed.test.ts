import { expect, test } from "bun:test";
import { createCatalog } from "../../catalog/catalog.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import { whyNotUsable } from "../../upstream/settings.ts";
import { registry } from "../registry.gen.ts";

const DESKS: readonly string[] = ["tokens", "trust-desk"];
const SETTINGS = { enabled: true, terms_ack: false };
/** What a fresh node may call: no key, no licence, no contact, the default addresses of chains. */
const whyNot = (provider: ProviderDefinition, chain?: string) =>
  whyNotUsable(provider, SETTINGS, { allow_terms: ["open", "attribution", "unclear"], contact: undefined }) ??
  (chain === undefined || (provider.chains?.[chain] ?? []).length > 0 ? null : `needs [chains.${chain}] rpc`);

test("the token desk and the trust desk sell everything as installed, without a key or an acknowledgement", () => {
  const plugins = registry.filter(({ id }) => DESKS.includes(id));
  const { products } = createCatalog({
    plugins,
    prices: {},
    preview_delay_ms: 900_000,
    reserved_paths: [],
    whyNot,
  });
  const declared = plugins.flatMap((plugin) => plugin.products.map(({ product }) => product.path));
  // Other desks are not here; what only they would add is optional, or the product would be withheld.
  expect(products.map(({ definition }) => definition.path).toSorted()).toEqual(declared.toSorted());
  expect(declared.length).toBeGreaterThanOrEqual(25);
});
