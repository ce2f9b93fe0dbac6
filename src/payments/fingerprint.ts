import type { CatalogProduct } from "../catalog/catalog.ts";
import type { ParsedParams } from "../catalog/params.ts";
import { sha256Hex } from "../core/hash.ts";

/**
 * What one payment may pay for: the same method, product, normalised parameters, view, earlier answer and time,
 * whichever door it came through.
 */
export function createFingerprint(method: string, product: CatalogProduct, request: ParsedParams): string {
  const { key, view, since, as_of_ms } = request;
  // A view's key is a list, so that it is never taken for what follows it.
  const moment = since === undefined ? (as_of_ms === undefined ? "" : `\nas_of ${as_of_ms}`) : `\nsince ${since}`;
  const more = `${view?.key ? `\n${view.key}` : ""}${moment}`;
  return sha256Hex(`${method}\n${product.path}\n${key}${more}`);
}

/** A plan bought for a key one has is another purchase than the same plan bought for a new key. */
export function bindKey(
  fingerprint: string,
  { product, headers }: { readonly product: CatalogProduct; readonly headers: Headers },
): string {
  const key = product.definition.plan === undefined ? null : headers.get("x-api-key");
  return key === null ? fingerprint : sha256Hex(`${fingerprint}\n${sha256Hex(key)}`);
}
