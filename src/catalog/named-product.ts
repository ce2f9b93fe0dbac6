import type { CatalogProduct } from "./catalog.ts";

/** "/job/token-research", "job/token-research" and "job_token_research" are one name. */
const plain = (name: string): string => name.trim().toLowerCase().replace(/^\/+/, "").replaceAll(/[/-]/g, "_");

const names = new WeakMap<CatalogProduct, ReadonlySet<string>>();

/** The names of a product; computed once, because a quote may name hundreds. */
function namesOf(product: CatalogProduct): ReadonlySet<string> {
  const known = names.get(product) ?? new Set([plain(product.path), plain(product.id)]);
  names.set(product, known);
  return known;
}

/**
 * The product that a path names, with or without its slash, or the name of its tool; undefined when nothing matches. A
 * path goes before all names, and an ambiguous name matches nothing: a buyer never gets a product he did not name.
 */
export function findNamed(given: string, products: Iterable<CatalogProduct>): CatalogProduct | undefined {
  const path = `/${given.replace(/^\/+/, "")}`;
  const name = plain(given);
  const named: CatalogProduct[] = [];
  for (const product of products) {
    if (product.path === path) return product;
    if (namesOf(product).has(name)) named.push(product);
  }
  return named.length === 1 ? named[0] : undefined;
}
