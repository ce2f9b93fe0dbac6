import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { sha256Hex } from "../core/hash.ts";

/** What one payment may pay for: the same method, product and normalised parameters, whichever door it came through. */
export const createFingerprint = (method: string, product: CatalogProduct, request: ParsedParams): string =>
  sha256Hex(`${method}\n${product.path}\n${request.key}`);
