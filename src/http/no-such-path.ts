import type { Catalog, CatalogProduct } from "../catalog/catalog.ts";
import { closest } from "../core/closest.ts";
import { NodeError } from "../core/errors.ts";

/** Longer ones are nobody's slip, and are not worth the look at every path. */
const PATH_CHARS_MAX = 100;

/**
 * The 404 of an address that nothing has, with the near one that something has.
 * @param message a whole sentence.
 */
export function createNoSuchPath(message: string, pathname: string, known: Iterable<string>): NodeError {
  const nearest = pathname.length > PATH_CHARS_MAX ? undefined : findNearest(pathname, [...known]);
  if (nearest === undefined) return new NodeError("not_found", `${message} /get-pricing lists what is sold.`);
  return new NodeError("not_found", `${message} Did you mean ${nearest}?`, { details: { nearest } });
}

function findNearest(pathname: string, known: readonly string[]): string | undefined {
  // Names of tools and skills, where paths have hyphens.
  const wanted = pathname.replaceAll("_", "-");
  // Other services keep their paths below another one: "/api/v2/fear-greed".
  const tails = [...wanted.matchAll(/\/(?=.)/g)].map(({ index }) => wanted.slice(index));
  return tails.map((tail) => closest(tail, known)).find((near) => near !== undefined);
}

/** What is said on the pages of a product that is switched off; undefined where the address is of none. */
export const refuseOffPage = (
  off: Catalog["off"],
  pageOf: (product: Pick<CatalogProduct, "id" | "path">) => string,
  pathname: string,
): NodeError | undefined => off.find(({ product }) => pageOf(product) === pathname)?.refuse();
