import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { sha256Hex } from "../core/hash.ts";

/**
 * What one payment may pay for: the same method, product, normalised parameters and view, whichever door it came
 * through.
 */
export const createFingerprint = (method: string, product: CatalogProduct, request: ParsedParams): string =>
  sha256Hex(`${method}\n${product.path}\n${request.key}${request.view?.key ? `\n${request.view.key}` : ""}`);

/** A plan bought for a key one has is another purchase than the same plan bought for a new key. */
export function bindKey(
  fingerprint: string,
  { product, headers }: { readonly product: CatalogProduct; readonly headers: Headers },
): string {
  const key = product.definition.plan === undefined ? null : headers.get("x-api-key");
  return key === null ? fingerprint : sha256Hex(`${fingerprint}\n${sha256Hex(key)}`);
}
