import { registry } from "../../src/plugins/registry.gen.ts";

/** Chains that products read; nobody is paid there in tests. */
export const READ_CHAINS = ["ethereum", "base", "arbitrum", "optimism", "polygon", "solana"];

/**
 * Configuration that sends every provider's calls elsewhere.
 * @param urlOf where calls to a provider, or to one of its named hosts, go.
 * @param more further lines of a provider's table, by its id.
 */
export function renderProviderTables(
  urlOf: (provider: string, host?: string) => string,
  more: Readonly<Record<string, string>> = {},
): string {
  const used = registry.flatMap(({ products, jobs }) => [
    ...products.flatMap(({ product }) => product.providers),
    ...jobs.flatMap(({ providers }) => providers),
  ]);
  return [...new Map(used.map((provider) => [provider.id, provider])).values()]
    .filter(({ chains }) => chains === undefined)
    .map(({ id, hosts = {} }) => {
      const named = Object.keys(hosts).map((host) => `${host} = "${urlOf(id, host)}"`);
      const hosted = named.length > 0 ? `hosts = { ${named.join(", ")} }\n` : "";
      return `[providers.${id}]\nbase_url = "${urlOf(id)}"\nrate_per_s = 1000\n${hosted}${more[id] ?? ""}`;
    })
    .join("");
}

/** The RPC endpoints of one chain. */
export const renderChain = (name: string, ...urls: readonly string[]): string =>
  `[chains.${name}]\nrpc = [${urls.map((url) => JSON.stringify(url)).join(", ")}]\n`;
