import type { CatalogProduct } from "./catalog.ts";

/** "/job/token-research", "job/token-research" and "job_token_research" are one name. */
const plain = (name: string): string => name.trim().toLowerCase().replace(/^\/+/, "").replaceAll(/[/-]/g, "_");

/** The product somebody means by a path, with or without its slash, or by the name its tool has; undefined for none. */
export function findNamed(given: string, products: Iterable<CatalogProduct>): CatalogProduct | undefined {
  const name = plain(given);
  for (const product of products) if (plain(product.path) === name || plain(product.id) === name) return product;
  return undefined;
}
